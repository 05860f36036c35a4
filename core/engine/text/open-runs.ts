/** The runs of base64 and hex at the end of a streamed text that may go on and encode text: the stream waits for their end. */

import { isUnknown } from './encoded-runs.ts'
import { hexValue } from './escapes.ts'
import { mayBeginAt, type Piece, piecesOf, sourceOf, stretchStart, textOf } from './parted-runs.ts'
import {
  afterPrefix,
  EQUALS,
  hasLetter,
  isHex,
  MIN,
  mayBeBase64,
  mayBeHex,
  NINE,
  PROBE,
  runStart,
  UNPRINTABLE,
  VALUE,
} from './run-decoding.ts'

/** A stream does not wait for runs longer than this: a private key in hex has 6,500 characters. */
export const LONGEST_OPEN_RUN = 8192
/** Longer ones wait only while they encode text to their end; images and other files do not. */
const LONGEST_UNSURE = 1024
/** A stream releases shorter runs at once: most are words. The characters that follow are read together with them. */
const MIN_OPEN = 4
/** Shorter ones wait only if they look like no word and no number. */
const MIN_SURE = 8
/** The same limit for a partly released run that encodes a non-ASCII start. */
const MIN_FOREIGN = 16

const PADDING = /(?:=|[=%]3[dD]|&(?:equals|#0*61|#[xX]0*3[dD]);|\\+(?:u00|x)3[dD]|\\+075){1,2}$/
const MOST_PADDING = 64
/** `=`, `;`, `5`, `D` and `d`: the last character of `PADDING`. */
const ENDS_PADDING = new Set([EQUALS, 0x3b, 0x35, 0x44, 0x64])

/** Where the padding at the end of a text begins; the text's length if there is none. */
function paddingStart(text: string): number {
  const n = text.length
  if (!ENDS_PADDING.has(text.charCodeAt(n - 1))) return n
  const match = PADDING.exec(text.slice(-MOST_PADDING))
  return match === null ? n : n - match[0].length
}

/** Whether a run has a digit, or a capital after the first letter. Plain words have neither. */
function isMixed(text: string, start: number, end: number): boolean {
  const limit = Math.min(end, start + PROBE)
  for (let i = start; i < limit; i++) {
    const c = text.charCodeAt(i)
    if (c < 0x5b && (c >= 0x41 ? i > start : c >= 0x30 && c <= NINE)) return true
  }
  return false
}

/** A number, or too short to distinguish from a word. Encodings of non-Latin text start in many ways. */
function isOrdinary(text: string, start: number, end: number): boolean {
  if (end - start < MIN_FOREIGN) return true
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > NINE) return false
  return true
}

/** @param begun its start was released before the run was recognised; then numbers and word beginnings do not wait */
function mayHoldText(text: string, start: number, end: number, begun: boolean): boolean {
  if (!isMixed(text, start, end)) return false
  const hex = afterPrefix(text, start)
  if (mayBeBase64(text, start, end) && !(begun && VALUE[text.charCodeAt(start)]! >= 32 && isOrdinary(text, start, end)))
    return true
  return mayBeHex(text, hex, end) && !(begun && hexValue(text.charCodeAt(hex)) >= 8 && isOrdinary(text, hex, end))
}

/** Whether the last characters of a long run encode text, cut in whole bytes of base64 and hex. */
function encodesText(text: string, start: number, end: number): boolean {
  const from = afterPrefix(text, start)
  const at = from + Math.floor(Math.max(0, end - from - LONGEST_UNSURE) / 4) * 4
  const to = at + Math.floor((end - at) / 4) * 4
  const encodes = (encoding: 'base64' | 'hex') =>
    // A character may be cut at both ends.
    !UNPRINTABLE.test(Buffer.from(text.slice(at, to), encoding).toString('utf8').slice(3, -3))
  return (
    (mayBeHex(text, from, end) && isHex(text, from, end) && encodes('hex')) || (from === start && encodes('base64'))
  )
}

/** Start of a run at the end of `text[floor..]` that may still become text; the text's length if there is none. */
export function openRun(text: string, previous: number, floor = 0, borders?: readonly number[]): number {
  const n = text.length
  const end = Math.max(Math.min(floor, n), paddingStart(text))
  const limit = Math.max(0, end - LONGEST_OPEN_RUN)
  const start = runStart(text, end, limit)
  const stretch = stretchStart(text, start, limit)
  if (stretch < start) return openStretch(text, previous, stretch, end, floor, borders)
  if (end === floor || start === end) return n
  const isKnown = !isUnknown(text, start, previous, floor) && (start > limit || limit === 0)
  const open = isKnown ? openFrom(text, start, end, floor) : n
  if (open < n || borders === undefined) return open
  let i = borders.length - 1
  while ((borders[i] as number) >= end) i--
  const border = borders[i] ?? 0
  return border > start ? openFrom(text, border, end, floor) : n
}

/** See `openRun`, for a stretch with seams. */
function openStretch(
  text: string,
  previous: number,
  start: number,
  end: number,
  floor: number,
  borders?: readonly number[],
): number {
  const pieces = piecesOf(text, start, end, borders)
  const joined = textOf(text, pieces)
  const padded = joined + text.slice(end)
  const isKnown = !isUnknown(text, start, previous, floor) && (start === 0 || end - start < LONGEST_OPEN_RUN)
  for (const i of mayBeginAt(pieces.length)) {
    if (i === 0 && !isKnown) continue
    const at = (pieces[i] as Piece).start
    const from = textOf(text, pieces.slice(0, i)).length
    const begun = at < floor ? from + 1 : 0
    const open = openFrom(padded, from, joined.length, begun)
    if (open < padded.length) return begun > 0 ? floor : Math.max(floor, sourceOf(pieces, open))
  }
  return text.length
}

/** See `openRun`. */
function openFrom(text: string, start: number, end: number, floor: number): number {
  const n = text.length
  if (end - start < MIN_OPEN || (end < n && end - start < MIN)) return n
  if (end - start < MIN_SURE && !(hasLetter(text, start, end) && mayHoldText(text, start, end, start < floor))) return n
  if (end - start > LONGEST_UNSURE && !encodesText(text, start, end)) return n
  if (mayHoldText(text, start, end, start < floor)) return Math.max(start, floor)
  const slash = text.lastIndexOf('/', end - 1)
  if (slash < start || slash === end - 1) return slash === end - 1 && slash >= start ? Math.max(slash + 1, floor) : n
  return mayHoldText(text, slash + 1, end, slash + 1 < floor) ? Math.max(slash + 1, floor) : n
}
