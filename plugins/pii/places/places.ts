import { isHostLetter } from './characters.ts'
import { Link } from './link.ts'
import { Markup } from './markup.ts'
import { Run } from './run.ts'
import { Terminal } from './terminal.ts'

/** Characters before a position that the readings use. */
const LEFT = 64
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

/** The end of a text in all readings at once. The state is a few words, and each character is read once. */
export class Places {
  readonly #run = new Run()
  readonly #link = new Link()
  readonly #markup = new Markup()
  readonly #terminal = new Terminal()
  #left = ''
  /** Characters read since the current danger began; -1 if none. */
  #since = -1

  /** In an address, destination, title, attribute or text that is submitted or run. */
  get danger(): boolean {
    return this.#run.danger || this.#link.danger || this.#markup.danger || this.#terminal.danger
  }

  read(raw: string): void {
    const text = this.#left + raw
    for (let at = this.#left.length; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (this.#link.take(c, at > 0 ? text.charCodeAt(at - 1) : 0)) this.#run.mark()
      this.#run.take(c, text, at)
      this.#markup.take(c, text, at)
      this.#terminal.take(c, text, at)
      if (!this.danger) this.#since = -1
      else this.#since++
    }
    this.#left = text.length > LEFT ? text.slice(-LEFT) : text
  }

  /** A value takes the place of what was read last. */
  value(value: string): void {
    this.#run.value(value)
  }

  /**
   * Whether what was read allows the value here.
   *
   * @param after up to `LOOKAHEAD` characters behind it
   */
  allows(value: string, after: string): boolean {
    if (this.#markup.afterBracket) return this.#inBrackets(value, after)
    if (!fitsLeft(this.#left) || !this.#run.fits(value) || this.#markup.inAttributeName) return false
    if (!this.#markup.isIdle && STRUCTURAL.test(value)) return false
    return !this.danger || (this.#isSelfLink(value) && SELF_LINK_END.test(after))
  }

  /** Directly behind `<`, where a value may be an autolink of its own. */
  get inBrackets(): boolean {
    return this.#markup.afterBracket
  }

  #inBrackets(value: string, after: string): boolean {
    return (
      !this.danger &&
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
