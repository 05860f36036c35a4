import { BACKSLASH, endsWithSpelling, isAlnum, isBlank, isHostLetter } from './characters.ts'
import { Link } from './link.ts'
import { Markup } from './markup.ts'
import { Run } from './run.ts'

/** Characters left of a position that the readings look at. */
const LEFT = 64
/** Characters right of a token that may have to be known. */
export const LOOKAHEAD = 64
/** What a link to the value itself has in front of it, from where its destination or attribute opens. */
const OWN_LINK = /^(?:\(|=["']?)(?:mailto:|tel:)$/i
const OWN_SCHEME = /(?:^|[^a-z0-9+.-])(?:mailto|tel):$/i
/** What such a link leads to, and to nothing else. */
const MAILBOX = /^[^\s@,;?]+@[^\s@,;?]+$/
const PHONE = /^\+?[\d\s().-]{7,}$/
/** Ends such a link. */
const OWN_END = /^(?:[)>"'\]`\s]|[.,;:!](?:\s|$)|$)/
/** A value with one of these may end or open something. */
const STRUCTURAL = /[<>"'`=[\]\\\n\r]/
const PUNCTUATION = /[\p{P}\p{Z}]/u

/**
 * Reads a text as CommonMark, GFM and HTML do, all at once, and tells of a place whether a value may stand there: only
 * where none of these readings makes it a part of an address, a destination or title, an attribute or a style sheet. Where a reading
 * depends on text that is still to come, both answers count. Linear, with a state of a few words.
 */
export class Scanner {
  readonly #run = new Run()
  readonly #link = new Link()
  readonly #markup = new Markup()
  #left = ''
  /** Characters read since the present danger began. */
  #since = -1

  get #danger(): boolean {
    return this.#run.danger || this.#link.danger || this.#markup.danger
  }

  read(raw: string): void {
    const text = this.#left + raw
    for (let at = this.#left.length; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (this.#link.take(c, at > 0 ? text.charCodeAt(at - 1) : 0)) this.#run.mark()
      this.#run.take(c, text, at)
      this.#markup.take(c, text, at)
      if (!this.#danger) this.#since = -1
      else this.#since++
    }
    this.#left = text.length > LEFT ? text.slice(-LEFT) : text
  }

  /** Reads a token, in whose place a value may stand. */
  readToken(raw: string): void {
    this.read(raw)
    this.#run.value()
  }

  /**
   * Whether the value may come back here; undefined when more of what follows is needed.
   *
   * @param after what follows the token, `LOOKAHEAD` characters of it or all there is
   * @param final no more text will follow
   */
  allows(value: string, after: string, final: boolean): boolean | undefined {
    if (after === '' && !final) return undefined
    const left = this.#left
    if (this.#markup.afterBracket) return this.#inBrackets(value, after)
    if (!fitsLeft(left) || this.#markup.naming) return false
    if (!this.#markup.calm && STRUCTURAL.test(value)) return false
    if (this.#danger && !this.#isOwnLink(value)) return false
    if (this.#danger) return after.length < 2 && !final ? undefined : OWN_END.test(after)
    return fitsRight(after, final)
  }

  /** `Jo <EMAIL_…>` */
  #inBrackets(value: string, after: string): boolean {
    return (
      !this.#danger && !this.#markup.naming && after.startsWith('>') && !STRUCTURAL.test(value) && !/\s/.test(value)
    )
  }

  #isOwnLink(value: string): boolean {
    if (!(/mailto:$/i.test(this.#left) ? MAILBOX : PHONE).test(value)) return false
    if (this.#since === 0 && OWN_SCHEME.test(this.#left)) return true
    return this.#since > 0 && this.#since < 16 && OWN_LINK.test(this.#left.slice(-this.#since - 1))
  }
}

/** What stands directly in front must not be a part of the same name. */
function fitsLeft(left: string): boolean {
  const c = left.charCodeAt(left.length - 1)
  if (c === 0x5d || c === 0x40 || c === 0x25 || c === 0x5e) return false
  return c !== 0x2e || !isHostLetter(left.charCodeAt(left.length - 2))
}

/** The following text must not make the value part of a host or a mailbox. */
function fitsRight(after: string, final: boolean): boolean | undefined {
  let inHost = true
  const end = Math.min(after.length, LOOKAHEAD)
  for (let i = 0; i < end; i++) {
    const c = after.charCodeAt(i)
    if (isBlank(c)) return true
    if (isAlnum(c) || c === 0x2d || c === 0x5f || c === BACKSLASH) continue
    if (c > 0x7f) {
      if (PUNCTUATION.test(after[i]!)) return true
      continue
    }
    if (c === 0x40) return false
    if (c === 0x2e) {
      if (i + 1 >= after.length) return final ? true : undefined
      if (inHost && (isHostLetter(after.charCodeAt(i + 1)) || after[i + 1] === '\\')) return false
      continue
    }
    inHost = false
    if (c === 0x26) {
      const stop = after.indexOf(';', i)
      if (stop < 0 && after.length < LOOKAHEAD && !final) return undefined
      if (stop > 0 && endsWithSpelling(after.slice(i, stop + 1))) return false
    }
    // All else may stand in the name of a mailbox (RFC 5322 §3.2.3), for some linkifiers at least.
    if ('<>()[]'.includes(after[i]!)) return true
  }
  if (after.length < LOOKAHEAD) return final ? true : undefined
  // A mailbox has no longer name (RFC 5321 §4.5.3.1.1); a host might.
  return !inHost
}
