/** What a run of base64 or hex encodes. */

import { hexAt, hexValue } from './escapes.ts'
import { looseEscapeAt } from './loose-escapes.ts'

export interface EncodedRun {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Padding of a run that the next pass decodes; no code of its own. */
  readonly waits?: true
}

/** Shorter runs cannot hold a value. */
export const MIN = 10
/** As long are the lines in which programs write base64: PEM and MIME. */
export const LINE_LENGTHS: ReadonlySet<number> = new Set([64, 76])
export const PROBE = 24
/** A word of as many letters does not decode to text by chance, even if it may begin with a tab or line break. */
const NO_WORD = 20

const BASE64 = 1
const HEX = 2
const KIND = new Uint8Array(128)
export const VALUE = new Uint8Array(128)
for (const [i, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  KIND[char.charCodeAt(0)] = /[0-9A-Fa-f]/.test(char) ? BASE64 | HEX : BASE64
  VALUE[char.charCodeAt(0)] = i
}
for (const [char, i] of [
  ['-', 62],
  ['_', 63],
] as const) {
  KIND[char.charCodeAt(0)] = BASE64
  VALUE[char.charCodeAt(0)] = i
}
export const EQUALS = 0x3d
/** Padding in quoted-printable. */
const QUOTED_EQUALS = '=3D'
const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
export const NINE = 0x39
const UNDERSCORE = 0x5f
const LONGEST_NUMBER = 16
const LONGEST_IBAN = 34
const NEWLINE = 0x0a
const SLASH = 0x2f

export const isIn = (c: number): boolean => c < 128 && KIND[c] !== 0

/** Whether a character may be part of a run or its padding. */
export const isOfRun = (c: number): boolean => isIn(c) || c === EQUALS

/** Start of the run that reaches a position. */
export function runStart(text: string, at: number, floor: number): number {
  let start = at
  while (start > floor && isIn(text.charCodeAt(start - 1))) start--
  return start
}

export function runEnd(text: string, at: number, limit: number): number {
  let end = at
  while (end < limit && isIn(text.charCodeAt(end))) end++
  return end
}

/** Hex may begin with `0x`. */
export const afterPrefix = (text: string, start: number): number =>
  text.charCodeAt(start + 1) === 0x78 && text.charCodeAt(start) === 0x30 ? start + 2 : start

/** @param isLine it continues the base64 of the line before it */
export function decode(text: string, start: number, end: number, isLine?: boolean): EncodedRun | undefined {
  const hex = afterPrefix(text, start)
  if (mayBeHex(text, hex, end) && (end - hex) % 2 === 0 && end - hex >= MIN) {
    const out = printable(Buffer.from(text.slice(hex, end), 'hex'))
    if (out !== undefined && isHex(text, hex, end)) return { start, end, text: out }
  }
  if ((end - start) % 4 === 1 || !mayBeBase64(text, start, end, isLine) || !hasLetter(text, start, end))
    return undefined
  const out = printable(Buffer.from(text.slice(start, end), 'base64'))
  if (out === undefined) return undefined
  return { start, end: paddingEnd(text, end), text: out }
}

/** A sign of padding that stayed would read as a soft line break, and join the text to the next line. */
export function paddingEnd(text: string, end: number): number {
  const first = signEnd(text, end)
  return first === end ? end : signEnd(text, first)
}

/** Padding that ends at `end`, of a run that waits for the next pass: it stays padding meanwhile. */
export function waitingPadding(text: string, runEndsAt: number, end: number): EncodedRun | undefined {
  const padding = text.slice(runEndsAt, end)
  return padding === '=' || padding === '==' ? { start: runEndsAt, end, text: padding, waits: true } : undefined
}

/** A run may be as long as its text, and only the regular expression looks at millions of characters in one step. */
const NOT_OF_RUN = /[^A-Za-z0-9+/_-]/

/** Where the padding of a run begins, and the end of each of its signs. */
export function paddingSigns(text: string, start: number, end: number): number[] {
  const length = text.slice(start, end).search(NOT_OF_RUN)
  const places = [length < 0 ? end : start + length]
  for (let at = places[0] as number; at < end && text.charCodeAt(at) > NEWLINE; places.push(at))
    at = Math.max(at + 1, Math.min(signEnd(text, at), end))
  return places
}

/**
 * The end of the `=` at a place, plain or as an escape such as `&equals;`; the place itself if none is there. The `=` of
 * `=2E` is none: padding is followed by no letter or digit.
 */
function signEnd(text: string, at: number): number {
  const c = text.charCodeAt(at)
  if (c === EQUALS) {
    if (text.startsWith(QUOTED_EQUALS, at)) return at + 3
    return hexAt(text, at + 1, 2) >= 0 && looseEscapeAt(text, at, c) !== undefined ? at : at + 1
  }
  if (c !== PERCENT && c !== AMPERSAND && c !== BACKSLASH) return at
  const found = looseEscapeAt(text, at, c)
  return found?.text === '=' ? found.end : at
}

export const UNPRINTABLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/

function printable(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return UNPRINTABLE.test(text) ? undefined : text
}

/** A byte that text may hold: printable ASCII, a line break, or a part of a longer character. */
const isText = (byte: number): boolean =>
  byte >= 0x80
    ? byte !== 0xc0 && byte !== 0xc1 && byte < 0xf5
    : byte >= 0x20
      ? byte !== 0x7f
      : byte === 9 || byte === 10 || byte === 13

/** Bytes of UTF-8 that are still missing after `byte`, given `missing` before it; -1 if `byte` is invalid there. */
function missingAfter(byte: number, missing: number): number {
  if (!isText(byte) || missing > 0 !== (byte >= 0x80 && byte < 0xc0)) return -1
  if (missing > 0) return missing - 1
  return byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0
}

/** Checks the first bytes without allocating: a word fails within a few letters. */
export function mayBeBase64(text: string, start: number, end: number, isLine = end - start >= NO_WORD): boolean {
  const limit = Math.min(end, start + PROBE)
  let bits = 0
  let count = 0
  let missing = 0
  const first = VALUE[text.charCodeAt(start)]!
  // The first six bits of a byte that begins a printable character, in lines and long runs also of a tab or line break.
  if ((first < 8 && !(isLine && (first === 2 || first === 3))) || (first > 31 && first < 48) || first > 61) return false
  for (let i = start; i < limit; i++) {
    bits = ((bits << 6) | VALUE[text.charCodeAt(i)]!) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    missing = missingAfter((bits >> count) & 0xff, missing)
    if (missing < 0) return false
  }
  return true
}

export function mayBeHex(text: string, start: number, end: number): boolean {
  const limit = Math.min(end, start + PROBE)
  for (let i = start; i < limit; i++) if (!((KIND[text.charCodeAt(i)]! & HEX) > 0)) return false
  let missing = 0
  for (let i = start; i + 1 < limit; i += 2) {
    missing = missingAfter((hexValue(text.charCodeAt(i)) << 4) | hexValue(text.charCodeAt(i + 1)), missing)
    if (missing < 0) return false
  }
  return true
}

/** Numbers and IBANs are not hex, unless the run is longer than any value of that kind. */
export function isHex(text: string, start: number, end: number): boolean {
  let letters = end - start > LONGEST_NUMBER
  let inside = end - start > LONGEST_IBAN
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i)
    if ((KIND[c]! & HEX) === 0) return false
    letters ||= c > NINE
    inside ||= c > NINE ? i > start + 1 : i < start + 2
  }
  return letters && inside
}

/** `179-44-4147` is a number even if it decodes to text. */
export function hasLetter(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > NINE && text.charCodeAt(i) !== UNDERSCORE) return true
  return false
}

const NO_RUNS: readonly EncodedRun[] = []

/** The whole run, or the parts of it between slashes. Most are words, and take nothing. */
export function runsIn(text: string, start: number, end: number): readonly EncodedRun[] {
  const whole = decode(text, start, end)
  if (whole !== undefined) return [whole]
  let parts: EncodedRun[] | undefined
  // A part of a path or address.
  for (let from = start; from < end; ) {
    const to = slashIn(text, from, end)
    if (to - from >= MIN && to - from < end - start) {
      const part = decode(text, from, to)
      if (part !== undefined) {
        parts ??= []
        parts.push(part)
      }
    }
    from = to + 1
  }
  return parts ?? NO_RUNS
}

/** The first slash of a stretch, or its end. `indexOf` would look through the rest of the text for each run. */
function slashIn(text: string, from: number, end: number): number {
  let at = from
  while (at < end && text.charCodeAt(at) !== SLASH) at++
  return at
}
