/** Runs of base64 and hex that hold text: `am9AeC5vcmc=`. The second reading shows what they hold. */

import { hexValue } from './escapes.ts'

export interface EncodedRun {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Shorter runs hold no value. */
const MIN = 10
/** Of a stream, longer runs than this are not waited for. */
export const LONGEST_OPEN_RUN = 1024
/** In a stream, a shorter word leaves at once: most of them are words. A run is known by what comes with one read. */
const MIN_OPEN = 8
/** Characters that are looked at before a run is taken for text; what is none fails within a few. */
const PROBE = 24

const BASE64 = 1
const HEX = 2
const KIND = new Uint8Array(128)
const VALUE = new Uint8Array(128)
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
const EQUALS = 0x3d
const NINE = 0x39
const SLASH = 0x2f
const LONGEST_NUMBER = 16

const isIn = (c: number): boolean => c < 128 && KIND[c] !== 0

/** The runs in a text that decode to printable text. Looks at one character in ten, and closer only where runs are. */
export function encodedRuns(text: string, previous: number, from = 0, until = text.length): EncodedRun[] | undefined {
  let found: EncodedRun[] | undefined
  let floor = from
  for (let p = from + MIN - 1; p < until; ) {
    if (!isIn(text.charCodeAt(p))) {
      p += MIN
      continue
    }
    let start = p
    while (start > floor && isIn(text.charCodeAt(start - 1))) start--
    let end = p + 1
    while (end < text.length && isIn(text.charCodeAt(end))) end++
    // The rest of a run that has left is no run.
    if (end - start >= MIN && !(start === from && isIn(previous))) {
      for (const run of runsIn(text, start, end)) {
        if (run.end > until) break
        found ??= []
        found.push(run)
      }
    }
    floor = end
    p = end + MIN
  }
  return found
}

function* runsIn(text: string, start: number, end: number): Generator<EncodedRun> {
  const whole = decode(text, start, end)
  if (whole !== undefined) return yield whole
  // A part of a path or address.
  for (let from = start; from < end; ) {
    const to = slashIn(text, from, end)
    if (to - from >= MIN && to - from < end - start) {
      const part = decode(text, from, to)
      if (part !== undefined) yield part
    }
    from = to + 1
  }
}

/** The first slash of a stretch, or its end. `indexOf` would look through the rest of the text for each run. */
function slashIn(text: string, from: number, end: number): number {
  let at = from
  while (at < end && text.charCodeAt(at) !== SLASH) at++
  return at
}

/** Hex may begin with `0x`. */
const afterPrefix = (text: string, start: number): number =>
  text.charCodeAt(start + 1) === 0x78 && text.charCodeAt(start) === 0x30 ? start + 2 : start

function decode(text: string, start: number, end: number): EncodedRun | undefined {
  const hex = afterPrefix(text, start)
  if (mayBeHex(text, hex, end) && (end - hex) % 2 === 0 && end - hex >= MIN) {
    const out = printable(Buffer.from(text.slice(hex, end), 'hex'))
    if (out !== undefined && isHex(text, hex, end)) return { start, end, text: out }
  }
  if ((end - start) % 4 === 1 || !mayBeBase64(text, start, end)) return undefined
  const out = printable(Buffer.from(text.slice(start, end), 'base64'))
  if (out === undefined) return undefined
  let padded = end
  while (padded - end < 2 && text.charCodeAt(padded) === EQUALS) padded++
  return { start, end: padded, text: out }
}

const UNPRINTABLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/

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

/** Bytes of UTF-8 that are still missing after `byte`, of which `missing` were; -1 when it may not stand there. */
function missingAfter(byte: number, missing: number): number {
  if (!isText(byte) || missing > 0 !== (byte >= 0x80 && byte < 0xc0)) return -1
  if (missing > 0) return missing - 1
  return byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0
}

/** Judges by the first bytes, without allocating: a word fails within a few letters. */
function mayBeBase64(text: string, start: number, end: number): boolean {
  const limit = Math.min(end, start + PROBE)
  let bits = 0
  let count = 0
  let missing = 0
  const first = VALUE[text.charCodeAt(start)]!
  // The first six bits of a byte that begins a printable character.
  if (first < 8 || (first > 31 && first < 48) || first > 61) return false
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

function mayBeHex(text: string, start: number, end: number): boolean {
  const limit = Math.min(end, start + PROBE)
  for (let i = start; i < limit; i++) if (!((KIND[text.charCodeAt(i)]! & HEX) > 0)) return false
  let missing = 0
  for (let i = start; i + 1 < limit; i += 2) {
    missing = missingAfter((hexValue(text.charCodeAt(i)) << 4) | hexValue(text.charCodeAt(i + 1)), missing)
    if (missing < 0) return false
  }
  return true
}

/** A number is no hex, unless it is longer than the longest of them that is a value. */
function isHex(text: string, start: number, end: number): boolean {
  let letters = end - start > LONGEST_NUMBER
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i)
    if ((KIND[c]! & HEX) === 0) return false
    letters ||= c > NINE
  }
  return letters
}

/** Whether a run has what words have not: a digit, or a capital that is not the first letter. */
function isMixed(text: string, start: number, end: number): boolean {
  const limit = Math.min(end, start + PROBE)
  for (let i = start; i < limit; i++) {
    const c = text.charCodeAt(i)
    if (c < 0x5b && (c >= 0x41 ? i > start : c >= 0x30 && c <= NINE)) return true
  }
  return false
}

const mayHoldText = (text: string, start: number, end: number): boolean =>
  isMixed(text, start, end) && (mayBeBase64(text, start, end) || mayBeHex(text, afterPrefix(text, start), end))

/** Where a run at the end of `text[floor..]` begins that may still become text; its length if there is none. */
export function openRun(text: string, previous: number, floor = 0): number {
  const n = text.length
  let end = n
  while (n - end < 2 && end > floor && text.charCodeAt(end - 1) === EQUALS) end--
  let start = end
  const limit = Math.max(floor, end - LONGEST_OPEN_RUN)
  while (start > limit && isIn(text.charCodeAt(start - 1))) start--
  if (start === end || (start === limit && limit > floor) || (start === floor && isIn(previous))) return n
  if (end - start < MIN_OPEN || (end < n && end - start < MIN)) return n
  if (mayHoldText(text, start, end)) return start
  let slash = end - 1
  while (slash >= start && text.charCodeAt(slash) !== SLASH) slash--
  if (slash < start) return n
  return slash === end - 1 || mayHoldText(text, slash + 1, end) ? slash + 1 : n
}
