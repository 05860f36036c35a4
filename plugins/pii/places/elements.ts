import { isAlnum, isLetter, NEWLINE, RETURN } from './characters.ts'
import { type Bits, ends, stepTag, TAG } from './tags.ts'

/** How the text of an element is read, and with that, how it ends. */
const Content = {
  /** No tag counts there but its own end tag. */
  Raw: 0,
  /** Tags and comments count there and may hide the end tag. */
  Parsed: 1,
  /** It never ends. */
  Endless: 2,
} as const
type Content = (typeof Content)[keyof typeof Content]

/**
 * Elements whose text keeps its tokens, by the HTML standard: what a form submits, what a program reads, and what nobody sees. Others
 * show their text and send nothing. `keygen` and `input` have no text, only attributes.
 */
const ELEMENTS: Readonly<Record<string, Content>> = {
  // The text runs, and may send itself (§4.12.1). In SVG it is parsed.
  script: Content.Raw,
  // Rules may load an address (§4.2.6).
  style: Content.Raw,
  // The text is the submitted value (§4.10.11), of any form that `form=` names.
  textarea: Content.Raw,
  // The text is the submitted value if there is no `value` (§4.10.10).
  option: Content.Parsed,
  // Contain options, and text around them that becomes part of one (§4.10.7, §4.10.9, §4.10.8).
  select: Content.Parsed,
  optgroup: Content.Parsed,
  datalist: Content.Parsed,
  // Submits `value` by the standard (§4.10.6), and its text in old browsers.
  button: Content.Parsed,
  // A control of the form, whose text scripts read as its value (§4.10.12).
  output: Content.Parsed,
  // The page's name goes into the history, and statistics report it (§4.2.2).
  title: Content.Raw,
  // Nobody sees the text (§13.2.6.4.7); scripts read it to load what it contains. Parsed where scripts are off.
  noscript: Content.Parsed,
  iframe: Content.Raw,
  noembed: Content.Raw,
  noframes: Content.Raw,
  // The text is shown, but hides tags: what would end another element does not (§13.2.6.4.7).
  xmp: Content.Raw,
  plaintext: Content.Endless,
}

/** Elements that do not keep an end tag from ending one around them. */
const TRANSPARENT = new Set('b i em strong small span hr br img option optgroup'.split(' '))
/** Elements within which every other one is parsed. */
const FOREIGN = new Set(['svg', 'math'])
/** Characters that cannot begin anything in Markdown that would hide a tag further on in the line. */
const PLAIN = '.,:;!?()\'"/=<>*#%+-_&@ \t'
const LONGEST_NAME = 16

/**
 * Follows elements whose text keeps its tokens. One that was seen may be none, in a comment or code, so each is open until an end tag
 * that certainly ends it, in every reading in which it is an element.
 */
export class Elements {
  readonly #open = new Map<string, number>()
  #all = 0
  /** Of these, elements in which only their own end tag counts. */
  #raw = 0
  /** States of the start tag of the latest one. */
  #start: Bits = 0
  /** Something since the first open element may hide an end tag of a parsed element. */
  #hides = false
  #foreign = false
  /** An open element began outside a fenced block, so Markdown may hide its end. */
  #loose = false
  #endUnknown = false
  /** Name of the tag that is being read. */
  #name: string | undefined
  #isEnd = false
  /** Before the tag that is being read, no other tag was open. */
  #clean = false
  /** The start tag of the latest element had ended before it. */
  #within = false

  get danger(): boolean {
    return this.#endUnknown || this.#all > 0
  }

  /**
   * @param afterBracket the character before was `<`
   * @param clean no tag was open before that
   * @param fenced in a fenced block
   * @param lineStart nothing but marks of block quotes is before it in the line
   */
  take(c: number, afterBracket: boolean, clean: boolean, fenced: boolean, lineStart: boolean): void {
    if (this.#endUnknown) return
    if (this.#start !== 0) this.#start = stepTag(this.#start, c, lineStart)
    if (afterBracket) this.#begin(c, clean)
    else if (this.#name !== undefined) this.#readName(c, fenced)
    if (this.#loose && !isPlain(c)) this.#endUnknown = true
  }

  #begin(c: number, clean: boolean): void {
    this.#isEnd = c === 0x2f
    this.#clean = clean
    this.#within = this.#start === 0
    this.#name = this.#isEnd ? '' : isLetter(c) ? String.fromCharCode(c) : undefined
    // A comment, a declaration or an instruction.
    if (c === 0x21 || c === 0x3f) this.#hide()
  }

  #readName(c: number, fenced: boolean): void {
    const name = this.#name as string
    if (!ends(c) && c !== 0x3e && c !== 0x2f) {
      if (name.length < LONGEST_NAME) this.#name += String.fromCharCode(c)
      return
    }
    this.#name = undefined
    const lower = name.toLowerCase()
    if (FOREIGN.has(lower)) this.#foreign = true
    const content = Object.hasOwn(ELEMENTS, lower) ? ELEMENTS[lower] : undefined
    if (!TRANSPARENT.has(lower) && content !== Content.Raw && !this.#isOpen(lower)) this.#hide()
    if (content === undefined) return
    if (this.#isEnd) this.#ends(lower, content, c)
    else this.#opens(lower, content, c, fenced)
  }

  #opens(name: string, content: Content, c: number, fenced: boolean): void {
    // Where the tag before ends is no longer known.
    if (this.#start !== 0) this.#endUnknown = true
    this.#start = c === 0x3e ? 0 : TAG
    this.#open.set(name, this.#count(name) + 1)
    this.#all++
    if (content !== Content.Parsed) this.#raw++
    this.#loose ||= !fenced
  }

  #ends(name: string, content: Content, c: number): void {
    const count = this.#count(name)
    // Markdown knows no attributes of an end tag and would show them.
    if (this.#loose && c !== 0x3e) return
    if (count === 0 || !this.#within || content === Content.Endless) return
    const isRaw = content === Content.Raw
    const certain = isRaw && !this.#foreign
    if (!certain && (!this.#clean || this.#hides || this.#raw > (isRaw ? 1 : 0))) return
    this.#open.set(name, count - 1)
    this.#all--
    if (isRaw) this.#raw--
    if (this.#all === 0) this.#hides = this.#loose = false
  }

  #hide(): void {
    if (this.#all > 0) this.#hides = true
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0
  }

  #isOpen(name: string): boolean {
    return this.#isEnd && this.#count(name) > 0
  }
}

const isPlain = (c: number): boolean =>
  isAlnum(c) || (c > 0x7f ? true : c !== NEWLINE && c !== RETURN && PLAIN.includes(String.fromCharCode(c)))
