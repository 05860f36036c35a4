import { closingQuote, skipSpace, stringIn } from './read.ts'
import type { Path } from './strict.ts'

/** The numbers below one value as they are spelled; containers without numbers are omitted. */
type Spelled = string | Map<string | number, Spelled>

/**
 * Spellings of numbers that may lose digits when parsed. Reads the text once, on first use: a document of decimals
 * would otherwise be read again for each.
 */
export class Spellings {
  readonly text: string
  #root: Spelled | undefined
  #read = false
  #at = 0

  /** @param text valid JSON of bounded depth */
  constructor(text: string) {
    this.text = text
  }

  /** The spelling of the number at `path`; undefined if there is none. */
  at(path: Path): string | undefined {
    if (!this.#read) {
      this.#read = true
      this.#root = this.#value()
    }
    let value = this.#root
    for (const step of path) {
      if (!(value instanceof Map)) return undefined
      value = value.get(step)
    }
    return typeof value === 'string' ? value : undefined
  }

  #value(): Spelled | undefined {
    const { text } = this
    const at = skipSpace(text, this.#at)
    const first = text.charCodeAt(at)
    if (first === BRACE) return this.#container(at, BRACE_END, true)
    if (first === BRACKET) return this.#container(at, BRACKET_END, false)
    if (first === QUOTE) {
      this.#at = closingQuote(text, at) + 1
      return undefined
    }
    LITERAL.lastIndex = at
    const [spelled] = LITERAL.exec(text) as RegExpExecArray
    this.#at = at + spelled.length
    return isNumber(first) && !EXACT.test(spelled) ? spelled : undefined
  }

  #container(open: number, close: number, isObject: boolean): Spelled | undefined {
    const { text } = this
    let inner: Map<string | number, Spelled> | undefined
    let at = skipSpace(text, open + 1)
    for (let i = 0; text.charCodeAt(at) !== close; i++) {
      let step: string | number = i
      if (isObject) {
        const end = closingQuote(text, at) + 1
        step = stringIn(text, at, end)
        at = skipSpace(text, end) + 1
      }
      this.#at = at
      const value = this.#value()
      if (value !== undefined) {
        inner ??= new Map()
        inner.set(step, value)
      } else inner?.delete(step) // Of members with one name the last one counts.
      at = skipSpace(text, this.#at)
      if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
    }
    this.#at = at + 1
    return inner
  }
}

const LITERAL = /[^\s,\]}]+/y
/** Numbers that the tree keeps exactly. */
const EXACT = /^-?\d{1,15}$/
const isNumber = (first: number): boolean => first === MINUS || (first >= ZERO && first <= NINE)
const [QUOTE, COMMA, MINUS, ZERO, NINE] = [0x22, 0x2c, 0x2d, 0x30, 0x39]
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d]
