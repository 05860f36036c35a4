import { isAlnum, isBlank, isLetter, NEWLINE, RETURN } from './characters.ts'
import { Elements } from './elements.ts'
import { ends, QUOTED, stepTag, TAG, VALUE } from './tags.ts'

const FENCE = /^`{3,}[^`]*$/
const ANY_FENCE = /^[\s>*+\-\d.)]*(?:`{3}|~{3})/
/** A line that is still empty after the maximum length. */
const ENDLESS = /^[\s>*+\-\d.)]{256}/
const TAG_LINE = /^[\s>*+\-\d.)]*</
/** Characters that CommonMark allows in a tag, outside values. */
const IN_TAG = /[\w.:\-=/\s"']/
const RAW_BLOCK = /<(?:[!?]|(?:pre|script|style|textarea)(?![\w-]))/i
/** Maximum characters of a line to keep. */
const LINE = 256

/**
 * Follows HTML attributes and elements whose text keeps its tokens. Code and comments may hide a tag, or end up as ordinary text. So each
 * `<` before a letter opens another tag beside the open ones: a set of states, as bits.
 */
export class Markup {
  #open = 0
  /** All text since the last `<` may be a tag and its attribute names. */
  #named = false
  /** In the tag's name. */
  #inName = false
  #bracket = false
  /** A value may cross the end of an HTML block, so its end is unknown. */
  #endUnknown = false
  readonly #elements = new Elements()
  #line = ''
  #lineStart = true
  /** A line since the last blank one begins with `<`, so an HTML block may be open. */
  #html = false
  /** Length of the open fence. Markdown treats everything inside as code. */
  #fence = 0
  /** A raw block may be open, so a fence may be ordinary text. */
  #fencesUnknown = false
  /** In the words after a fence: the language of the code block becomes its class. */
  #info = false

  get danger(): boolean {
    return this.#endUnknown || this.#elements.danger || (this.#open & VALUE) !== 0
  }

  /** In an attribute name, or in the language of a code block. */
  get inAttributeName(): boolean {
    return this.#info || (this.#named && !this.#inName && (this.#open & VALUE) === 0)
  }

  /** Nothing is open in which a quote or bracket has a meaning. */
  get isIdle(): boolean {
    return this.#open === 0 && !this.danger
  }

  /** The last character may open a tag with the next one. */
  get afterBracket(): boolean {
    return this.#bracket
  }

  take(c: number, text: string, at: number): void {
    if (c === NEWLINE || c === RETURN) this.#newLine(c, text, at)
    else if (this.#line.length < LINE) this.#line += text[at]
    if (this.#open !== 0) this.#open = stepTag(this.#open, c, this.#lineStart)
    this.#elements.take(c, this.#bracket, this.#open === 0, this.#fence > 0, this.#lineStart)
    const opens = this.#bracket && (isLetter(c) || c === 0x2f)
    this.#bracket = c === 0x3c
    if (opens) {
      this.#open |= TAG
      this.#named = this.#inName = true
    } else if (this.#named) this.#named = this.#isInTag(c)
    if ((c === 0x60 || c === 0x7e) && this.#fence === 0)
      this.#info ||= ANY_FENCE.test(this.#line) || ENDLESS.test(this.#line)
    if (this.#lineStart && !isBlank(c) && c !== 0x3e) this.#lineStart = false
  }

  #isInTag(c: number): boolean {
    if ((this.#open & VALUE) !== 0) return true
    if ((this.#open & TAG) === 0) return false
    // In an HTML block, every non-blank character is part of a name.
    const isRaw = this.#html || (this.#fence === 0 && TAG_LINE.test(this.#line))
    if (!this.#inName) return isRaw || IN_TAG.test(String.fromCharCode(c))
    this.#inName = !ends(c) && c !== 0x2f
    return isRaw || !this.#inName || isAlnum(c) || c === 0x2d
  }

  #newLine(c: number, text: string, at: number): void {
    if (c === NEWLINE && at > 0 && text.charCodeAt(at - 1) === RETURN) return
    const line = this.#line
    this.#line = ''
    this.#lineStart = true
    this.#info = false
    if (this.#fence > 0) {
      if (/^ {0,3}`{3,}[ \t]*$/.test(line) && line.trim().length >= this.#fence) this.#fence = 0
      return
    }
    const isFence = FENCE.test(line) && !this.#html && !this.#fencesUnknown && line.length < LINE
    if (isFence) {
      this.#fence = /^`+/.exec(line)![0].length
      return
    }
    if (ANY_FENCE.test(line) || RAW_BLOCK.test(line) || line.length >= LINE) this.#fencesUnknown = true
    // The value continues on the next line. In a Markdown block, the quote that would end it is escaped.
    if ((this.#open & QUOTED) !== 0) this.#endUnknown = true
    if (/^[ \t]*$/.test(line)) {
      this.#html = false
      this.#named &&= this.#fencesUnknown
    } else if (TAG_LINE.test(line)) this.#html = true
  }
}
