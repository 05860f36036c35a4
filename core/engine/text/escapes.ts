/** Characters spelled by their number or name: `%40`, `&#64;`, `&commat;`, `\u0040`, `\U00000040`, `\x40`. */
import {
  DECORATION,
  FOLD,
  folds,
  isDecorationPair,
  isDigit,
  isInvisiblePair,
  kindTable,
  STRIP,
  SURROGATE,
} from './char-kinds.ts'
import { composed } from './composed.ts'
import { mayPart } from './decorations.ts'
import { type Entity, endsInOtherName, entityNamedAt, LONGEST_NAME } from './entities.ts'

const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
export const ESCAPE_LEADS = [
  { char: '%', code: PERCENT },
  { char: '&', code: AMPERSAND },
  { char: '\\', code: BACKSLASH },
] as const
const MAX_BACKSLASHES = 8
/** No escape without backslashes before it is longer. */
export const LONGEST_ESCAPE = LONGEST_NAME + 2

/** Whether an escape may begin with a unit. */
export const isLead = (c: number): boolean => c === PERCENT || c === AMPERSAND || c === BACKSLASH

export interface Escape {
  readonly end: number
  readonly text: string
  /** Shows nothing, but may part words. */
  readonly parts?: boolean
}

/** The escape that begins at `i`, where `%`, `&` or `\` stands, if it can be nothing else. */
export function escapeAt(raw: string, i: number, c: number): Escape | undefined {
  if (c === PERCENT) return percentAt(raw, i)
  return c === AMPERSAND ? entityAt(raw, i) : backslashAt(raw, i)
}

export const hexValue = (c: number): number => {
  if (isDigit(c)) return c - 48
  const lower = c | 0x20
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

export function hexAt(raw: string, from: number, count: number): number {
  if (from + count > raw.length) return -1
  let value = 0
  for (let i = from; i < from + count; i++) {
    const digit = hexValue(raw.charCodeAt(i))
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

const isPrintable = (code: number): boolean => code >= 0x20 && code < 0x7f

/** `%40`, also before a digit, where it may be a number: `LIKE '%4012888888881881%'`. */
export function loosePercentAt(raw: string, i: number): Escape | undefined {
  const code = hexAt(raw, i + 1, 2)
  return isPrintable(code) ? { end: i + 3, text: String.fromCharCode(code) } : undefined
}

const percentAt = (raw: string, i: number): Escape | undefined =>
  isDigit(raw.charCodeAt(i + 1)) && isDigit(raw.charCodeAt(i + 2)) && isDigit(raw.charCodeAt(i + 3))
    ? undefined
    : loosePercentAt(raw, i)

function backslashAt(raw: string, i: number): Escape | undefined {
  let at = i + 1
  // JSON inside JSON doubles the backslash, once for each level.
  while (at < raw.length && at - i < MAX_BACKSLASHES && raw.charCodeAt(at) === BACKSLASH) at++
  const kind = raw.charCodeAt(at)
  if (kind === PERCENT) return percentAt(raw, at)
  if (kind === AMPERSAND) return entityAt(raw, at)
  const width = kind === 0x75 ? 4 : kind === 0x78 ? 2 : kind === 0x55 ? 8 : 0
  if (width === 0) return undefined
  const code = hexAt(raw, at + 1, width)
  const end = at + 1 + width
  return code >= 0xd800 && code < 0xdc00 ? pairAt(raw, code, end) : decoded(code, end)
}

/** JSON writes a character outside the BMP as a surrogate pair. */
function pairAt(raw: string, high: number, at: number): Escape | undefined {
  let next = at
  while (next - at < 8 && raw.charCodeAt(next) === BACKSLASH) next++
  if (next === at || raw.charCodeAt(next) !== 0x75) return undefined
  const low = hexAt(raw, next + 1, 4)
  if (low < 0xdc00 || low >= 0xe000) return undefined
  return decoded(((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000, next + 5)
}

function entityAt(raw: string, i: number): Escape | undefined {
  if (raw.charCodeAt(i + 1) === 0x23) return numericEntityAt(raw, i)
  const found = entityNamedAt(raw, i)
  return found === undefined || AMBIGUOUS.test(found.chars) ? undefined : decodedEntity(found)
}

/** ASCII signs whose entities are common in code and markup; only the second reading decodes those. */
const AMBIGUOUS = /[^\w@.+:/#()\x80-\uffff-]/

/** What the characters of named entities become; pages of HTML are full of the same few. */
const ENTITIES = new Map<string, { readonly text: string; readonly parts: boolean }>()

export function decodedEntity({ end, chars }: Entity): Escape {
  let found = ENTITIES.get(chars)
  if (found === undefined) {
    const all = Array.from(chars, (char) => decoded(char.codePointAt(0)!, end) ?? { end, text: char })
    found = { text: all.map(({ text }) => text).join(''), parts: all.every(({ parts }) => parts === true) }
    ENTITIES.set(chars, found)
  }
  return { end, text: found.text, parts: found.parts }
}

function numericEntityAt(raw: string, i: number): Escape | undefined {
  const hex = (raw.charCodeAt(i + 2) | 0x20) === 0x78
  const from = i + (hex ? 3 : 2)
  let at = from
  let code = 0
  for (; at < raw.length && at - from < 9; at++) {
    const digit = hexValue(raw.charCodeAt(at))
    if (digit < 0 || (!hex && digit > 9)) break
    code = code * (hex ? 16 : 10) + digit
  }
  if (at === from) return undefined
  return decoded(code, raw.charCodeAt(at) === 0x3b ? at + 1 : at)
}

const OPEN_REFERENCE = /&#(?:[xX][0-9A-Fa-f]+|[0-9]+)$/

/** Whether `raw[from..end]` ends in `&#64`: what shows nothing ends it as `;` does, so that the next digit is no part of it. */
export const endsInReference = (raw: string, from: number, end: number): boolean =>
  hexValue(raw.charCodeAt(end - 1)) >= 0 && OPEN_REFERENCE.test(raw.slice(Math.max(from, end - LONGEST_ESCAPE), end))

export function decoded(code: number, end: number): Escape | undefined {
  if (code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (code >= 0x7f && code < 0xa0))
    return undefined
  if (code < 0x7f) return { end, text: String.fromCharCode(code) }
  const char = String.fromCodePoint(code)
  if (isInvisiblePair(char, 0)) return { end, text: '' }
  if (isOverlay(code)) return { end, text: '' }
  const kind = code < 0x10000 ? kindTable()[code] : SURROGATE
  if (kind === STRIP) return { end, text: '', parts: mayPart(char) }
  if (kind === DECORATION || isDecorationPair(char, 0)) return { end, text: char }
  if (kind === FOLD) return { end, text: folds.get(code)! }
  return { end, text: composed(char) }
}

/** Strokes and keycaps, which decorate the preceding character. */
const isOverlay = (code: number): boolean => (code >= 0x334 && code <= 0x338) || (code >= 0x20d0 && code <= 0x20f0)

const OPEN_ESCAPE =
  /(?:\\{0,8}(?:%(?:\d\d|[0-9A-Fa-f])?|&(?:#(?:[xX][0-9A-Fa-f]{0,9}|\d{0,9})|[A-Za-z][A-Za-z0-9]{0,30})?)|\\{1,8}(?:u[0-9A-Fa-f]{0,3}|u[dD][89abAB][0-9A-Fa-f]{2}(?:\\{1,8}(?:u[0-9A-Fa-f]{0,3})?)?|U[0-9A-Fa-f]{0,7}|x[0-9A-Fa-f]?|[nrt])?|(?:\x1b[[(]|\x9b)[?>=!]?[\d;:]{0,22}[ !"$'*]?)$/

/** Longer than any unfinished escape. */
const OPEN_MAX = MAX_BACKSLASHES + LONGEST_ESCAPE

/** Where an unfinished escape at the end of `raw` begins; `raw.length` if there is none. */
export function openEscape(raw: string): number {
  const n = raw.length
  const from = Math.max(0, n - OPEN_MAX)
  const tail = raw.slice(from)
  if (!/[%&\\\x1b\x9b]/.test(tail) || endsInOtherName(tail)) return n
  const match = OPEN_ESCAPE.exec(tail)
  return match === null ? n : from + match.index
}

/** Start of the escape that contains a position, or the position itself. */
export function escapeStart(raw: string, at: number): number {
  for (let i = Math.max(0, at - OPEN_MAX); i < at; i++) {
    const c = raw.charCodeAt(i)
    if (isLead(c) && (escapeAt(raw, i, c)?.end ?? 0) > at) return i
  }
  return at
}
