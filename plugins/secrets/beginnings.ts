/**
 * Values behind the beginning of a published format whose length or alphabet differs from it: providers change these more often
 * than the beginning.
 */
import type { Kind } from './kinds/index.ts'
import { compilePattern, literalOf, type Pattern, toSet } from './pattern.ts'

/** Ends in a sign, has three letters, and names its vendor: `glpat-`, `sk_live_`, `dp.pt.`. */
const BEGINNING = /^(?=(?:.*[A-Za-z]){3})[A-Za-z][\w.-]{2,}[_.-]$/
/** Of words that names in code and publishable keys begin with. */
const WORDS =
  /^(?:(?:access|act|api|app|apk|auth|bedrock|dev|development|ext|hawk|key|live|luma|mfa|org|pat|persona|pk|private|prod|production|pub|pubkey|rft|sandbox|sat|sdk|secret|ser|sess|signkey|skey|standard|test|usr|ver|web|[a-z]{2}\d|v\d)[_.-])+$/i
const MIN_BODY = 16

export interface Beginning {
  readonly kind: Kind
  readonly pattern: Pattern
}

/** One for each beginning that the patterns of `kinds` have: at least 16 letters and digits, or what the patterns allow. */
export function beginnings(kinds: readonly Kind[]): Beginning[] {
  const found = new Map<string, Beginning>()
  for (const kind of kinds)
    for (const source of kind.patterns) {
      const pattern = compilePattern(source)
      const literal = literalOf(pattern.segments)
      if (pattern.from > 0 || pattern.before !== undefined || kind.inWord || !BEGINNING.test(literal)) continue
      if (WORDS.test(literal)) continue
      const known = found.get(literal)
      const tail = Uint8Array.from(known?.pattern.tail ?? toSet('A-Za-z0-9'))
      for (const { set } of pattern.segments.slice(literal.length))
        for (let code = 0; code < tail.length; code++) tail[code]! |= set[code]!
      const body = { set: tail, min: MIN_BODY, max: Number.POSITIVE_INFINITY }
      const segments = [...pattern.segments.slice(0, literal.length), body]
      found.set(literal, { kind: known?.kind ?? kind, pattern: { ...pattern, segments, tail } })
    }
  return [...found.values()]
}
