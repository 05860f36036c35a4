/** Cuts a text into words for the model, in one pass, and hashes what is beside each: no strings are made. */
import { BREAK, type Cut, Cutter, LETTER } from './cutter.ts'

/** Rows of weights of one model, as a power of two. */
export const BITS = 17
const MASK = 2 ** BITS - 1
/** Features of each word: itself, after its signs, with the words before it, and its consonants, alone and with those before. */
export const FEATURES = 7
/** Blocks of a window. */
export const WINDOW = 3

/** Signs between two words, the strongest of which counts. */
const QUOTE = 1
const BRACKET = 2
const COLON = 3
const END = 4

/** By UTF-16 unit: a sign, or a letter without case and accent. All digits are one. */
export function fold(): Uint16Array {
  const table = new Uint16Array(0x10000)
  for (const [chars, sign] of SIGNS) for (const char of chars) table[char.charCodeAt(0)] = sign
  // One text of all characters is matched in a small part of the time that each takes by itself.
  const all = Buffer.from(Uint16Array.from(table.keys()).buffer).toString('utf16le')
  for (const { 0: run, index } of all.matchAll(/[\p{L}\p{M}]+/gu))
    for (let i = 0; i < run.length; i++) table[index + i] = index + i
  for (const { 0: run, index } of all.matchAll(/\p{N}+/gu)) table.fill(LETTER, index, index + run.length)
  // Halves of pairs are letters.
  for (let code = 0xd800; code < 0xe000; code++) table[code] = code
  for (const [first, end] of CASED) {
    for (let code = first; code < end; code++) {
      if ((table[code] as number) <= LETTER) continue
      table[code] = all.charAt(code).normalize('NFD').toLowerCase().charCodeAt(0)
    }
  }
  return table
}

/** Scripts with case or accents. */
const CASED = [
  [0, 0x600],
  [0x1e00, 0x2000],
] as const

const SIGNS = [
  ['"“”„«»「」', QUOTE],
  ['[](){}<>|#*=_/\\`~@$%^&+-', BRACKET],
  [':：', COLON],
  ['.!?。！？；;', END],
  ['\n\r\u2028\u2029', BREAK],
] as const

/** Below: ASCII, and whether a letter is kept when vowels are left out, which people misspell. */
const ASCII = 128
export const KEPT = Uint8Array.from({ length: ASCII }, (_, code) =>
  /[aeiouyh0]/.test(String.fromCharCode(code)) ? 0 : 1,
)

const row = (hash: number): number => (hash ^ (hash >>> 16)) & MASK

/** The words of one text. Valid until the next text is read. */
export class Tokens {
  #cutter: Cutter | undefined
  #cut: Cut | undefined

  get count(): number {
    return this.#cut?.count ?? 0
  }

  /** Offset of each word. */
  get starts(): Int32Array {
    return (this.#cut as Cut).starts
  }

  read(text: string): this {
    this.#cutter ??= new Cutter(fold(), KEPT)
    this.#cut = this.#cutter.of(text)
    return this
  }

  /** The sum of the weights of some words. */
  sum(weights: Int8Array | Float32Array, from: number, to: number): number {
    const { words, bones: skeletons, signs } = this.#cut as Cut
    let sum = 0
    let second = words[from] as number
    let before = words[from + 1] as number
    let bare = skeletons[from + 1] as number
    for (let at = from; at < to; at++) {
      const word = words[at + 2] as number
      const bones = skeletons[at + 2] as number
      sum += weights[row(word)] as number
      sum += weights[row(behind(word, signs[at] as number))] as number
      sum += weights[row(pair(word, before))] as number
      sum += weights[row(triple(word, before, second))] as number
      sum += weights[row(apart(word, second))] as number
      sum += weights[row(bones)] as number
      sum += weights[row(pair(bones, bare) + 1)] as number
      second = before
      before = word
      bare = bones
    }
    return sum
  }

  /** The rows that `sum` adds up, by word. */
  rows(): Int32Array {
    const { count, words, bones: skeletons, signs } = this.#cut as Cut
    const out = new Int32Array(count * FEATURES)
    for (let at = 0, to = 0; at < count; at++) {
      const [second, before, word] = words.subarray(at, at + 3) as unknown as [number, number, number]
      const [bare, bones] = skeletons.subarray(at + 1, at + 3) as unknown as [number, number]
      const hashes = [
        word,
        behind(word, signs[at] as number),
        pair(word, before),
        triple(word, before, second),
        apart(word, second),
        bones,
        pair(bones, bare) + 1,
      ]
      for (const hash of hashes) out[to++] = row(hash)
    }
    return out
  }
}

const behind = (word: number, sign: number): number => Math.imul(word ^ (sign + 11), 0xc2b2ae35)
const pair = (word: number, before: number): number => Math.imul(word ^ Math.imul(before, 0x9e3779b1), 0x27d4eb2f)
const triple = (word: number, before: number, second: number): number =>
  Math.imul(pair(word, before) ^ Math.imul(second, 0x85ebca77), 0x165667b1)
const apart = (word: number, second: number): number => Math.imul(word ^ Math.imul(second, 0xc2b2ae3d), 0x2545f491)
