import { BACKSLASH, endsWithSpelling, isAlnum, isBlank, isHostLetter, NEWLINE, RETURN } from './characters.ts'

/** Schemes that some program or renderer links or opens. `data:x` matches, the label `Email:x` does not. */
const SCHEME =
  /(?:^|[^a-z0-9+.-])(https?|s?ftps?|wss?|file|smb|nfs|afp|ldaps?|webcals?|ircs?|data|blob|javascript|vbscript|sms|xmpp|sips?|ssh|git|magnet|skype|facetime|whatsapp|tg|intent|about|view-source|vscode|slack|zoommtg|callto|viber|sgnl|signal|msteams|steam|spotify|market|itms-[a-z]{1,24}|onenote|outlook|notion|obsidian|search-ms|shell|mhtml|jar|cid|bitcoin|ms-[a-z-]{1,24}|x-[a-z-]{1,24})$/i
/** Schemes of links that lead only to the value itself. */
const SELF_SCHEME = /(?:^|[^a-z0-9+.-])(?:mailto|tel)$/i
const AUTOLINK = /<[a-z][a-z0-9+.-]{1,31}$/i
const SELF_SCHEME_ENDS = '"\'<>()[]'
/** A line whose end breaks an address. Two backslashes alone break a line of LaTeX. */
const BROKEN_OFF = /(?:[=&?%+]|(?<!(?:^|\s)\\)\\)$/

/** How much a run looks like a host: not at all, `evil.example`, `evil.example/`. */
const Host = { None: 0, Name: 1, Path: 2 } as const
type Host = (typeof Host)[keyof typeof Host]

/**
 * Follows bare addresses, as linkifiers recognise them: a scheme, `www.`, or a host with a path. An address ends
 * only at a blank.
 */
export class Run {
  #address = false
  #autolink = false
  #selfLink = false
  #host: Host = Host.None
  /** The quote around the address; blanks before it belong to the address. */
  #closer = 0
  /** After an at sign, in a possible mail host. */
  #mailbox = false
  /** A value is in the run, and one of these is a mailbox. */
  #values = false
  #mail = false
  /** Text of the run has an at sign. */
  #written = false
  /** After a bar that follows a value. */
  #barred = false
  #first = true

  get danger(): boolean {
    return (
      this.#address ||
      this.#selfLink ||
      this.#autolink ||
      this.#mailbox ||
      this.#closer !== 0 ||
      this.#host === Host.Path
    )
  }

  /** Marks the run as an address. */
  mark(): void {
    this.#address = true
  }

  /**
   * Whether a value may stand here as to a bar before it. Linkifiers read `a@b.com|c` as one mailbox of this host, and `a|b@c.com` as
   * one there. That leads to nobody else, unless the value brings the end of a host.
   */
  fits(value: string): boolean {
    if (!this.#barred) return true
    const [name] = value.split(/[\s@]/, 1) as [string]
    return (value.includes('@') && !this.#mail) || !/[.\u3002\uff0e\uff61](?!\d)/.test(name)
  }

  /** A value follows, which may be a host. */
  value(value: string): void {
    this.#first = false
    this.#values = true
    this.#mail ||= value.includes('@')
    this.#mailbox = true
    if (this.#host === Host.None) this.#host = Host.Name
  }

  /** @param at index of the character `c` in `text`, which includes the 32 characters before it */
  take(c: number, text: string, at: number): void {
    if (isBlank(c)) return this.#blank(c, text, at)
    if (c === this.#closer) this.#closer = 0
    this.#first = false
    if (isAlnum(c)) return
    if (this.#selfLink && SELF_SCHEME_ENDS.includes(text[at] as string)) this.#selfLink = false
    switch (c) {
      case 0x3a: // :
        this.#colon(text, at)
        break
      case 0x2f: // /
        if (spelled(text, at).endsWith('/')) this.#open(text, at, /[a-z0-9+.-]*:?\/$/i)
        break
      case BACKSLASH:
        // A share, `\\\\host\\`: mail programs and chats link it, and systems sign in at its host.
        if (text[at - 1] === '\\') this.#open(text, at, /\\+$/)
        break
      case 0x2e: // .
        if (/www$/i.test(spelled(text, at))) this.#open(text, at, /www$/i)
        break
      case 0x28: // (
        if (/(?:\]|url)$/i.test(text.slice(at - 3, at))) this.#address = true
        break
      case 0x5e: // ^
        // A footnote: its name becomes part of an address.
        if (text[at - 1] === '[') this.#address = true
        break
      case 0x3b: // ;
        if (endsWithSpelling(text.slice(Math.max(0, at - 33), at + 1))) this.#address = true
        break
      case 0x3c: // <
      case 0x3e: // >
        this.#autolink = false
        this.#endName()
        return
    }
    this.#hostName(c, text, at)
  }

  #blank(c: number, text: string, at: number): void {
    const breaksLine = c === NEWLINE || c === RETURN
    if (breaksLine) this.#closer = 0
    if (this.#first && !breaksLine) return
    // Some programs join an address that is broken over two lines.
    this.#address = this.#address && breaksLine && !this.#first && BROKEN_OFF.test(text.slice(Math.max(0, at - 3), at))
    this.#autolink = false
    this.#selfLink = false
    this.#endName()
    this.#first = true
  }

  #endName(): void {
    this.#mailbox = false
    this.#values = false
    this.#mail = false
    this.#written = false
    this.#barred = false
    this.#host = Host.None
  }

  #colon(text: string, at: number): void {
    const left = spelled(text, at)
    if (AUTOLINK.test(left)) this.#autolink = true
    if (SELF_SCHEME.test(left)) this.#selfLink = true
    else if (SCHEME.test(left)) this.#open(text, at, /[a-z-]+$/i)
  }

  /** Begins an address, possibly after a quote that encloses it. */
  #open(text: string, at: number, beginning: RegExp): void {
    this.#address = true
    const left = text.slice(Math.max(0, at - 40), at).replace(beginning, '')
    const quote = left.charCodeAt(left.length - 1)
    if (quote === 0x22 || quote === 0x27 || quote === 0x60) this.#closer = quote
    else if (quote === 0x7b) this.#closer = 0x7d
    else if (quote === 0x3c) this.#closer = 0x3e
  }

  #hostName(c: number, text: string, at: number): void {
    if (c === 0x40) this.#mailbox = this.#written = true
    else if (c === 0x7c && this.#values && !this.#written) {
      this.#mailbox = false
      this.#barred = true
    }
    // Some linkifiers accept symbols such as `=` and `~` in a host.
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

/** Characters that end a host, and exceptions. */
const PUNCTUATION = /[\p{P}\p{Z}]/u
const DOTS = /[.\-_\\．｡]/

const isHostCharacter = (c: number): boolean =>
  isHostLetter(c) || c === 0x2e || c === 0x2d || c === 0x5f || c === BACKSLASH

/** Text before a position, with Markdown escapes removed. */
const spelled = (text: string, at: number): string => text.slice(Math.max(0, at - 32), at).replaceAll('\\', '')
