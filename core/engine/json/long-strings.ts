import { randomUUID } from 'node:crypto'
import type { Json } from '../contract/plugin.ts'
import type { Steps } from '../util/steps.ts'
import { skipSpace } from './read.ts'
import { misplaced } from './strict.ts'

/** Stands for a string in what is parsed; unguessable. */
const MARK = randomUUID()
const [QUOTE, COLON, BACKSLASH, SMALL_U] = [0x22, 0x3a, 0x5c, 0x75]

interface LongString {
  readonly start: number
  /** After its closing quote. */
  readonly end: number
  readonly value: string
}

/**
 * Reads the long strings of a document. The engine's parser takes three milliseconds for a megabyte of letters and ten
 * for escapes, and cannot pause. So such a string is read piece by piece, and a mark is parsed in its place.
 */
export class LongStrings {
  readonly #text: string
  readonly #size: number
  /** The next backslash, from some position on. */
  #slash = -1
  /** Those that were read and are not in the tree yet. */
  #read: LongString[] = []

  /** @param size characters to read in one step; shorter strings are left to the parser */
  constructor(text: string, size: number) {
    this.#text = text
    this.#size = size
  }

  /** Index of the quote that closes the string opened at `open`; -1 if there is none. */
  *closingQuote(open: number): Steps<number> {
    const text = this.#text
    const quote = text.indexOf('"', open + 1)
    const isNext = text.charCodeAt(quote - 1) !== BACKSLASH
    if (quote < 0 || (isNext && quote - open <= this.#size)) return quote
    const isPlain = isNext && !this.#hasSlash(open, quote)
    const parts: string[] = []
    for (let from = open + 1; from < text.length; ) {
      const at = isPlain ? Math.min(quote, from + this.#size) : this.#endOfPart(from)
      const isLast = at - from < this.#size
      if (isLast && text.charCodeAt(at) !== QUOTE) return -1
      if (isLast && parts.length === 0) return at
      parts.push(this.#decode(from, at))
      if (isLast) {
        // What has no escapes is a stretch of the text, of which nothing is copied.
        this.#add(open, at + 1, isPlain ? text.slice(open + 1, at) : parts.join(''))
        return at
      }
      from = at
      yield
    }
    return -1
  }

  /** The closing quote, the end of the text, or the first character that is `#size` characters on and in no escape. */
  #endOfPart(from: number): number {
    const text = this.#text
    const end = Math.min(text.length, from + this.#size)
    let at = from
    while (at < end) {
      const c = text.charCodeAt(at)
      if (c === QUOTE) return at
      at += c !== BACKSLASH ? 1 : text.charCodeAt(at + 1) === SMALL_U ? 6 : 2
    }
    return at
  }

  #hasSlash(from: number, to: number): boolean {
    if (this.#slash < from) {
      const next = this.#text.indexOf('\\', from)
      this.#slash = next < 0 ? this.#text.length : next
    }
    return this.#slash < to
  }

  #decode(from: number, to: number): string {
    try {
      return JSON.parse(`"${this.#text.slice(from, to)}"`) as string
    } catch {
      throw misplaced(from)
    }
  }

  #add(start: number, end: number, value: string): void {
    // A name is left to the parser.
    if (this.#text.charCodeAt(skipSpace(this.#text, end)) === COLON) return
    this.#read.push({ start, end, value })
  }

  /** A stretch of the text, with marks in place of the strings that were read. */
  without(from: number, to: number): string {
    let out = ''
    let at = from
    for (const [i, { start, end }] of this.#read.entries()) {
      out += `${this.#text.slice(at, start)}"${MARK}${i}"`
      at = end
    }
    return out + this.#text.slice(at, to)
  }

  /** Puts the strings in place of their marks. */
  within(tree: Json): Json {
    if (this.#read.length === 0) return tree
    const filled = this.#fill(tree)
    this.#read = []
    return filled
  }

  #fill(value: Json): Json {
    if (typeof value === 'string') {
      return value.startsWith(MARK) ? (this.#read[Number(value.slice(MARK.length))] as LongString).value : value
    }
    if (Array.isArray(value)) for (const [i, one] of value.entries()) value[i] = this.#fill(one)
    else if (typeof value === 'object' && value !== null)
      for (const name in value) value[name] = this.#fill(value[name] as Json)
    return value
  }
}
