import { endOfValue } from './elements.ts'
import { skipSpace } from './read.ts'

/** Where the elements of an array of a body stand. */
export interface ArrayPlace<K> {
  /** The first byte of the first element. */
  readonly start: number
  /** Start and end of each element, bytes from `start`. */
  readonly ranges: readonly number[]
  /** What its first elements are known by. */
  readonly known: K | undefined
}

/** What is known of the first elements of an array. */
interface KnownElements {
  readonly ranges: readonly number[]
}

const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Bytes to read as text at first, for a value and for new elements; `MORE` times as many while they do not suffice. */
const OF_VALUE = 512
const OF_ELEMENTS = 4096
const MORE = 8

/**
 * Where the elements of the arrays of a body stand, and what is known of them; undefined if that cannot be derived. The body is not
 * yet known to be valid. If it is valid with known elements replaced by 0, the brackets before them were read as a parser reads
 * them. Known elements are passed over: most of a long conversation never becomes a string.
 *
 * @param members the arrays of objects to look for
 * @param find what is known of the elements that begin at a byte
 */
export function arrayPlaces<K extends KnownElements>(
  body: Buffer,
  members: ReadonlySet<string>,
  find: (member: string, start: number) => K | undefined,
): ReadonlyMap<string, ArrayPlace<K>> | undefined {
  const found = new Map<string, ArrayPlace<K>>()
  const stretch = new Stretch(body)
  let at = skipBlanks(body, 0)
  if (body[at] !== OPEN_BRACE) return undefined
  at = skipBlanks(body, at + 1)
  while (body[at] === QUOTE) {
    const open = at
    const close = endOfName(body, open)
    const colon = skipBlanks(body, close + 1)
    if (body[colon] !== COLON) return undefined
    at = skipBlanks(body, colon + 1)
    const name = body[at] === OPEN_BRACKET ? body.toString('latin1', open + 1, close) : ''
    if (members.has(name)) {
      if (found.has(name)) return undefined
      const start = skipBlanks(body, at + 1)
      const known = body[start] === OPEN_BRACE ? find(name, start) : undefined
      const ranges = known === undefined ? [] : [...known.ranges]
      at = endOfElements(stretch, start, ranges)
      if (ranges.length > 0) found.set(name, { start, ranges, known })
    } else at = endOfAny(stretch, at)
    if (at < 0) return undefined
    at = skipBlanks(body, at)
    if (body[at] !== COMMA) break
    at = skipBlanks(body, at + 1)
  }
  return body[at] === CLOSE_BRACE ? found : undefined
}

/** A part of a body as text, with a character for each byte. */
class Stretch {
  readonly body: Buffer
  text = ''
  /** The byte at which `text` begins. */
  from = 0

  constructor(body: Buffer) {
    this.body = body
  }

  /** Reads so many bytes, if they are not read yet. Returns the place of the first in `text`. */
  read(at: number, bytes: number): number {
    const end = Math.min(this.body.length, at + bytes)
    if (at < this.from || end > this.from + this.text.length) {
      this.text = this.body.toString('latin1', at, end)
      this.from = at
    }
    return at - this.from
  }

  /** Whether the text has a byte, so that what begins there may be in it. */
  has(at: number): boolean {
    return at >= this.from && at < this.from + this.text.length
  }

  get isToEnd(): boolean {
    return this.from + this.text.length === this.body.length
  }
}

/** End of any value; -1 if it has none. */
function endOfAny(stretch: Stretch, at: number): number {
  for (let bytes = stretch.has(at) ? 0 : OF_VALUE; ; bytes = Math.max(OF_VALUE, bytes * MORE)) {
    const from = stretch.read(at, bytes)
    const end = endOfValue(stretch.text, from)
    // What ends with the text may go on.
    if (stretch.isToEnd || (end >= 0 && end < stretch.text.length)) return end < 0 ? -1 : stretch.from + end
  }
}

/** Adds the ranges of all elements after the known ones. Returns where the array ends, or -1 if it has more than objects. */
function endOfElements(stretch: Stretch, start: number, ranges: number[]): number {
  const known = ranges.length
  const from = start + (ranges.at(-1) ?? 0)
  for (let bytes = known > 0 ? OF_ELEMENTS : stretch.body.length; ; bytes *= MORE) {
    const at = stretch.read(from, bytes)
    const end = endOfThese(stretch.text, at, stretch.from - start, ranges)
    if (end >= 0) return stretch.from + end
    if (stretch.isToEnd) return -1
    ranges.length = known
  }
}

/** @param shift from a place in the text to one in the array. Returns -1 also if the text ends before the array. */
function endOfThese(text: string, from: number, shift: number, ranges: number[]): number {
  let at = skipSpace(text, from)
  if (ranges.length > 0) {
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
    else if (text.charCodeAt(at) !== CLOSE_BRACKET) return -1
  }
  while (text.charCodeAt(at) === OPEN_BRACE) {
    const end = endOfValue(text, at)
    if (end < 0) return -1
    ranges.push(at + shift, end + shift)
    at = skipSpace(text, end)
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
    else if (text.charCodeAt(at) !== CLOSE_BRACKET) return -1
  }
  return text.charCodeAt(at) === CLOSE_BRACKET ? at + 1 : -1
}

/** The closing quote of a name, or the end of the body. */
function endOfName(body: Buffer, open: number): number {
  let at = open + 1
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}

function skipBlanks(body: Buffer, from: number): number {
  let at = from
  let byte = body[at]
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = body[++at]
  return at
}
