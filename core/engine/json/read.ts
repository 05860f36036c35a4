import type { Json } from '../contract/plugin.ts'

/** Containers nested deeper than this are refused: no client needs it, and recursion over the tree stays bounded. */
export const MAX_DEPTH = 128

export class DepthError extends Error {}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/**
 * Index of the quote that closes the string opened at `open`; -1 if there is none. Of a string of more than `most`
 * characters, any quote behind them.
 */
export function closingQuote(text: string, open: number, most = Number.POSITIVE_INFINITY): number {
  let end = text.indexOf('"', open + 1)
  while (text.charCodeAt(end - 1) === BACKSLASH && end - open <= most) {
    let first = end - 1
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) break
    end = nextQuote(text, end + 1)
  }
  return end
}

/** Escaped quotes are often close together. A native search costs as much as reading thirty characters. */
const NEAR = 32

function nextQuote(text: string, from: number): number {
  for (let at = from; at < from + NEAR; at++) if (text.charCodeAt(at) === QUOTE) return at
  return text.indexOf('"', from + NEAR)
}

export function skipSpace(text: string, at: number): number {
  let code = text.charCodeAt(at)
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at)
  return at
}

/** The string that is spelled at `start`..`end`, quotes included. */
export function stringIn(text: string, start: number, end: number): string {
  const spelled = text.slice(start, end)
  return spelled.includes('\\') ? (JSON.parse(spelled) as string) : spelled.slice(1, -1)
}

export interface Names {
  /** Number of members, including repeated ones. */
  count: number
  /** Whether a name contains an escape. */
  escaped: boolean
}

/** Finds the member names of a valid JSON text by their `"name":`, jumping from quote to quote. */
export function namesOf(text: string): Names {
  let count = 0
  let escaped = false
  let slash = text.indexOf('\\')
  let open = text.indexOf('"')
  while (open !== -1) {
    const close = closingQuote(text, open)
    const next = skipSpace(text, close + 1)
    if (text.charCodeAt(next) === COLON) {
      count++
      if (slash !== -1 && slash < open) slash = text.indexOf('\\', open)
      if (slash !== -1 && slash < close) escaped = true
    }
    open = text.charCodeAt(next) === QUOTE ? next : text.indexOf('"', next)
  }
  return { count, escaped }
}

/**
 * `JSON.parse` with correct member names. From V8 12.8 on, a name with an escape may be read as another name that an
 * earlier text had at that place (https://github.com/nodejs/node/issues/63785). One request could thus change how the
 * next is read. Texts with such names are parsed here, all others natively.
 *
 * @throws SyntaxError, DepthError
 */
export function parseJson(text: string): Json {
  const tree = JSON.parse(text) as Json
  return text.includes('\\') && namesOf(text).escaped ? readTree(text) : tree
}

/** Reads valid JSON. Of members with the same name the last one counts. */
export const readTree = (text: string): Json => new Reader(text).value(0)

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): Json {
    const at = skipSpace(this.#text, this.#at)
    this.#at = at
    const first = this.#text[at]
    if (first === '{') return this.#object(depth)
    if (first === '[') return this.#array(depth)
    return first === '"' ? this.#string() : this.#scalar()
  }

  #object(depth: number): Json {
    if (depth >= MAX_DEPTH) throw new DepthError()
    const object: { [name: string]: Json } = {}
    while (this.#next('}')) {
      const name = this.#string()
      this.#at = skipSpace(this.#text, this.#at) + 1
      const value = this.value(depth + 1)
      if (name === '__proto__') define(object, name, value)
      else object[name] = value
    }
    return object
  }

  #array(depth: number): Json {
    if (depth >= MAX_DEPTH) throw new DepthError()
    const array: Json[] = []
    while (this.#next(']')) array.push(this.value(depth + 1))
    return array
  }

  /** Moves past the bracket or comma to the next entry of a container; false at its end. */
  #next(end: string): boolean {
    const at = skipSpace(this.#text, this.#at)
    if (this.#text[at] === end) {
      this.#at = at + 1
      return false
    }
    this.#at = skipSpace(this.#text, at + 1)
    if (this.#text[this.#at] !== end) return true
    this.#at++ // An empty container.
    return false
  }

  #string(): string {
    const start = this.#at
    this.#at = closingQuote(this.#text, start) + 1
    return stringIn(this.#text, start, this.#at)
  }

  #scalar(): Json {
    SCALAR.lastIndex = this.#at
    const [spelled] = SCALAR.exec(this.#text) as RegExpExecArray
    this.#at += spelled.length
    return JSON.parse(spelled) as Json
  }
}

const SCALAR = /[^\s,\]}]+/y

/** As JSON.parse does: an own member, not the prototype. */
const define = (object: object, name: string, value: Json): unknown =>
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
