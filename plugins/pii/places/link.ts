import { BACKSLASH, isBlank, NEWLINE, RETURN } from './characters.ts'

/**
 * Destinations of Markdown links, images and reference definitions. Whether a bracket opens a link depends on text that
 * may come much later, so each `](` and each `]:` is taken for one.
 */
export class Link {
  /** Behind `](` or `]:`, in front of the destination, which may stand on the next line. */
  #before = false
  /** In `<…>`, where blanks belong to the destination. */
  #pointed = false
  /** Open parentheses since `](`: a destination with blanks in it is none, but not for everybody. */
  #depth = 0
  #lines = 0

  get danger(): boolean {
    return this.#before || this.#pointed || this.#depth > 0
  }

  /** @returns true when a destination begins with this character */
  take(c: number, left: number): boolean {
    if (c === NEWLINE || c === RETURN) this.#newLine(c, left)
    const begins = this.#before && !isBlank(c) && c !== 0x3e
    if (begins) {
      this.#before = false
      this.#pointed = this.#pointed || c === 0x3c
    } else if (c === 0x3e && left !== BACKSLASH) this.#pointed = false
    if (c === 0x28) {
      if (left === 0x5d) {
        this.#before = true
        this.#lines = 0
        this.#depth++
      } else if (this.#depth > 0 && left !== BACKSLASH) this.#depth++
    } else if (c === 0x29 && this.#depth > 0 && left !== BACKSLASH) {
      this.#depth--
      this.#before = false
    } else if (c === 0x3a && left === 0x5d) {
      this.#before = true
      this.#lines = 0
    }
    return begins
  }

  #newLine(c: number, left: number): void {
    this.#pointed = false
    if (c === NEWLINE && left === RETURN) return
    if (!this.#before) this.#depth = 0
    else if (++this.#lines > 1) {
      this.#before = false
      this.#depth = 0
    }
  }
}
