/**
 * Parses a large document in steps. The engine's parser cannot pause, so the text is cut after commas. Each piece is
 * parsed as a document, with the brackets that are open around it.
 */
import { randomUUID } from 'node:crypto'
import { GatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { freezeInSteps } from '../util/deep-freeze.ts'
import type { Steps } from '../util/steps.ts'
import { MANY, writeBigTexts } from './big-texts.ts'
import { LongStrings } from './long-strings.ts'
import { closingQuote, MAX_DEPTH, skipSpace, stringIn } from './read.ts'
import {
  beyond,
  type JsonDocument,
  type JsonObject,
  misplaced,
  parseStrictText,
  REPEATED,
  refusePrototype,
  tooDeep,
} from './strict.ts'

type Container = Json[] | JsonObject

/** Characters of one piece. */
const PIECE = 64 * 1024
/** Characters without a comma after which others have a turn; no number may be as long. */
const REST = 64 * 1024
/** Most members of one object: engines visit all of them at once. */
const MAX_MEMBERS = 65_536

/** Replaces the name of a member that began in an earlier piece; unguessable. */
const GOES_ON = randomUUID()

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** An array or object that is open at a cut. */
interface Open {
  readonly isObject: boolean
  readonly value: Container
  /** Its name in the enclosing object. */
  readonly name: string | undefined
  members: number
}

/**
 * Like `parseStrictText`, with the same result.
 *
 * @param maxValues the most values that the document may have, as counted by its commas, colons and opening brackets
 * @param size minimum characters per piece
 */
export function* parseStrictInSteps(
  text: string,
  maxValues = Number.POSITIVE_INFINITY,
  size = PIECE,
): Steps<JsonDocument & { readonly values: number }> {
  const pieces = new Pieces(text, size)
  let values = 1
  let comma = yield* pieces.next()
  while (comma !== undefined) {
    values += pieces.values
    if (values > maxValues) throw tooMany(maxValues)
    pieces.take(comma)
    yield
    comma = yield* pieces.next()
  }
  values += pieces.values
  if (values > maxValues) throw tooMany(maxValues)
  return { text, tree: pieces.last(), values }
}

/** Members whose elements stand for themselves, in all APIs. */
const LISTS: ReadonlySet<string> = new Set(['messages', 'input', 'tools', 'functions'])

/** Like `parseStrictInSteps`, for a request: plugins may ask for the tree, which is frozen, and what a model reads of it. */
export function* parseBodyInSteps(text: string, maxValues?: number): Steps<JsonDocument & { readonly values: number }> {
  const document = yield* parseStrictInSteps(text, maxValues)
  yield
  yield* freezeInSteps(document.tree)
  if (document.values >= MANY) yield* writeBigTexts(document.tree, LISTS)
  return document
}

export const tooMany = (most: number): GatewayError =>
  new GatewayError('GW_TOO_MANY_VALUES', `The body has more than ${most} JSON values, the limit of this gateway.`)

class Pieces {
  readonly #text: string
  readonly #size: number
  /** Start of the current piece. */
  #start = 0
  #at = 0
  #tree: Json | undefined = undefined
  /** Containers open at the start of the piece. */
  #before: readonly Open[] = []
  /** How many of them are still open. */
  #still = 0
  /** Containers open at the read position: how many, which are objects, and where their names stand if they have one. */
  #depth = 0
  readonly #objects: boolean[] = []
  readonly #names: number[] = []
  /** The last string read, which may be a name. */
  #stringStart = 0
  #stringEnd = 0
  readonly #long: LongStrings
  /** Commas, colons and opening brackets since the piece began. */
  values = 0

  constructor(text: string, size: number) {
    this.#text = text
    this.#size = size
    this.#long = new LongStrings(text, size)
  }

  /** The comma that ends a piece; undefined if the rest of the text is one piece. */
  *next(): Steps<number | undefined> {
    const text = this.#text
    this.values = 0
    let rest = this.#at + REST
    for (;;) {
      const at = this.#readOn(rest)
      if (at >= text.length) return undefined
      if (at >= rest) {
        if (isNumber(text.slice(at - REST, at))) throw beyond(`The body has a number of more than ${REST} characters.`)
        rest = at + REST
        yield
      } else if (text.charCodeAt(at) === COMMA) {
        this.#at = at + 1
        return at
      } else {
        const end = yield* this.#long.closingQuote(at)
        // Unterminated string: the parser reports the position.
        if (end < 0) return undefined
        this.#stringStart = at
        this.#stringEnd = end + 1
        this.#at = end + 1
      }
    }
  }

  /** Reads on to the comma that ends the piece, to a string that may be long, or to the position or behind it. */
  #readOn(to: number): number {
    const text = this.#text
    const end = Math.min(to, text.length)
    const full = this.#start + this.#size
    let { values } = this
    let depth = this.#depth
    let at = this.#at
    for (; at < end; at++) {
      const c = text.charCodeAt(at)
      if (c === QUOTE) {
        const quote = closingQuote(text, at, this.#size)
        if (quote < 0 || quote - at > this.#size) break
        this.#stringStart = at
        this.#stringEnd = quote + 1
        at = quote
      } else if (c === COMMA) {
        values++
        if (at >= full && depth > 0) break
      } else if (c === COLON) {
        // A name takes as much memory as a value, and more if it comes once.
        values++
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        values++
        if (depth >= MAX_DEPTH) throw tooDeep()
        this.#objects[depth] = c === OPEN_BRACE
        this.#names[2 * depth] = this.#stringStart
        this.#names[2 * depth + 1] = this.#stringEnd
        depth++
      } else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && depth > 0) {
        depth--
        if (depth < this.#still) this.#still = depth
      }
    }
    this.values = values
    this.#depth = depth
    this.#at = at
    return at
  }

  /** Parses the text up to a comma. */
  take(comma: number): void {
    const text = this.#text
    // A missing value must be an error, though the piece alone would be valid.
    if (isOpening(lastBefore(text, comma)) || isClosing(text.charCodeAt(skipSpace(text, comma + 1))))
      throw misplaced(comma)
    const open = this.#objects.slice(0, this.#depth)
    const closing = open
      .map((isObject) => (isObject ? '}' : ']'))
      .reverse()
      .join('')
    this.#merge(comma, closing)
    const before = this.#before.slice(0, this.#still)
    for (const isObject of open.slice(this.#still)) before.push(this.#opened(isObject, before.length, before.at(-1)))
    this.#before = before
    this.#still = before.length
    this.#start = comma + 1
  }

  /** A container that a piece ended inside of: the last one of the container around it. */
  #opened(isObject: boolean, depth: number, around: Open | undefined): Open {
    const [start, end] = this.#names.slice(2 * depth)
    const name = around?.isObject === true ? stringIn(this.#text, start as number, end as number) : undefined
    const outer = around?.value
    const value = outer === undefined ? this.#tree : Array.isArray(outer) ? outer.at(-1) : outer[name as string]
    return {
      isObject,
      value: value as Container,
      name,
      members: isObject ? Object.keys(value as JsonObject).length : 0,
    }
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
    const piece = opening + this.#long.without(this.#start, end) + closing
    const tree = this.#long.within(parseStrictText(piece, this.#start - opening.length).tree)
    if (this.#tree === undefined) this.#tree = tree
    else this.#add(tree as Container, 0)
  }

  /** Adds a piece's entries to the existing containers, starting at the deepest level. */
  #add(from: Container, level: number): void {
    const open = this.#before[level] as Open
    const isDeepest = level === this.#before.length - 1
    const to = open.value
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

const isNumber = (text: string): boolean => /^[-+.\deE]+$/.test(text)
const isOpening = (c: number): boolean => c === OPEN_BRACE || c === OPEN_BRACKET
const isClosing = (c: number): boolean => c === CLOSE_BRACE || c === CLOSE_BRACKET

/** The last non-space character before a position. */
function lastBefore(text: string, position: number): number {
  let at = position - 1
  while (at >= 0 && text.charCodeAt(at) <= 0x20) at--
  return text.charCodeAt(at)
}
