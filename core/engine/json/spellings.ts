import { allSteps, Pace, type Steps } from '../util/steps.ts'
import { closingQuote, skipSpace, stringIn } from './read.ts'
import type { Path } from './strict.ts'

/** The numbers below one value as they are spelled; containers without numbers are omitted. */
type Spelled = string | Map<string, Spelled> | List

/** Those of an array, from its first on. A map of half a million entries grows for longer than others should wait. */
class List {
  readonly #first: number
  readonly #spelled: (Spelled | undefined)[] = []

  constructor(first: number) {
    this.#first = first
  }

  get(index: number): Spelled | undefined {
    return this.#spelled[index - this.#first]
  }

  push(spelled: Spelled | undefined): void {
    this.#spelled.push(spelled)
  }
}

/**
 * Spellings of numbers that may lose digits when parsed. Reads the text once, on first use: a document of decimals
 * would otherwise be read again for each.
 */
export class Spellings {
  readonly #of: { readonly text: string }
  #text: string | undefined = undefined
  #root: Spelled | undefined
  #read = false
  #at = 0

  /** @param of valid JSON of bounded depth, or what has it */
  constructor(of: string | { readonly text: string }) {
    this.#of = typeof of === 'string' ? { text: of } : of
  }

  get text(): string {
    this.#text ??= this.#of.text
    return this.#text
  }

  /** The spelling of the number at `path`; undefined if there is none. */
  at(path: Path): string | undefined {
    if (!this.#read) allSteps(this.readInSteps(new Pace(Number.POSITIVE_INFINITY)))
    let value = this.#root
    for (const step of path) {
      if (value === undefined || typeof value === 'string') return undefined
      value = value.get(step as never)
    }
    return typeof value === 'string' ? value : undefined
  }

  /** Reads a long text before its numbers are asked for. */
  *readInSteps(pace: Pace): Steps<void> {
    if (this.#read) return
    this.#at = 0
    this.#root = yield* this.#value(pace)
    this.#read = true
  }

  *#value(pace: Pace): Steps<Spelled | undefined> {
    const at = skipSpace(this.text, this.#at)
    const first = this.text.charCodeAt(at)
    if (first === BRACE || first === BRACKET) return yield* this.#container(at, first, pace)
    return this.#scalar(at, first)
  }

  #scalar(at: number, first: number): string | undefined {
    const { text } = this
    if (first === QUOTE) {
      this.#at = closingQuote(text, at) + 1
      return undefined
    }
    LITERAL.lastIndex = at
    const [spelled] = LITERAL.exec(text) as RegExpExecArray
    this.#at = at + spelled.length
    return isNumber(first) && !EXACT.test(spelled) ? spelled : undefined
  }

  *#container(open: number, bracket: number, pace: Pace): Steps<Spelled | undefined> {
    const { text } = this
    const isObject = bracket === BRACE
    const close = isObject ? BRACE_END : BRACKET_END
    let members: Map<string, Spelled> | undefined
    let list: List | undefined
    let at = skipSpace(text, open + 1)
    for (let i = 0; text.charCodeAt(at) !== close; i++) {
      let name = ''
      if (isObject) {
        const end = closingQuote(text, at) + 1
        name = stringIn(text, at, end)
        at = skipSpace(text, skipSpace(text, end) + 1)
      }
      pace.add(1)
      if (pace.isOver) yield
      const first = text.charCodeAt(at)
      const isWhole = first === BRACE || first === BRACKET
      const value: Spelled | undefined = isWhole ? yield* this.#container(at, first, pace) : this.#scalar(at, first)
      if (!isObject) {
        if (value !== undefined) list ??= new List(i)
        list?.push(value)
      } else if (value !== undefined) {
        members ??= new Map()
        members.set(name, value)
      } else members?.delete(name) // Of members with one name the last one counts.
      at = skipSpace(text, this.#at)
      if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
    }
    this.#at = at + 1
    return members ?? list
  }
}

const LITERAL = /[^\s,\]}]+/y
/** Numbers that the tree keeps exactly. */
const EXACT = /^-?\d{1,15}$/
const isNumber = (first: number): boolean => first === MINUS || (first >= ZERO && first <= NINE)
const [QUOTE, COMMA, MINUS, ZERO, NINE] = [0x22, 0x2c, 0x2d, 0x30, 0x39]
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d]
