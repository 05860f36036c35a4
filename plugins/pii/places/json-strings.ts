import { BACKSLASH, isAlnum, isBlank } from './characters.ts'

const QUOTE = 0x22
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const COMMA = 0x2c
const COLON = 0x3a
/** What is after a backslash, and what both mean. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
)
const HEX = /[0-9a-fA-F]/
/** Documents within strings of each other; lists and objects in one document. */
const MAX_DOCUMENTS = 8
const MAX_NESTING = 512

const Expects = { Document: 0, Value: 1, ValueOrEnd: 2, Key: 3, KeyOrEnd: 4, Colon: 5, CommaOrEnd: 6, Word: 7 } as const
type Expects = (typeof Expects)[keyof typeof Expects]

/** Reads the characters of a string. */
export interface StringReader {
  read(text: string): void
}

/**
 * Tells how many JSON strings are around the end of a text. A document begins with any bracket, wherever in the text,
 * and ends where it is no JSON. A string may hold documents, too.
 */
export class JsonStrings<Reader extends StringReader = StringReader> {
  #expects: Expects = Expects.Document
  /** The lists and objects around: whether each is an object. */
  readonly #open: boolean[] = []
  #inString = false
  #isKey = false
  #escaped = false
  /** Of `\uXXXX`. */
  #digits: string | undefined = undefined
  /** Documents in the string. */
  #within: JsonStrings<Reader> | undefined = undefined
  readonly #readerOf: (() => Reader) | undefined
  #reader: Reader | undefined
  /** What the string says and its reader has not read. */
  #said = ''
  readonly #level: number
  /** Nothing but blanks so far: a quote begins a document that is one string. */
  #isBlank = true

  /** @param readerOf of each string that begins */
  constructor(readerOf?: () => Reader, level = 1) {
    this.#readerOf = readerOf
    this.#level = level
  }

  /** The number of strings; undefined if it cannot be known. */
  get depth(): number | undefined {
    if (!this.#inString) return 0
    if (this.#escaped || this.#digits !== undefined || this.#level > MAX_DOCUMENTS) return undefined
    if (this.#within === undefined) return 1
    const { depth } = this.#within
    return depth === undefined ? undefined : depth + 1
  }

  read(text: string): void {
    for (let at = 0; at < text.length; at++) this.#take(text.charCodeAt(at))
    this.#tell()
  }

  /** The readers of the strings around the end of the text, the outermost first. */
  get texts(): readonly Reader[] {
    if (this.#reader === undefined) return []
    return [this.#reader, ...(this.#within?.texts ?? [])]
  }

  #tell(): void {
    if (this.#reader === undefined) return
    this.#reader.read(this.#said)
    this.#said = ''
    if (this.#within !== undefined) this.#within.#tell()
  }

  #take(c: number): void {
    if (this.#inString) this.#inText(c)
    else if (this.#expects === Expects.Document) this.#begin(c)
    else if (!isBlank(c)) {
      if (!this.#goesOn(c)) this.#fail(c)
    } else if (this.#expects === Expects.Word) this.#expects = Expects.CommaOrEnd
  }

  #begin(c: number): void {
    if (c === OPEN_LIST || c === OPEN_OBJECT) this.#enter(c)
    else if (c === QUOTE && this.#isBlank) this.#beginString(false)
    this.#isBlank &&= isBlank(c)
  }

  #fail(c: number): void {
    this.#inString = this.#escaped = false
    this.#digits = this.#within = this.#reader = undefined
    this.#open.length = 0
    this.#expects = Expects.Document
    this.#begin(c)
  }

  #enter(c: number): boolean {
    if (this.#open.length === MAX_NESTING) return false
    this.#open.push(c === OPEN_OBJECT)
    this.#expects = c === OPEN_OBJECT ? Expects.KeyOrEnd : Expects.ValueOrEnd
    return true
  }

  #goesOn(c: number): boolean {
    const isObject = this.#open.at(-1) === true
    const isEnd = c === (isObject ? 0x7d : 0x5d)
    switch (this.#expects) {
      case Expects.Value:
      case Expects.ValueOrEnd:
        if (c === OPEN_LIST || c === OPEN_OBJECT) return this.#enter(c)
        if (c === QUOTE) return this.#beginString(false)
        if (isEnd && this.#expects === Expects.ValueOrEnd) return this.#leave()
        if (!isAlnum(c) && c !== 0x2d) return false
        this.#expects = Expects.Word
        return true
      case Expects.Key:
      case Expects.KeyOrEnd:
        if (isEnd && this.#expects === Expects.KeyOrEnd) return this.#leave()
        return c === QUOTE && this.#beginString(true)
      case Expects.Colon:
        this.#expects = Expects.Value
        return c === COLON
      case Expects.Word:
        if (isAlnum(c) || c === 0x2d || c === 0x2b || c === 0x2e) return true
        break
    }
    if (isEnd) return this.#leave()
    this.#expects = isObject ? Expects.Key : Expects.Value
    return c === COMMA
  }

  #leave(): boolean {
    this.#open.pop()
    this.#expects = this.#open.length === 0 ? Expects.Document : Expects.CommaOrEnd
    return true
  }

  #beginString(isKey: boolean): boolean {
    this.#inString = true
    this.#isKey = isKey
    this.#within = undefined
    this.#reader = this.#readerOf?.()
    this.#said = ''
    return true
  }

  #inText(c: number): void {
    if (this.#digits !== undefined) this.#digit(c)
    else if (this.#escaped) {
      this.#escaped = false
      const meant = ESCAPES.get(c)
      if (meant !== undefined) this.#means(meant)
      else if (c === 0x75) this.#digits = ''
      else this.#fail(c)
    } else if (c === BACKSLASH) this.#escaped = true
    else if (c === QUOTE) this.#endString()
    else if (c < 0x20) this.#fail(c)
    else this.#means(c)
  }

  #endString(): void {
    this.#inString = false
    this.#within = this.#reader = undefined
    if (this.#isKey) this.#expects = Expects.Colon
    else this.#expects = this.#open.length === 0 ? Expects.Document : Expects.CommaOrEnd
  }

  #digit(c: number): void {
    const digits = this.#digits + String.fromCharCode(c)
    if (!HEX.test(String.fromCharCode(c))) this.#fail(c)
    else if (digits.length < 4) this.#digits = digits
    else {
      this.#digits = undefined
      this.#means(Number.parseInt(digits, 16))
    }
  }

  /** A character of the string. */
  #means(c: number): void {
    if (this.#level > MAX_DOCUMENTS) return
    if (this.#reader !== undefined) this.#said += String.fromCharCode(c)
    this.#within ??= new JsonStrings(this.#readerOf, this.#level + 1)
    this.#within.#take(c)
  }
}

/** A value with one of these is spelled otherwise in a JSON string. */
export const needsEscape = (value: string): boolean => /["\\\p{Cc}\p{Cs}]/u.test(value)

/** The value as it stands in so many JSON strings, each within the other. One that has escapes already keeps them. */
export function escapedFor(depth: number, value: string): string {
  let text = value
  for (let times = 0; times < depth && !isInside(depth, text); times++) text = JSON.stringify(text).slice(1, -1)
  return text
}

function isInside(depth: number, text: string): boolean {
  try {
    let meant = text
    for (let i = 0; i < depth; i++) meant = JSON.parse(`"${meant}"`) as string
    return true
  } catch {
    return false
  }
}
