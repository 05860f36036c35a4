import { BACKSLASH, endsWithSpelling, isAlnum, isBlank, isHostLetter } from './characters.ts'
import { escapedFor, JsonStrings, needsEscape } from './json-strings.ts'
import { Places } from './places.ts'

/** Characters after a token that the readings may need. */
export const LOOKAHEAD = 64
/** Symbols that some linkifiers accept in a host. */
const HOST_SYMBOLS = '$+=^`|~'
const PUNCTUATION = /[\p{P}\p{Z}]/u

/**
 * Reads a text as CommonMark, GFM, HTML and commands to a terminal at once, and decides where a value may be restored: only where no reading
 * makes it part of an address, destination, title, attribute or text that is submitted or run. Strings of JSON in the text are read in the
 * same way, as whoever unpacks them gets them. If a reading depends on later text, both outcomes count. Linear time.
 */
export class Scanner {
  readonly #places = new Places()
  readonly #strings = new JsonStrings(() => new Places())

  read(raw: string): void {
    this.#strings.read(raw)
    this.#places.read(raw)
  }

  /** Reads a token that may be replaced by the value. */
  readToken(raw: string, value: string): void {
    this.read(raw)
    for (const places of [this.#places, ...this.#strings.texts]) places.value(value)
  }

  /**
   * Whether the value may be restored here; undefined if more text is needed.
   *
   * @param after up to `LOOKAHEAD` characters after the token
   * @param final no more text will follow
   */
  allows(value: string, after: string, final: boolean): boolean | undefined {
    if (after === '' && !final) return undefined
    const { danger, inBrackets } = this.#places
    if (danger && !inBrackets && after.length < 2 && !final && this.#places.allows(value, '')) return undefined
    if (![this.#places, ...this.#strings.texts].every((places) => places.allows(value, after))) return false
    return danger || inBrackets || fitsRight(after, final)
  }

  /** How the value is spelled here; undefined if that cannot be known. */
  spelling(value: string): string | undefined {
    if (!needsEscape(value)) return value
    const { depth } = this.#strings
    return depth === undefined ? undefined : escapedFor(depth, value)
  }
}

/** The following text must not make the value part of a host or mailbox. */
function fitsRight(after: string, final: boolean): boolean | undefined {
  let inHost = true
  const end = Math.min(after.length, LOOKAHEAD)
  for (let i = 0; i < end; i++) {
    const c = after.charCodeAt(i)
    if (isBlank(c)) return true
    if (isAlnum(c) || c === 0x2d || c === 0x5f || c === BACKSLASH || HOST_SYMBOLS.includes(after[i]!)) continue
    if (c > 0x7f) {
      if (PUNCTUATION.test(after[i]!)) return true
      continue
    }
    if (c === 0x40) return false
    if (c === 0x2e) {
      if (i + 1 >= after.length) return final ? true : undefined
      if (
        inHost &&
        (isHostLetter(after.charCodeAt(i + 1)) || after[i + 1] === '\\' || HOST_SYMBOLS.includes(after[i + 1]!))
      )
        return false
      continue
    }
    inHost = false
    if (c === 0x26) {
      const stop = after.indexOf(';', i)
      if (stop < 0 && after.length < LOOKAHEAD && !final) return undefined
      if (stop > 0 && endsWithSpelling(after.slice(i, stop + 1))) return false
    }
    // Any other character may be part of a mailbox name (RFC 5322 §3.2.3), at least for some linkifiers.
    if ('<>()[]'.includes(after[i]!)) return true
  }
  if (after.length < LOOKAHEAD) return final ? true : undefined
  // A mailbox name is not longer than this (RFC 5321 §4.5.3.1.1); a host may be.
  return !inHost
}
