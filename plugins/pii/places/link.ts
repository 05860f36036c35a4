import { BACKSLASH, isBlank, NEWLINE, RETURN, SPACE, TAB } from './characters.ts'

/**
 * Destinations and titles of Markdown links, images and reference definitions, and the texts of images, which become
 * attributes. Whether a bracket opens a link depends on text that may come much later, so each `](`, `]:` and `![` is
 * taken for one.
 */
export class Link {
  /** Behind `](` or `]:`, in front of the destination, which may stand on the next line. */
  #before = false
  /** In `<…>`, where blanks belong to the destination. */
  #pointed = false
  /** Open parentheses since `](`: a destination with blanks in it is none, but not for everybody. */
  #depth = 0
  /** In a destination, or behind it and blanks: what comes next may be a title, also on the next line. */
  #titled = false
  /** What ends the title that is open; 0 when none is. */
  #closer = 0
  /** The last character but blanks was that. */
  #closed = false
  /** What looks like a title holds another link: only a blank line ends both for sure. */
  #unsure = false
  readonly #alt = new Alt()
  /** Nothing but marks of quotations yet on this line. */
  #first = true
  #blankLine = true

  get danger(): boolean {
    return this.#before || this.#pointed || this.#depth > 0 || this.#closer !== 0 || this.#alt.danger
  }

  /** @returns true when a destination begins with this character */
  take(c: number, left: number): boolean {
    this.#alt.take(c, left)
    if (c === NEWLINE || c === RETURN) {
      if (c === RETURN || left !== RETURN) this.#newLine()
      return false
    }
    if (c === SPACE || c === TAB) return false
    this.#blankLine = false
    const isFirst = this.#first
    if (isFirst && c === 0x3e) return false
    this.#first = false
    if (this.#closer !== 0) {
      this.#title(c, left)
      return false
    }
    if (this.#titled && !this.#pointed && (isFirst || isBlank(left))) this.#word(c, isFirst)
    return this.#closer === 0 && this.#destination(c, left)
  }

  #destination(c: number, left: number): boolean {
    const begins = this.#before && c !== 0x3e
    if (begins) {
      this.#before = false
      this.#titled = true
      this.#pointed = this.#pointed || c === 0x3c
    } else if (c === 0x3e && left !== BACKSLASH) this.#pointed = false
    if (c === 0x28) {
      if (left === 0x5d) {
        this.#before = true
        this.#depth++
      } else if (this.#depth > 0 && left !== BACKSLASH) this.#depth++
    } else if (c === 0x29 && this.#depth > 0 && left !== BACKSLASH) {
      this.#depth--
      this.#before = false
      this.#titled = this.#depth > 0
    } else if (c === 0x3a && left === 0x5d) this.#before = true
    return begins
  }

  /** A word behind a destination: a title, or what makes it none. */
  #word(c: number, isFirst: boolean): void {
    if (c === 0x22 || c === 0x27 || c === 0x28) {
      this.#closer = c === 0x28 ? 0x29 : c
      this.#closed = false
      this.#unsure = false
    } else if (c !== 0x29 && !this.#before && (isFirst || this.#depth === 0)) {
      this.#titled = false
      this.#depth = 0
    }
  }

  /** A quote ends a title only in front of the end of its link, or of the line of a definition. */
  #title(c: number, left: number): void {
    if (left === 0x5d && (c === 0x28 || c === 0x3a)) this.#unsure = true
    if (this.#closed && c === 0x29 && this.#depth > 0 && !this.#unsure) {
      this.#depth--
      this.#closer = 0
      this.#titled = this.#depth > 0
    } else this.#closed = c === this.#closer && left !== BACKSLASH
  }

  #newLine(): void {
    const ends = this.#closed && this.#closer !== 0 && this.#depth === 0 && !this.#unsure
    this.#pointed = false
    if (this.#blankLine || ends) {
      this.#depth = 0
      this.#closer = 0
      this.#titled = false
      this.#before &&= !this.#blankLine
    }
    this.#blankLine = true
    this.#first = true
  }
}

/** The text of an image. Code and tags may hide the bracket that would end it: then only a blank line does. */
class Alt {
  /** Brackets that are open since `![`. */
  #depth = 0
  #hidden = false
  #blankLine = false

  get danger(): boolean {
    return this.#depth > 0
  }

  take(c: number, left: number): void {
    if (c === 0x5b) {
      if (this.#depth > 0 || left === 0x21) this.#depth++
    } else if (this.#depth === 0) return
    if (c === 0x5d && left !== BACKSLASH && !this.#hidden) this.#depth--
    else if (c === 0x60 || c === 0x3c) this.#hidden = true
    else if (c === NEWLINE || c === RETURN) {
      if (this.#blankLine && !(c === NEWLINE && left === RETURN)) this.#depth = 0
      this.#blankLine = true
      if (this.#depth === 0) this.#hidden = false
      return
    }
    if (c !== SPACE && c !== TAB) this.#blankLine = false
    if (this.#depth === 0) this.#hidden = false
  }
}
