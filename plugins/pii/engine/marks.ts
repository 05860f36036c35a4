/**
 * Where a text has words, digits and what else may begin a value: one bit for each character. One pass without branches
 * sets the bits; then the scanner jumps from place to place.
 */
import { IS_WORD } from './symbols.ts'

const WORD = 1
const DIGIT = 2
const BEGINNING = 4

const KIND: Uint8Array = IS_WORD.map((word) => (word === 1 ? WORD | BEGINNING : 0))
for (let c = 48; c <= 57; c++) KIND[c] = WORD | BEGINNING | DIGIT
for (const sign of '+(') KIND[sign.charCodeAt(0)] = BEGINNING

export class Marks {
  #others = new Int32Array(128)
  #digits = new Int32Array(128)
  #beginnings = new Int32Array(128)
  #length = 0

  /** Reads the units of a text from `from` on; earlier ones have no marks. */
  read(units: Uint16Array, from: number, length: number): void {
    const blocks = (length >> 5) + 1
    if (blocks > this.#others.length) {
      this.#others = new Int32Array(2 * blocks)
      this.#digits = new Int32Array(2 * blocks)
      this.#beginnings = new Int32Array(2 * blocks)
    }
    this.#length = length
    for (let block = from >> 5; block < blocks; block++) {
      const base = block << 5
      const end = Math.min(32, length - base)
      let words = 0
      let digits = 0
      let beginnings = 0
      for (let k = 0; k < end; k++) {
        const kind = KIND[units[base + k]!]!
        words |= (kind & WORD) << k
        digits |= ((kind & DIGIT) >> 1) << k
        beginnings |= (kind >> 2) << k
      }
      this.#others[block] = ~words
      this.#digits[block] = digits
      this.#beginnings[block] = beginnings
    }
  }

  /** End of the word at `from`. */
  wordEnd(from: number): number {
    return next(this.#others, from, this.#length)
  }

  /** The next digit; the length of the text if there is none. */
  digit(from: number): number {
    return next(this.#digits, from, this.#length)
  }

  /** The next character of a word, plus sign or parenthesis; the length of the text if there is none. */
  beginning(from: number): number {
    return next(this.#beginnings, from, this.#length)
  }
}

function next(bits: Int32Array, from: number, length: number): number {
  const last = length >> 5
  let block = from >> 5
  if (block > last) return length
  let rest = bits[block]! & (-1 << (from & 31))
  while (rest === 0) {
    if (++block > last) return length
    rest = bits[block]!
  }
  return Math.min(length, (block << 5) + 31 - Math.clz32(rest & -rest))
}
