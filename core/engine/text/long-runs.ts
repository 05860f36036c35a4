/** Runs of base64 and hex of any length, decoded in steps; see `encodedRuns`. */

import { StringDecoder } from 'node:string_decoder'
import { Pace, type Steps } from '../util/steps.ts'
import { isOfStretch } from './parted-runs.ts'
import {
  afterPrefix,
  decode,
  type EncodedRun,
  hasLetter,
  isIn,
  MIN,
  mayBeBase64,
  mayBeHex,
  paddingEnd,
  runsIn,
  UNPRINTABLE,
} from './run-decoding.ts'

/** Characters per step: whole bytes of base64 and of hex. */
const STEP = 32 * 1024
const SLASH = 0x2f

/**
 * Adds the runs from `start` up to the first character that is neither part of a run or its padding nor a seam, and returns
 * the place of that character. Runs of a stretch of this length are not read across its seams.
 */
export function* longRunsInSteps(text: string, start: number, runs: EncodedRun[]): Steps<number> {
  const pace = new Pace(STEP)
  let at = start
  while (isOfStretch(text.charCodeAt(at))) {
    const end = yield* endOf(text, at, text.length, pace, isIn)
    if (end - at > STEP) yield* longRunInSteps(text, at, end, runs, pace)
    else if (end - at >= MIN) for (const run of runsIn(text, at, end)) runs.push(run)
    at = end
    if (at < text.length && !isIn(text.charCodeAt(at)) && isOfStretch(text.charCodeAt(at))) at++
    if (pace.spent(4)) yield
  }
  return at
}

/** Copies part of a text to a flat string: reading a slice character by character costs twice as much. */
export const flat = (text: string, start: number, end: number): string =>
  [text.slice(start, start + 1), text.slice(start + 1, end)].join('')

/** The first character from `at` on that is not of the kind. */
function* endOf(text: string, at: number, end: number, pace: Pace, isOfKind: (c: number) => boolean): Steps<number> {
  // Most are near.
  const near = Math.min(end, at + NEAR)
  let from = at
  while (from < near && isOfKind(text.charCodeAt(from))) from++
  for (let until = near; from === until && from < end; ) {
    until = Math.min(end, from + STEP)
    const piece = flat(text, from, until)
    let length = 0
    while (length < piece.length && isOfKind(piece.charCodeAt(length))) length++
    from += length
    if (pace.spent(length)) yield
  }
  return from
}

const NEAR = 64
const isNoSlash = (c: number): boolean => c !== SLASH

/** See `runsIn`. */
function* longRunInSteps(text: string, start: number, end: number, runs: EncodedRun[], pace: Pace): Steps<void> {
  const whole = yield* decodeInSteps(text, start, end)
  if (whole !== undefined) return void runs.push(whole)
  for (let from = start; from < end; ) {
    const to = yield* endOf(text, from, end, pace, isNoSlash)
    if (to - from >= MIN && to - from < end - start) {
      const part = yield* decodeInSteps(text, from, to)
      if (part !== undefined) runs.push(part)
    }
    from = to + 1
  }
}

/** See `decode`. */
function* decodeInSteps(text: string, start: number, end: number): Steps<EncodedRun | undefined> {
  if (end - start <= STEP) return decode(text, start, end)
  const hex = afterPrefix(text, start)
  if (mayBeHex(text, hex, end) && (end - hex) % 2 === 0) {
    const decoded = yield* printableInSteps(text, hex, end, 'hex')
    if (decoded !== undefined) return { start, end, text: decoded }
  }
  if ((end - start) % 4 === 1 || !mayBeBase64(text, start, end)) return undefined
  const decoded = yield* printableInSteps(text, start, end, 'base64')
  return decoded === undefined ? undefined : { start, end: paddingEnd(text, end), text: decoded }
}

/** The text that a run of more than one step encodes; undefined if it is none. */
function* printableInSteps(
  text: string,
  start: number,
  end: number,
  encoding: 'hex' | 'base64',
): Steps<string | undefined> {
  const decoder = new StringDecoder('utf8')
  let decoded = ''
  let letters = encoding === 'hex'
  for (let at = start; at < end; at += STEP) {
    const piece = text.slice(at, Math.min(end, at + STEP))
    const bytes = Buffer.from(piece, encoding)
    if (encoding === 'hex' && bytes.length * 2 < piece.length) return undefined
    letters ||= hasLetter(piece, 0, piece.length)
    const part = decoder.write(bytes)
    if (UNPRINTABLE.test(part)) return undefined
    decoded += part
    yield
  }
  const rest = decoder.end()
  return letters && !UNPRINTABLE.test(rest) ? decoded + rest : undefined
}
