import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'

const FILE = 'gpt-tokenizer/data/o200k_base.tiktoken'
/** Tokens in the file. */
const TOKENS = 199_998
/** Longest token, bytes. */
const LONGEST = 128
/** Bits of a slot for a token's number plus one; the others are bits of its hash, so that few other tokens are compared. */
const NUMBER = (1 << 18) - 1
/** Number of slots: more than twice the tokens. */
const SLOTS = 1 << 19
const NONE = 0x7fffffff
const SPACE = 0x20
const NEWLINE = 0x0a
/** Value of each base64 digit; padding counts as nothing. */
const DIGITS = new Uint8Array(128)
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value
}

/**
 * The vocabulary o200k_base in 5 MB: the tokens' bytes one after another, and a table that finds them by hash. As strings in
 * a map, as `gpt-tokenizer` keeps it, it takes 55 to 80 MB.
 */
export class Vocabulary {
  readonly #bytes: Uint8Array
  /** End of each token in `#bytes`. */
  readonly #ends: Uint32Array
  readonly #slots = new Int32Array(SLOTS)
  readonly #pieces: RegExp
  /** UTF-8 of the piece that is counted. */
  #piece = new Uint8Array(1024)
  /** Starts of its parts, and the number of the token that each makes together with the next part. */
  #starts = new Int32Array(1025)
  #pairs = new Int32Array(1025)

  private constructor(pieces: RegExp, bytes: Uint8Array, ends: Uint32Array) {
    this.#pieces = pieces
    this.#bytes = bytes
    this.#ends = ends
    for (let number = 0; number < TOKENS; number++) this.#insert(number)
  }

  /** Reads the vocabulary, in turns with other work. */
  static async read(): Promise<Vocabulary> {
    const file = createRequire(import.meta.url).resolve(FILE)
    // Pages that are not written take no memory.
    const bytes = new Uint8Array(((await stat(file)).size >> 2) * 3)
    const ends = new Uint32Array(TOKENS)
    let end = 0
    let tokens = 0
    let bits = 0
    let held = 0
    let inToken = true
    for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) {
      for (const code of chunk) {
        if (code === NEWLINE) {
          ends[tokens++] = end
          inToken = true
        } else if (code === SPACE) {
          inToken = false
          bits = 0
        } else if (inToken && code !== 0x3d) {
          held = (held << 6) | (DIGITS[code] as number)
          bits += 6
          if (bits < 8) continue
          bits -= 8
          bytes[end++] = held >> bits
        }
      }
    }
    if (tokens !== TOKENS) throw new Error(`${FILE} has ${tokens} tokens instead of ${TOKENS}.`)
    const { O200KBase } = await import('gpt-tokenizer/encodingParams/o200k_base')
    return new Vocabulary(new RegExp(O200KBase([]).tokenSplitRegex), bytes, ends)
  }

  /** Number of tokens of a text; what looks like a special token is text. */
  count(text: string): number {
    let tokens = 0
    // The expression leaves out no character.
    this.#pieces.lastIndex = 0
    for (let at = 0; this.#pieces.test(text); at = this.#pieces.lastIndex) {
      tokens += this.#countPiece(this.#write(text, at, this.#pieces.lastIndex))
    }
    return tokens
  }

  /** Writes a part of a text to `#piece`; returns the number of bytes. */
  #write(text: string, from: number, to: number): number {
    if ((to - from) * 3 > this.#piece.length) {
      this.#piece = new Uint8Array((to - from) * 6)
      this.#starts = new Int32Array(this.#piece.length + 1)
      this.#pairs = new Int32Array(this.#piece.length + 1)
    }
    const piece = this.#piece
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      if (code >= 0x80) return at - from + utf8.encodeInto(text.slice(at, to), piece.subarray(at - from)).written
      piece[at - from] = code
    }
    return to - from
  }

  /** Joins the two neighbours that make the lowest token, until none make one. */
  #countPiece(length: number): number {
    if (length === 1 || this.#find(0, length) !== NONE) return 1
    const starts = this.#starts
    const pairs = this.#pairs
    for (let i = 0; i < length; i++) {
      starts[i] = i
      pairs[i] = i + 2 <= length ? this.#find(i, i + 2) : NONE
    }
    starts[length] = length
    let parts = length
    for (;;) {
      let lowest = NONE
      let first = 0
      for (let i = 0; i < parts - 1; i++) {
        if ((pairs[i] as number) >= lowest) continue
        lowest = pairs[i] as number
        first = i
      }
      if (lowest === NONE) return parts
      starts.copyWithin(first + 1, first + 2, parts + 1)
      pairs.copyWithin(first + 1, first + 2, parts)
      parts -= 1
      for (let i = Math.max(0, first - 1); i <= first; i++) {
        pairs[i] = i + 2 <= parts ? this.#find(starts[i] as number, starts[i + 2] as number) : NONE
      }
    }
  }

  /** Number of the token with these bytes of `#piece`. */
  #find(from: number, to: number): number {
    if (to - from > LONGEST) return NONE
    const hash = hashOf(this.#piece, from, to)
    for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const entry = this.#slots[slot] as number
      if (entry === 0) return NONE
      if (((entry ^ hash) & ~NUMBER) === 0 && this.#isToken((entry & NUMBER) - 1, from, to)) return (entry & NUMBER) - 1
    }
  }

  #isToken(number: number, from: number, to: number): boolean {
    const start = this.#startOf(number)
    if ((this.#ends[number] as number) - start !== to - from) return false
    for (let i = from; i < to; i++) if (this.#piece[i] !== this.#bytes[start + i - from]) return false
    return true
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number)
  }

  #insert(number: number): void {
    const hash = hashOf(this.#bytes, this.#startOf(number), this.#ends[number] as number)
    let slot = hash & (SLOTS - 1)
    while (this.#slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1)
    this.#slots[slot] = (hash & ~NUMBER) | (number + 1)
  }
}

const utf8 = new TextEncoder()

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193)
  return hash ^ (hash >>> 15)
}
