/** The longest model name or glob that is looked at, characters. */
export const MAX_GLOB_LENGTH = 256

/**
 * True when `value` matches `pattern`, in which `*` stands for any run of characters and nothing else is special. No
 * backtracking: each part between two stars is taken at its first place, which is always enough for `*` alone.
 *
 * @example
 * matchesGlob('gpt-*-mini', 'gpt-5-mini') // true
 */
export function matchesGlob(pattern: string, value: string): boolean {
  if (pattern === '*') return true
  const first = pattern.indexOf('*')
  if (first === -1) return pattern === value
  const last = pattern.lastIndexOf('*')
  const suffix = pattern.slice(last + 1)
  let at = first
  const end = value.length - suffix.length
  if (end < at || !value.startsWith(pattern.slice(0, first)) || !value.endsWith(suffix)) return false
  for (const part of pattern.slice(first, last).split('*')) {
    const found = value.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= end
}

/** What is wrong with a glob, or undefined. Wildcards of other tools are refused: read as plain text they never match. */
export function globProblem(pattern: string): string | undefined {
  if (pattern === '') return 'must not be empty'
  if (pattern.length > MAX_GLOB_LENGTH) return `must have at most ${MAX_GLOB_LENGTH} characters`
  const odd = /[\s?[\]{}]/u.exec(pattern)?.[0]
  return odd === undefined ? undefined : `must not contain ${JSON.stringify(odd)}: only * is a wildcard`
}
