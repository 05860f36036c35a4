import { FORM_FEED, isBlank, isLetter, NEWLINE, RETURN, SPACE, TAB } from './characters.ts'

/** In a tag, outside of values. */
const TAG = 1
/** Behind an equals sign, before a value; odd: of an attribute that is only read. */
const ASSIGNED = 2
const BARE = 8
const DOUBLE = 32
const SINGLE = 128
/** What `ASSIGNED`, `BARE`, `DOUBLE` and `SINGLE` are multiplied by where the attribute is only read. */
const READ = 2
/** Some value that is only read went over a line: each quote may end it or not. */
const DANGLING = 512
const QUOTED = DOUBLE | (DOUBLE * READ) | SINGLE | (SINGLE * READ)
const DANGEROUS = ASSIGNED | BARE | DOUBLE | SINGLE

/** Attributes that are read and never followed, whatever the element. */
const HARMLESS = new Set(
  'alt title value placeholder label summary abbr lang aria-label aria-description aria-placeholder aria-valuetext'.split(
    ' ',
  ),
)
const ATTRIBUTE = /(?:^|[\s/])([^\s/>=]{1,32})[ \t\n\r\f]*$/
const FENCE = /^`{3,}[^`]*$/
const ANY_FENCE = /^[\s>*+\-\d.)]*(?:`{3}|~{3})/
const RAW_BLOCK = /<(?:[!?]|(?:pre|script|style|textarea)(?![\w-]))/i
const STYLE = /<style$/i
const STYLE_END = /<\/style$/i
/** Characters of a line that are looked at. */
const LINE = 256

/**
 * Values of HTML attributes, and style sheets. Code and comments may hide a tag, or may turn out to be none, so each `<`
 * in front of a letter is followed as a tag of its own, beside all that is open already: a set of states, as bits.
 */
export class Markup {
  #open = 0
  #bracket = false
  /** A value or style sheet may go over the end of an HTML block: nobody can tell where it ends. */
  #lost = false
  #style = false
  #line = ''
  #lineStart = true
  /** A line since the last blank one begins with `<`, so an HTML block may be open. */
  #html = false
  /** Characters of the fence that is open: here everything is code for Markdown. */
  #fence = 0
  /** Fences can no longer be told from text, since some raw block may be open. */
  #unfenced = false

  get danger(): boolean {
    return this.#lost || this.#style || (this.#open & DANGEROUS) !== 0
  }

  /** Nothing is open in which a quote or a bracket would mean anything. */
  get calm(): boolean {
    return this.#open === 0 && !this.danger
  }

  /** The last character may open a tag with the next one. */
  get afterBracket(): boolean {
    return this.#bracket
  }

  take(c: number, text: string, at: number): void {
    if (c === NEWLINE || c === RETURN) this.#newLine(c, text, at)
    else if (this.#line.length < LINE) this.#line += text[at]
    if (this.#open !== 0) this.#step(c, text, at)
    const opens = this.#bracket && (isLetter(c) || c === 0x2f)
    this.#bracket = c === 0x3c
    if (opens) this.#open |= TAG
    if ((c | 32) === 0x65) this.#element(text, at)
    if (this.#lineStart && !isBlank(c) && c !== 0x3e) this.#lineStart = false
  }

  #step(c: number, text: string, at: number): void {
    let next = 0
    const open = this.#open
    // At the beginning of a line it may be the mark of a quotation, which is no part of the tag.
    const closes = c === 0x3e && !this.#lineStart
    if ((open & TAG) !== 0 && !closes) next |= c === 0x3d ? TAG | this.#assigned(text, at) : TAG
    if ((open & DANGLING) !== 0) next |= c === 0x22 || c === 0x27 ? DANGLING | TAG : DANGLING
    for (let read = 1; read <= READ; read *= READ) {
      if ((open & (ASSIGNED * read)) !== 0) next |= afterEquals(c, read, closes)
      if ((open & (BARE * read)) !== 0 && !closes) next |= ends(c) ? TAG : BARE * read
      if ((open & (DOUBLE * read)) !== 0) next |= c === 0x22 ? TAG : DOUBLE * read
      if ((open & (SINGLE * read)) !== 0) next |= c === 0x27 ? TAG : SINGLE * read
    }
    this.#open = next
  }

  #assigned(text: string, at: number): number {
    const name = ATTRIBUTE.exec(text.slice(Math.max(0, at - 40), at))?.[1]
    return name !== undefined && HARMLESS.has(name.toLowerCase()) ? ASSIGNED * READ : ASSIGNED
  }

  #element(text: string, at: number): void {
    const left = text.slice(Math.max(0, at - 7), at + 1)
    if (!this.#style) {
      this.#style = STYLE.test(left)
      // Outside of code, Markdown may take the end of the style sheet for something else.
      this.#lost ||= this.#style && this.#fence === 0
    } else if ((this.#open & QUOTED) === 0 && STYLE_END.test(left)) this.#style = false
  }

  #newLine(c: number, text: string, at: number): void {
    if (c === NEWLINE && at > 0 && text.charCodeAt(at - 1) === RETURN) return
    const line = this.#line
    this.#line = ''
    this.#lineStart = true
    if (this.#fence > 0) {
      if (/^ {0,3}`{3,}[ \t]*$/.test(line) && line.trim().length >= this.#fence) this.#fence = 0
      return
    }
    const isFence = FENCE.test(line) && !this.#html && !this.#unfenced && line.length < LINE
    if (isFence) {
      this.#fence = /^`+/.exec(line)![0].length
      return
    }
    if (ANY_FENCE.test(line) || RAW_BLOCK.test(line) || line.length >= LINE) this.#unfenced = true
    if ((this.#open & QUOTED) !== 0) this.#crossed()
    if (/^[ \t]*$/.test(line)) this.#html = false
    else if (/^[\s>*+\-\d.)]*</.test(line)) this.#html = true
  }

  /** A value in quotes goes on in the next line. In another block Markdown escapes the quote that would end it. */
  #crossed(): void {
    if ((this.#open & (DOUBLE | SINGLE)) !== 0) this.#lost = true
    else this.#open |= DANGLING
  }
}

const ends = (c: number): boolean => c === SPACE || c === TAB || c === NEWLINE || c === RETURN || c === FORM_FEED

function afterEquals(c: number, read: number, closes: boolean): number {
  if (ends(c) || (c === 0x3e && !closes)) return ASSIGNED * read
  if (closes) return 0
  return c === 0x22 ? DOUBLE * read : c === 0x27 ? SINGLE * read : BARE * read
}
