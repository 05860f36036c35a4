import { BACKSLASH, endsWithSpelling, isAlnum, isBlank, isHostLetter, NEWLINE, RETURN } from './characters.ts'

/** Schemes that some program or renderer links or follows by themselves. `data:x` is one, `Email:x` is a label. */
const SCHEME =
  /(?:^|[^a-z0-9+.-])(https?|s?ftps?|wss?|file|data|blob|javascript|vbscript|sms|xmpp|sips?|ssh|git|magnet|skype|facetime|whatsapp|tg|intent|about|view-source|vscode|slack|zoommtg|ms-[a-z-]{1,24}|x-[a-z-]{1,24})$/i
/** A link to the very value that follows, and to no more than that. */
const OWN = /(?:^|[^a-z0-9+.-])(?:mailto|tel)$/i
const AUTOLINK = /<[a-z][a-z0-9+.-]{1,31}$/i
const ENDS_OWN = '"\'<>()[]'
/** A line that breaks an address off. */
const BROKEN_OFF = /[=&?%+\\]$/

/** How far a run looks like a host: not, `evil.example`, `evil.example/`. */
const Host = { None: 0, Name: 1, Path: 2 } as const
type Host = (typeof Host)[keyof typeof Host]

/**
 * Addresses that stand in a text by themselves: what a linkifier turns into a link, be it a scheme, `www.` or a host with
 * a path. One reaches to the next blank, whatever else stands in it.
 */
export class Run {
  #address = false
  #autolink = false
  #own = false
  #host: Host = Host.None
  /** The quote that an address stands in: up to it, blanks belong to the address too. */
  #closer = 0
  /** Behind an at sign, in what may be the host of a mailbox. */
  #mailbox = false
  #first = true

  get danger(): boolean {
    return (
      this.#address || this.#own || this.#autolink || this.#mailbox || this.#closer !== 0 || this.#host === Host.Path
    )
  }

  /** The run is an address, whatever it looks like. */
  mark(): void {
    this.#address = true
  }

  /** A value stands here, which may be a host. */
  value(): void {
    this.#first = false
    this.#mailbox = true
    if (this.#host === Host.None) this.#host = Host.Name
  }

  /** @param at index of the character `c` in `text`; the 32 characters left of it are there, too */
  take(c: number, text: string, at: number): void {
    if (isBlank(c)) return this.#blank(c, text, at)
    if (c === this.#closer) this.#closer = 0
    this.#first = false
    if (isAlnum(c)) return
    if (this.#own && ENDS_OWN.includes(text[at] as string)) this.#own = false
    switch (c) {
      case 0x3a: // :
        this.#colon(text, at)
        break
      case 0x2f: // /
        if (spelled(text, at).endsWith('/')) this.#open(text, at, /[a-z0-9+.-]*:?\/$/i)
        break
      case 0x2e: // .
        if (/www$/i.test(spelled(text, at))) this.#open(text, at, /www$/i)
        break
      case 0x28: // (
        if (/(?:\]|url)$/i.test(text.slice(at - 3, at))) this.#address = true
        break
      case 0x5e: // ^
        // A footnote; its name goes into the address of its place.
        if (text[at - 1] === '[') this.#address = true
        break
      case 0x3b: // ;
        if (endsWithSpelling(text.slice(Math.max(0, at - 33), at + 1))) this.#address = true
        break
      case 0x3c: // <
      case 0x3e: // >
        this.#autolink = false
        this.#mailbox = false
        this.#host = Host.None
        return
    }
    this.#hostName(c, text, at)
  }

  #blank(c: number, text: string, at: number): void {
    const breaksLine = c === NEWLINE || c === RETURN
    if (breaksLine) this.#closer = 0
    if (this.#first && !breaksLine) return
    // Some put an address together again that was broken over two lines.
    this.#address = this.#address && breaksLine && !this.#first && BROKEN_OFF.test(text.slice(Math.max(0, at - 1), at))
    this.#autolink = false
    this.#own = false
    this.#mailbox = false
    this.#host = Host.None
    this.#first = true
  }

  #colon(text: string, at: number): void {
    const left = spelled(text, at)
    if (AUTOLINK.test(left)) this.#autolink = true
    if (OWN.test(left)) this.#own = true
    else if (SCHEME.test(left)) this.#open(text, at, /[a-z-]+$/i)
  }

  /** An address; what stands left of its beginning may be a quote around it. */
  #open(text: string, at: number, beginning: RegExp): void {
    this.#address = true
    const left = text.slice(Math.max(0, at - 40), at).replace(beginning, '')
    const quote = left.charCodeAt(left.length - 1)
    if (quote === 0x22 || quote === 0x27 || quote === 0x60) this.#closer = quote
    else if (quote === 0x7b) this.#closer = 0x7d
    else if (quote === 0x3c) this.#closer = 0x3e
  }

  #hostName(c: number, text: string, at: number): void {
    if (c === 0x40) this.#mailbox = true
    // Symbols such as `=` and `~` are letters of a host to some linkifiers.
    else if (this.#mailbox && PUNCTUATION.test(text[at] as string)) this.#mailbox = DOTS.test(text[at] as string)
    if (this.#host === Host.Path) return
    const isDot = c === 0x2e || c === 0x3002 || c === 0xff0e || c === 0xff61
    if (isDot) {
      if (at > 0 && isHostLetter(text.charCodeAt(at - 1))) this.#host = Host.Name
    } else if (c === 0x2f || c === 0x3f || c === 0x23 || c === 0x3a) {
      if (this.#host === Host.Name) this.#host = Host.Path
    } else if (!isHostCharacter(c) && c !== 0x40) this.#host = Host.None
  }
}

/** What ends a host, and what is a part of one all the same. */
const PUNCTUATION = /[\p{P}\p{Z}]/u
const DOTS = /[.\-_\\．｡]/

const isHostCharacter = (c: number): boolean =>
  isHostLetter(c) || c === 0x2e || c === 0x2d || c === 0x5f || c === BACKSLASH

/** What stands left of a position, as Markdown reads its escapes. */
const spelled = (text: string, at: number): string => text.slice(Math.max(0, at - 32), at).replaceAll('\\', '')
