/** Maximum length of a model name or glob, characters. */
const MAX_GLOB_LENGTH = 256

/**
 * Whether `value` matches `pattern`, in which `*` stands for any characters and nothing else is special. Needs no
 * backtracking: each part between stars matches at its first position, which suffices for `*`.
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

/**
 * Whether a rule for `pattern` holds for a model, in any case of letters: a provider may take `GPT-4o` for `gpt-4o`, and
 * no spelling may avoid a limit. Routes and the models of a key compare exactly, with `matchesGlob`.
 */
export const limitsModel = (pattern: string, model: string): boolean =>
  matchesGlob(pattern.toLowerCase(), model.toLowerCase())

/** The problem of a glob, or undefined. Refuses wildcards of other tools, which would never match as plain text. */
export function globProblem(pattern: string): string | undefined {
  if (pattern === '') return 'must not be empty'
  if (pattern.length > MAX_GLOB_LENGTH) return `must have at most ${MAX_GLOB_LENGTH} characters`
  const odd = /[\s?[\]{}]/u.exec(pattern)?.[0]
  return odd === undefined ? undefined : `must not contain ${JSON.stringify(odd)}: only * is a wildcard`
}
