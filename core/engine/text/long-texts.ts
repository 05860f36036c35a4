/**
 * Processes complete texts in steps, because ten megabytes of escapes take seconds. Each function gives the same result
 * as its namesake: steps only pause and cut nothing.
 */

import type { Steps } from '../util/steps.ts'
import { type EncodedRun, encodedRuns, isOfRun } from './encoded-runs.ts'
import { ESCAPE_LEADS } from './escapes.ts'
import { type Decoded, MAX_PASSES, readAgain } from './readings.ts'
import { type Normalised, Normaliser, normalise, type OffsetMap, UNUSUAL } from './unicode.ts'
import { WrittenBreaks } from './written-breaks.ts'

/** Characters per step. Shorter texts are read at once. */
export const STEP = 32 * 1024

/** See `normalise`. */
export function* normaliseInSteps(raw: string): Steps<Normalised> {
  if (raw.length <= STEP) return normalise(raw)
  const first = firstOdd(raw)
  if (first === raw.length) return { text: raw }
  const reader = new Normaliser(raw, 0, '', new WrittenBreaks())
  for (let at = first; at < raw.length; ) {
    yield
    at = reader.advance(at, at + STEP)
  }
  return reader.result()
}

/** The first character that may need work; everything before it is plain. */
function firstOdd(raw: string): number {
  let first = raw.search(UNUSUAL)
  if (first < 0) first = raw.length
  for (const { char } of ESCAPE_LEADS) {
    const at = raw.indexOf(char)
    if (at >= 0 && at < first) first = at
  }
  return first
}

/** See `readAgain`, for a complete text. */
export function* readAgainInSteps(source: string): Steps<Decoded> {
  if (source.length <= STEP) return readAgain(source, true)
  let body = source
  let map: OffsetMap | undefined
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const reader = new Normaliser(body, 0, '', undefined, 0, yield* encodedRunsInSteps(body))
    for (let at = 0; at < body.length; ) {
      yield
      at = reader.advance(at, at + STEP)
    }
    const next = reader.result()
    yield
    if (next.text === body) break
    map = next.map === undefined ? map : next.map.after(map)
    body = next.text
  }
  return { text: body, map, shown: source.length, differs: body !== source, passes: undefined }
}

/** See `encodedRuns`. A step never ends inside a run. */
export function* encodedRunsInSteps(text: string): Steps<EncodedRun[]> {
  if (text.length <= STEP) return encodedRuns(text, 0) ?? []
  const runs: EncodedRun[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + STEP)
    while (end < text.length && isOfRun(text.charCodeAt(end))) end++
    for (const run of encodedRuns(flat(text, at, end), 0) ?? [])
      runs.push({ start: run.start + at, end: run.end + at, text: run.text })
    at = end
    yield
  }
  return runs
}

/** Copies part of a text to a flat string: reading a slice character by character costs twice as much. */
const flat = (text: string, start: number, end: number): string =>
  [text.slice(start, start + 1), text.slice(start + 1, end)].join('')
