/**
 * Parses a large document in steps. The parser of the engine knows no pause, so the text is cut behind commas into
 * pieces, each of which is parsed as a document of its own, with the brackets around it that are open there.
 */
import { randomUUID } from 'node:crypto'
import { GatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import type { Steps } from '../util/steps.ts'
import { closingQuote, skipSpace, stringIn } from './read.ts'
import { type JsonDocument, type JsonObject, parseStrictText, REPEATED, refusePrototype } from './strict.ts'

type Container = Json[] | JsonObject

/** Characters of one piece. */
const PIECE = 64 * 1024
/** Members of one object: engines look at all of them at once. */
const MAX_MEMBERS = 100_000

/** Stands for the name of a member that began in an earlier piece; nobody can guess it. */
const GOES_ON = randomUUID()

const [QUOTE, COMMA] = [0x22, 0x2c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** An array or object that is open where the text is cut. */
interface Open {
  readonly isObject: boolean
  /** Where its name in the object around it is spelled; none in an array. */
  readonly nameStart: number
  readonly nameEnd: number
  /** Known once a piece ended within it. */
  value: Container | undefined
  name: string | undefined
  members: number
}

/**
 * As `parseStrictText`, with the same result.
 *
 * @param maxValues the most values that the document may have, as counted by its commas and opening brackets
 * @param size characters of one piece, at least
 */
export function* parseStrictInSteps(
  text: string,
  maxValues = Number.POSITIVE_INFINITY,
  size = PIECE,
): Steps<JsonDocument & { readonly values: number }> {
  const pieces = new Pieces(text, size)
  let values = 1
  let comma = pieces.next()
  while (comma !== undefined) {
    values += pieces.values
    if (values > maxValues) throw tooMany(maxValues)
    pieces.take(comma)
    yield
    comma = pieces.next()
  }
  values += pieces.values
  if (values > maxValues) throw tooMany(maxValues)
  return { text, tree: pieces.last(), values }
}

const tooMany = (most: number): GatewayError =>
  new GatewayError('GW_TOO_MANY_VALUES', `The body has more than ${most} JSON values, the limit of this gateway.`)

class Pieces {
  readonly #text: string
  readonly #size: number
  /** Where the piece begins that is read now. */
  #start = 0
  #at = 0
  #tree: Json | undefined = undefined
  /** Open where the piece begins. */
  #before: readonly Open[] = []
  /** Open where it is read now. */
  readonly #open: Open[] = []
  /** The string that was read last, which may be a name. */
  #string = { start: 0, end: 0 }
  /** Commas and opening brackets since the piece began. */
  values = 0

  constructor(text: string, size: number) {
    this.#text = text
    this.#size = size
  }

  /** The comma that ends a piece, or undefined when the rest of the text is one. */
  next(): number | undefined {
    const text = this.#text
    this.values = 0
    for (let at = this.#at; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (c === QUOTE) {
        const end = closingQuote(text, at)
        // No end: the parser says where.
        if (end < 0) return undefined
        this.#string = { start: at, end: end + 1 }
        at = end
      } else if (c === COMMA) {
        this.values++
        if (at - this.#start < this.#size || this.#open.length === 0) continue
        this.#at = at + 1
        return at
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        this.values++
        this.#push(c === OPEN_BRACE)
      } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) this.#open.pop()
    }
    return undefined
  }

  #push(isObject: boolean): void {
    const named = this.#open.at(-1)?.isObject === true
    const { start, end } = this.#string
    const [nameStart, nameEnd] = named ? [start, end] : [0, 0]
    this.#open.push({ isObject, nameStart, nameEnd, value: undefined, name: undefined, members: 0 })
  }

  /** Takes in what stands in front of a comma. */
  take(comma: number): void {
    const text = this.#text
    // Where a value is missing, the piece would still be a document.
    if (isOpening(lastBefore(text, comma)) || isClosing(text.charCodeAt(skipSpace(text, comma + 1))))
      throw misplaced(comma)
    const closing = this.#open
      .map(({ isObject }) => (isObject ? '}' : ']'))
      .reverse()
      .join('')
    this.#merge(comma, closing)
    this.#before = [...this.#open]
    let around: Container | undefined
    for (const open of this.#before) {
      if (open.value === undefined) {
        open.name = open.nameEnd === 0 ? undefined : stringIn(text, open.nameStart, open.nameEnd)
        const value =
          around === undefined ? this.#tree : Array.isArray(around) ? around.at(-1) : around[open.name ?? '']
        open.value = value as Container
        open.members = open.isObject ? Object.keys(open.value).length : 0
      }
      around = open.value
    }
    this.#start = comma + 1
  }

  last(): Json {
    this.#merge(this.#text.length, '')
    return this.#tree as Json
  }

  #merge(end: number, closing: string): void {
    const before = this.#before
    const opening = before
      .map(({ isObject }, i) => (!isObject ? '[' : i === before.length - 1 ? '{' : `{"${GOES_ON}":`))
      .join('')
    const piece = opening + this.#text.slice(this.#start, end) + closing
    const { tree } = parseStrictText(piece, this.#start - opening.length)
    if (this.#tree === undefined) this.#tree = tree
    else this.#add(tree as Container, 0)
  }

  /** Adds what a piece has at one level to what is there, the deepest level first. */
  #add(from: Container, level: number): void {
    const open = this.#before[level] as Open
    const isDeepest = level === this.#before.length - 1
    const to = open.value as Container
    if (Array.isArray(from)) {
      if (!isDeepest) this.#add(from[0] as Container, level + 1)
      for (let i = isDeepest ? 0 : 1; i < from.length; i++) (to as Json[]).push(from[i] as Json)
      return
    }
    if (!isDeepest) this.#add(from[GOES_ON] as Container, level + 1)
    for (const name in from) {
      if (name === GOES_ON && !isDeepest) continue
      if (Object.hasOwn(to, name)) throw new GatewayError('GW_INVALID_JSON', REPEATED)
      if (open.name === 'constructor' && name === 'prototype') refusePrototype()
      if (++open.members > MAX_MEMBERS) throw tooManyMembers()
      ;(to as JsonObject)[name] = from[name] as Json
    }
  }
}

const tooManyMembers = (): GatewayError =>
  new GatewayError('GW_TOO_MANY_VALUES', `The body has an object with more than ${MAX_MEMBERS} members.`)

const misplaced = (at: number): GatewayError =>
  new GatewayError('GW_INVALID_JSON', `The body is not valid JSON (at character ${at}).`)

const isOpening = (c: number): boolean => c === OPEN_BRACE || c === OPEN_BRACKET
const isClosing = (c: number): boolean => c === CLOSE_BRACE || c === CLOSE_BRACKET

/** The last character in front of a position that is no space. */
function lastBefore(text: string, position: number): number {
  let at = position - 1
  while (at >= 0 && text.charCodeAt(at) <= 0x20) at--
  return text.charCodeAt(at)
}
