/** Runs of base64 and hex that encode text: `am9AeC5vcmc=`. The second reading shows the decoded text. */

import { type Escape, hexAt, hexValue } from './escapes.ts'
import { escapeBefore, looseEscapeAt, visibleBefore } from './loose-escapes.ts'

export interface EncodedRun {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Shorter runs cannot hold a value. */
export const MIN = 10
/** How far back to search for the start of a run in continued text; more than is ever released of a held run. */
export const RUN_LEFT = 32
/** Characters to check before decoding a run; most non-text fails within a few. */
export const PROBE = 24

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
const HASH = 0x23
const BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const SEMICOLON = 0x3b
const SMALL_U = 0x75
export const NINE = 0x39
const UNDERSCORE = 0x5f
const SLASH = 0x2f
const LONGEST_NUMBER = 16
const LONGEST_IBAN = 34

export const isIn = (c: number): boolean => c < 128 && KIND[c] !== 0

/** Whether a character may be part of a run or its padding. */
export const isOfRun = (c: number): boolean => isIn(c) || c === EQUALS

/** Start of the run that reaches a position. */
export function runStart(text: string, at: number, floor: number): number {
  let start = at
  while (start > floor && isIn(text.charCodeAt(start - 1))) start--
  return start
}

/** Whether a run may have begun left of the text. */
export function isUnknown(text: string, start: number, previous: number, from: number): boolean {
  const unknown = start === 0 && (from === 0 ? isIn(previous) : from >= RUN_LEFT)
  return unknown || (start < from && isInEscape(text, start))
}

/** Whether the characters at `start` belong to an escape that was already read. */
function isInEscape(text: string, start: number): boolean {
  const c = start === 0 ? 0 : text.charCodeAt(start - 1)
  if (c === EQUALS || c === PERCENT) return looseEscapeAt(text, start - 1, c) !== undefined
  if (c === HASH) return text.charCodeAt(start - 2) === AMPERSAND
  if (c === BRACE) return text.charCodeAt(start - 2) === SMALL_U
  return c === BACKSLASH || c === AMPERSAND
}

function runEnd(text: string, at: number, limit: number): number {
  let end = at
  while (end < limit && isIn(text.charCodeAt(end))) end++
  return end
}

/**
 * The runs in `text[from..until]` that decode to printable text. Checks every tenth character, and closer only inside
 * runs. If the start of a run was read before, the rest represents the whole run as a separate word.
 *
 * @param from start of the new part of a continued text
 * @param borders where parts begin, in order; runs are read across them, and between them
 */
export function encodedRuns(
  text: string,
  previous: number,
  from = 0,
  until = text.length,
  borders?: readonly number[],
): EncodedRun[] | undefined {
  let found: EncodedRun[] | undefined
  let floor = 0
  let border = 0
  const limit = borders?.includes(until) === true ? until : text.length
  const goesOn = from > 0 && isIn(text.charCodeAt(from - 1)) && isIn(text.charCodeAt(from))
  for (let p = goesOn ? from : from + MIN - 1; p < until; ) {
    if (!isIn(text.charCodeAt(p))) {
      p += MIN
      continue
    }
    const end = runEnd(text, p + 1, limit)
    const word = runStart(text, p, Math.max(floor, goesOn && floor === 0 ? 0 : from))
    const start = isLineBehindEscape(text, word, end) ? word + 1 : word
    const isKnown = !isUnknown(text, start, previous, from)
    const first = upTo(borders, border, start + 1)
    border = upTo(borders, first, end)
    const cuts = first < border ? borders?.slice(first, border) : undefined
    if ((isKnown || cuts !== undefined) && end - start >= MIN && !goesOnBehindEscape(text, start, end)) {
      for (const run of cuts === undefined ? runsIn(text, start, end) : runsAt(text, isKnown, [start, ...cuts, end])) {
        if (run.end > until) break
        if (run.end <= from) continue
        found ??= []
        const to = Math.min(run.end, borders?.[border] ?? run.end) // Padding ends with its part, too.
        if (run.start < from) found.push({ start: from, end: to, text: `\n${run.text}` })
        else found.push(to < run.end ? { ...run, end: to } : run)
      }
    }
    floor = end
    p = end + MIN
  }
  return found && joinLines(text, found, until)
}

/** As long are the lines in which programs write base64: PEM and MIME. */
const LINES: ReadonlySet<number> = new Set([64, 76])
const LONGEST_LINE = 76
const RETURN = 0x0d
const NEWLINE = 0x0a

/** A full line of base64 takes along the break behind it, where another one follows: a value may be cut there. */
export function joinLines(text: string, runs: EncodedRun[], until: number): EncodedRun[] {
  const isLine = ({ end }: EncodedRun): boolean => LINES.has(end - lineStart(text, end))
  if (!runs.some(isLine)) return runs
  const joined: EncodedRun[] = []
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i] as EncodedRun
    const next = runs[i + 1]
    const at = text.charCodeAt(run.end) === RETURN ? run.end + 2 : run.end + 1
    const isFull = isLine(run) && isIn(text.charCodeAt(run.end - 1)) && text.charCodeAt(at - 1) === NEWLINE
    const last =
      isFull && at <= until && next?.start !== at
        ? decode(text, at, runEnd(text, at, Math.min(text.length, at + LONGEST_LINE + 1)), true)
        : undefined
    const goesOn = isFull && at <= until && (next?.start === at || last !== undefined)
    joined.push(goesOn ? { ...run, end: at } : run)
    // Of less than `MIN` characters.
    if (last !== undefined && last.end <= Math.min(until, next?.start ?? until)) joined.push(last)
  }
  return joined
}

/** Start of a full line of base64 that the end of a streamed text may go on; the text's length if there is none. */
export function openLine(text: string, from: number): number {
  const n = text.length
  let at = n
  while (at > from && n - at <= LONGEST_LINE && isOfRun(text.charCodeAt(at - 1))) at--
  let end = at
  if (end > from && text.charCodeAt(end - 1) === NEWLINE) end--
  if (end > from && text.charCodeAt(end - 1) === RETURN) end--
  if (end === at || (at < n && text.charCodeAt(at - 1) !== NEWLINE)) return n
  const start = lineStart(text, end)
  return LINES.has(end - start) && decode(text, start, end) !== undefined ? Math.max(start, from) : n
}

/** Start of the line of base64 that ends at a position: behind a letter that belongs to an escape, such as `\t`. */
function lineStart(text: string, end: number): number {
  const start = runStart(text, end, Math.max(0, end - LONGEST_LINE - 2))
  return isEscaped(text, start) ? start + 1 : start
}

const isEscaped = (text: string, at: number): boolean =>
  at > 0 && text.charCodeAt(at - 1) === BACKSLASH && ESCAPED.has(text.charCodeAt(at))
/** `n`, `r` and `t` behind a backslash. */
const ESCAPED: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74])

/** Whether a full line begins behind an escape that ends no other line. */
function isLineBehindEscape(text: string, start: number, end: number): boolean {
  if (!isEscaped(text, start) || !LINES.has(end - start - 1)) return false
  let at = start - 1
  while (at > 0 && text.charCodeAt(at - 1) === BACKSLASH) at--
  return !LINES.has(at - lineStart(text, at))
}

/** The first border from `at` on. */
function upTo(borders: readonly number[] | undefined, first: number, at: number): number {
  let i = first
  while (borders !== undefined && (borders[i] as number) < at) i++
  return i
}

/**
 * Whether the run goes on once an escape beside it is decoded, which the next pass reads: an escape that shows a letter, a digit or
 * nothing, such as `\u{76}` or `&ZeroWidthSpace;`, or the line break that is written out behind a full line of base64, as in JSON
 * within JSON.
 */
function goesOnBehindEscape(text: string, start: number, end: number): boolean {
  const c = text.charCodeAt(end)
  if (c === PERCENT || c === AMPERSAND || c === BACKSLASH) {
    const found = looseEscapeAt(text, end, c)
    if (found?.text === '' ? isIn(text.charCodeAt(found.end)) : showsOfRun(found)) return true
    if ((found?.text === '\n' || found?.text === '\r') && LINES.has(end - lineStart(text, end))) return true
  }
  const last = start === 0 ? 0 : text.charCodeAt(start - 1)
  if (last !== SEMICOLON && last !== CLOSING_BRACE) return false
  if (showsOfRun(escapeBefore(text, start))) return true
  const before = visibleBefore(text, start)
  return before < start && before > 0 && isIn(text.charCodeAt(before - 1))
}

const showsOfRun = (found: Escape | undefined): boolean => found?.text.length === 1 && isIn(found.text.charCodeAt(0))

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

/**
 * The runs of a stretch over several parts. One that is cut over a border, and one that ends there, beside a word of the
 * other part, look alike: of two that overlap, the longer one is read.
 *
 * @param places start, borders and end
 */
function runsAt(text: string, isKnown: boolean, places: readonly number[]): readonly EncodedRun[] {
  const across = isKnown ? runsIn(text, places[0] as number, places.at(-1) as number) : NO_RUNS
  const between: EncodedRun[] = []
  for (let i = isKnown ? 1 : 2; i < places.length; i++) {
    const [start, end] = [places[i - 1] as number, places[i] as number]
    if (end - start >= MIN) between.push(...runsIn(text, start, end))
  }
  if (between.length === 0 || across.length === 0) return between.length === 0 ? across : between
  // The same text: read between the borders, it may be taken apart there.
  if (spelledBy(across) === spelledBy(between)) return between
  const found: EncodedRun[] = []
  for (const run of [...across, ...between].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1)
    if (last === undefined || run.start >= last.end) found.push(run)
    else if (run.end - run.start > last.end - last.start) found[found.length - 1] = run
  }
  return found
}

const spelledBy = (runs: readonly EncodedRun[]): string => runs.map(({ text }) => text).join('')

/** The first slash of a stretch, or its end. `indexOf` would look through the rest of the text for each run. */
function slashIn(text: string, from: number, end: number): number {
  let at = from
  while (at < end && text.charCodeAt(at) !== SLASH) at++
  return at
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

/** Where the padding of a run begins, and the end of each of its signs. */
export function paddingSigns(text: string, start: number, end: number): number[] {
  const places = [runEnd(text, start, end)]
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
export function mayBeBase64(text: string, start: number, end: number, isLine = end - start >= 64): boolean {
  const limit = Math.min(end, start + PROBE)
  let bits = 0
  let count = 0
  let missing = 0
  const first = VALUE[text.charCodeAt(start)]!
  // The first six bits of a byte that begins a printable character, in lines also of a tab or line break.
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
