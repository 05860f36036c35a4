import { FORM_FEED, isAlnum, isBlank, isLetter, NEWLINE, RETURN, SPACE, TAB } from './characters.ts'

/** In a tag, outside values. */
const TAG = 1
/** After an equals sign, before a value. */
const ASSIGNED = 2
const BARE = 4
const DOUBLE = 8
const SINGLE = 16
const QUOTED = DOUBLE | SINGLE
const VALUE = ASSIGNED | BARE | QUOTED

const FENCE = /^`{3,}[^`]*$/
const ANY_FENCE = /^[\s>*+\-\d.)]*(?:`{3}|~{3})/
/** A line that is still empty after the maximum length. */
const ENDLESS = /^[\s>*+\-\d.)]{256}/
const TAG_LINE = /^[\s>*+\-\d.)]*</
/** Characters that CommonMark allows in a tag, outside values. */
const IN_TAG = /[\w.:\-=/\s"']/
const RAW_BLOCK = /<(?:[!?]|(?:pre|script|style|textarea)(?![\w-]))/i
const RAW_TEXT = /<(?:style|script)$/i
const RAW_TEXT_END = /<\/(style|script)$/i
/** Maximum characters of a line to keep. */
const LINE = 256

/**
 * Follows HTML attributes, style sheets and scripts. Code and comments may hide a tag, or end up as ordinary text. So each
 * `<` before a letter opens another tag beside the open ones: a set of states, as bits.
 */
export class Markup {
  #open = 0
  /** All text since the last `<` may be a tag and its attribute names. */
  #named = false
  /** In the tag's name. */
  #inName = false
  #bracket = false
  /** A value, style sheet or script may cross the end of an HTML block, so its end is unknown. */
  #endUnknown = false
  /** Open style sheets and scripts: a script may contain another one in a comment. */
  readonly #raw = { style: 0, script: 0 }
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
    return this.#endUnknown || this.#raw.style > 0 || this.#raw.script > 0 || (this.#open & VALUE) !== 0
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
    if (this.#open !== 0) this.#step(c)
    const opens = this.#bracket && (isLetter(c) || c === 0x2f)
    this.#bracket = c === 0x3c
    if (opens) {
      this.#open |= TAG
      this.#named = this.#inName = true
    } else if (this.#named) this.#named = this.#isInTag(c)
    if ((c === 0x60 || c === 0x7e) && this.#fence === 0)
      this.#info ||= ANY_FENCE.test(this.#line) || ENDLESS.test(this.#line)
    if ((c | 32) === 0x65 || (c | 32) === 0x74) this.#opensRaw(text, at)
    else if (ends(c) || c === 0x3e || c === 0x2f) this.#closesRaw(text, at)
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

  #step(c: number): void {
    let next = 0
    const open = this.#open
    // At the start of a line, `>` may mark a block quote and is not part of the tag.
    const closes = c === 0x3e && !this.#lineStart
    if ((open & TAG) !== 0 && !closes) next |= c === 0x3d ? TAG | ASSIGNED : TAG
    if ((open & ASSIGNED) !== 0) next |= afterEquals(c, closes)
    if ((open & BARE) !== 0 && !closes) next |= ends(c) ? TAG : BARE
    if ((open & DOUBLE) !== 0) next |= c === 0x22 ? TAG : DOUBLE
    if ((open & SINGLE) !== 0) next |= c === 0x27 ? TAG : SINGLE
    this.#open = next
  }

  #opensRaw(text: string, at: number): void {
    const begun = RAW_TEXT.exec(text.slice(Math.max(0, at - 6), at + 1))?.[0].toLowerCase()
    if (begun === undefined) return
    this.#raw[begun === '<style' ? 'style' : 'script']++
    // Outside code, Markdown may hide the end.
    this.#endUnknown ||= this.#fence === 0
  }

  #closesRaw(text: string, at: number): void {
    const raw = this.#raw
    if ((raw.style === 0 && raw.script === 0) || (this.#open & QUOTED) !== 0) return
    const name = RAW_TEXT_END.exec(text.slice(Math.max(0, at - 8), at))?.[1]?.toLowerCase()
    if (name === 'style' || name === 'script') raw[name] = Math.max(0, raw[name] - 1)
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

const ends = (c: number): boolean => c === SPACE || c === TAB || c === NEWLINE || c === RETURN || c === FORM_FEED

function afterEquals(c: number, closes: boolean): number {
  if (ends(c) || (c === 0x3e && !closes)) return ASSIGNED
  if (closes) return 0
  return c === 0x22 ? DOUBLE : c === 0x27 ? SINGLE : BARE
}
