/**
 * Texts as arrays of UTF-16 units: a loop over an array is faster than one over a string.
 *
 * @example
 * const units = new TextUnits()
 * const array = units.of(view.text)
 * for (let i = 0; i < view.text.length; i++) if (array[i] === 0x40) report(i)
 */
export class TextUnits {
  #units = new Uint16Array(1024)
  #bytes = Buffer.from(this.#units.buffer)

  /** The units of a text, then a zero. Valid until the next call. */
  of(text: string): Uint16Array {
    if (text.length >= this.#units.length) {
      this.#units = new Uint16Array(2 ** Math.ceil(Math.log2(text.length + 1)))
      this.#bytes = Buffer.from(this.#units.buffer)
    }
    this.#bytes.write(text, 'utf16le')
    this.#units[text.length] = 0
    return this.#units
  }
}
