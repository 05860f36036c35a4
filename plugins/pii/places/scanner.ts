import { BACKSLASH, endsWithSpelling, isAlnum, isBlank, isHostLetter } from './characters.ts'
import { escapedFor, JsonStrings, needsEscape } from './json-strings.ts'
import { Link } from './link.ts'
import { Markup } from './markup.ts'
import { Run } from './run.ts'
import { Terminal } from './terminal.ts'

/** Characters before a position that the readings use. */
const LEFT = 64
/** Characters after a token that the readings may need. */
export const LOOKAHEAD = 64
/** Beginning of a link to the value itself, from its destination or attribute on. */
const SELF_LINK = /^(?:\(|=["']?)(?:mailto:|tel:)$/i
const SELF_SCHEME = /(?:^|[^a-z0-9+.-])(?:mailto|tel):$/i
/** Values that such a link may have. */
const MAILBOX = /^[^\s@,;?]+@[^\s@,;?]+$/
const PHONE = /^\+?[\d\s().-]{7,}$/
/** Ends of such a link. */
const SELF_LINK_END = /^(?:[)>"'\]`\s]|[.,;:!](?:\s|$)|$)/
/** A value with one of these could end or open a structure. */
const STRUCTURAL = /[<>"'`=[\]\\\n\r]/
/** Symbols that some linkifiers accept in a host. */
const HOST_SYMBOLS = '$+=^`|~'
const PUNCTUATION = /[\p{P}\p{Z}]/u

/**
 * Reads a text as CommonMark, GFM, HTML and commands to a terminal at once, and decides where a value may be restored: only where no reading
 * makes it part of an address, destination, title, attribute or text that is submitted or run. If a reading depends on later text,
 * both outcomes count. Linear time; the state is a few words.
 */
export class Scanner {
  readonly #run = new Run()
  readonly #link = new Link()
  readonly #markup = new Markup()
  readonly #terminal = new Terminal()
  readonly #strings: JsonStrings | undefined
  #left = ''
  /** Characters read since the current danger began; -1 if none. */
  #since = -1

  /** @param escapes a value may need escapes where it stands in JSON */
  constructor(escapes = true) {
    this.#strings = escapes ? new JsonStrings() : undefined
  }

  get #danger(): boolean {
    return this.#run.danger || this.#link.danger || this.#markup.danger || this.#terminal.danger
  }

  read(raw: string): void {
    this.#strings?.read(raw)
    const text = this.#left + raw
    for (let at = this.#left.length; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (this.#link.take(c, at > 0 ? text.charCodeAt(at - 1) : 0)) this.#run.mark()
      this.#run.take(c, text, at)
      this.#markup.take(c, text, at)
      this.#terminal.take(c, text, at)
      if (!this.#danger) this.#since = -1
      else this.#since++
    }
    this.#left = text.length > LEFT ? text.slice(-LEFT) : text
  }

  /** Reads a token that may be replaced by the value. */
  readToken(raw: string, value: string): void {
    this.read(raw)
    this.#run.value(value)
  }

  /**
   * Whether the value may be restored here; undefined if more text is needed.
   *
   * @param after up to `LOOKAHEAD` characters after the token
   * @param final no more text will follow
   */
  allows(value: string, after: string, final: boolean): boolean | undefined {
    if (after === '' && !final) return undefined
    const left = this.#left
    if (this.#markup.afterBracket) return this.#inBrackets(value, after)
    if (!fitsLeft(left) || !this.#run.fits(value) || this.#markup.inAttributeName) return false
    if (!this.#markup.isIdle && STRUCTURAL.test(value)) return false
    if (this.#danger && !this.#isSelfLink(value)) return false
    if (this.#danger) return after.length < 2 && !final ? undefined : SELF_LINK_END.test(after)
    return fitsRight(after, final)
  }

  /** How the value is spelled here; undefined if that cannot be known. */
  spelling(value: string): string | undefined {
    if (this.#strings === undefined || !needsEscape(value)) return value
    const { depth } = this.#strings
    return depth === undefined ? undefined : escapedFor(depth, value)
  }

  #inBrackets(value: string, after: string): boolean {
    return (
      !this.#danger &&
      !this.#markup.inAttributeName &&
      after.startsWith('>') &&
      !STRUCTURAL.test(value) &&
      !/\s/.test(value)
    )
  }

  #isSelfLink(value: string): boolean {
    if (!(/mailto:$/i.test(this.#left) ? MAILBOX : PHONE).test(value)) return false
    if (this.#since === 0 && SELF_SCHEME.test(this.#left)) return true
    return this.#since > 0 && this.#since < 16 && SELF_LINK.test(this.#left.slice(-this.#since - 1))
  }
}

/** The character before must not be part of the same name. */
function fitsLeft(left: string): boolean {
  const c = left.charCodeAt(left.length - 1)
  if (c === 0x5d || c === 0x40 || c === 0x25 || c === 0x5e) return false
  return c !== 0x2e || !isHostLetter(left.charCodeAt(left.length - 2))
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
