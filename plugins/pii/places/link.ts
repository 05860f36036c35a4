import { BACKSLASH, isBlank, NEWLINE, RETURN, SPACE, TAB } from './characters.ts'

/**
 * Follows destinations and titles of Markdown links, images and reference definitions, and alternative texts of
 * images, which become attributes. Whether a bracket opens a link may depend on much later text, so every `](`, `]:`
 * and `![` counts as one.
 */
export class Link {
  /** After `](` or `]:`, before the destination, which may be on the next line. */
  #before = false
  /** In `<…>`, where blanks belong to the destination. */
  #pointed = false
  /** Open parentheses since `](`. By CommonMark a destination has no blanks, but some renderers allow them. */
  #depth = 0
  /** In a destination or after it: a title may follow, also on the next line. */
  #titled = false
  /** The character that ends the open title; 0 if none is open. */
  #closer = 0
  /** The last non-blank character was the closer. */
  #closed = false
  /** The possible title contains another link, so only a blank line surely ends both. */
  #endUnknown = false
  readonly #alt = new Alt()
  /** Only block-quote marks (`>`) so far on this line. */
  #first = true
  #blankLine = true

  get danger(): boolean {
    return this.#before || this.#pointed || this.#depth > 0 || this.#closer !== 0 || this.#alt.danger
  }

  /** @returns true if a destination begins with this character */
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

  /** A word after a destination begins a title, or rules one out. */
  #word(c: number, isFirst: boolean): void {
    if (c === 0x22 || c === 0x27 || c === 0x28) {
      this.#closer = c === 0x28 ? 0x29 : c
      this.#closed = false
      this.#endUnknown = false
    } else if (c !== 0x29 && !this.#before && (isFirst || this.#depth === 0)) {
      this.#titled = false
      this.#depth = 0
    }
  }

  /** A quote ends a title only before the end of its link, or at the end of a definition's line. */
  #title(c: number, left: number): void {
    if (left === 0x5d && (c === 0x28 || c === 0x3a)) this.#endUnknown = true
    if (this.#closed && c === 0x29 && this.#depth > 0 && !this.#endUnknown) {
      this.#depth--
      this.#closer = 0
      this.#titled = this.#depth > 0
    } else this.#closed = c === this.#closer && left !== BACKSLASH
  }

  #newLine(): void {
    const ends = this.#closed && this.#closer !== 0 && this.#depth === 0 && !this.#endUnknown
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

/** The alternative text of an image. Code or tags may hide its closing bracket; then only a blank line ends it. */
class Alt {
  /** Open brackets since `![`. */
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
