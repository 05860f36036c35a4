/**
 * Where a text has words, digits and what else may begin a value: one bit for each character. One pass without branches
 * sets the bits; then the scanner jumps from place to place.
 */
import { APART_RANGES, JOINED_RANGES } from './symbols.ts'

/** One bit in each byte of a number; eight characters fill the bytes. */
const OTHER = 1
const DIGIT = 1 << 8
const BEGINNING = 1 << 16

const KIND = new Int32Array(0x10000).fill(OTHER)
for (const [from, to] of JOINED_RANGES) KIND.fill(BEGINNING, from, to + 1)
for (const [from, to] of APART_RANGES) KIND.fill(OTHER | BEGINNING, from, to + 1)
for (let c = 48; c <= 57; c++) KIND[c] = BEGINNING | DIGIT
for (const sign of '+(') KIND[sign.charCodeAt(0)] = OTHER | BEGINNING

export class Marks {
  #others = new Int32Array(128)
  #digits = new Int32Array(128)
  #beginnings = new Int32Array(128)
  /** The same, byte by byte. */
  #otherBytes = new Uint8Array(this.#others.buffer)
  #digitBytes = new Uint8Array(this.#digits.buffer)
  #beginningBytes = new Uint8Array(this.#beginnings.buffer)
  #length = 0

  /** Reads the units of a text from `from` on; earlier ones have no marks. */
  read(units: Uint16Array, from: number, length: number): void {
    const blocks = (length >> 5) + 1
    if (blocks > this.#others.length) this.#grow(2 * blocks)
    this.#length = length
    const others = this.#otherBytes
    const digits = this.#digitBytes
    const beginnings = this.#beginningBytes
    const first = from >> 5
    const last = length >> 3
    let at = first << 5
    for (let byte = first << 2; byte < last; byte++, at += 8) {
      const marks =
        KIND[units[at]!]! |
        (KIND[units[at + 1]!]! << 1) |
        (KIND[units[at + 2]!]! << 2) |
        (KIND[units[at + 3]!]! << 3) |
        (KIND[units[at + 4]!]! << 4) |
        (KIND[units[at + 5]!]! << 5) |
        (KIND[units[at + 6]!]! << 6) |
        (KIND[units[at + 7]!]! << 7)
      others[byte] = marks
      digits[byte] = marks >> 8
      beginnings[byte] = marks >> 16
    }
    let rest = 0
    for (let k = 0; at + k < length; k++) rest |= KIND[units[at + k]!]! << k
    // After the text are no words.
    others[last] = rest | (0xff << (length & 7))
    digits[last] = rest >> 8
    beginnings[last] = rest >> 16
    const end = blocks << 2
    others.fill(0xff, last + 1, end)
    digits.fill(0, last + 1, end)
    beginnings.fill(0, last + 1, end)
  }

  #grow(blocks: number): void {
    this.#others = new Int32Array(blocks)
    this.#digits = new Int32Array(blocks)
    this.#beginnings = new Int32Array(blocks)
    this.#otherBytes = new Uint8Array(this.#others.buffer)
    this.#digitBytes = new Uint8Array(this.#digits.buffer)
    this.#beginningBytes = new Uint8Array(this.#beginnings.buffer)
  }

  /** End of the word at `from`; `from` itself if that is a letter of `APART_RANGES`. */
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
