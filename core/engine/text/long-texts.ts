/**
 * Processes complete texts in steps, because ten megabytes of escapes take seconds. Each function gives the same result
 * as its namesake: steps only pause and cut nothing.
 */

import type { Steps } from '../util/steps.ts'
import { joinLinesInSteps } from './base64-lines.ts'
import { encodedRuns } from './encoded-runs.ts'
import { ESCAPE_LEADS } from './escapes.ts'
import { flat, longRunsInSteps } from './long-runs.ts'
import { isOfStretch } from './parted-runs.ts'
import { type Decoded, MAX_PASSES, readAgain } from './readings.ts'
import type { EncodedRun } from './run-decoding.ts'
import { EVERY_DEPTH, foldsUpTo, RunDepths } from './run-depths.ts'
import { type Normalised, Normaliser, normalise, type OffsetMap, UNUSUAL } from './unicode.ts'
import { WrittenBreaks } from './written-breaks.ts'

/** Characters per step. Shorter texts are read at once. */
export const STEP = 32 * 1024
/** The same for native searches. */
const SEARCH_STEP = 512 * 1024

/** See `normalise`. */
export function* normaliseInSteps(raw: string): Steps<Normalised> {
  if (raw.length <= STEP) return normalise(raw)
  const first = yield* firstOdd(raw)
  if (first === raw.length) return { text: raw }
  const reader = new Normaliser(raw, 0, '', new WrittenBreaks())
  for (let at = first; at < raw.length; ) {
    yield
    at = reader.advance(at, at + STEP)
  }
  return reader.result()
}

/** The first character that may need work; everything before it is plain. */
function* firstOdd(raw: string): Steps<number> {
  for (let at = 0; at < raw.length; at += SEARCH_STEP) {
    const piece = raw.slice(at, at + SEARCH_STEP)
    let first = piece.search(UNUSUAL)
    if (first < 0) first = piece.length
    for (const { char } of ESCAPE_LEADS) {
      const found = piece.indexOf(char)
      if (found >= 0 && found < first) first = found
    }
    if (first < piece.length) return at + first
    yield
  }
  return raw.length
}

/** See `readAgain`, for a complete text. */
export function* readAgainInSteps(source: string, most = EVERY_DEPTH): Steps<Decoded> {
  if (source.length <= STEP) return readAgain(source, true, undefined, undefined, most)
  const depths = new RunDepths(most)
  let body = source
  let map: OffsetMap | undefined
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const runs = yield* depths.readInSteps(body, yield* encodedRunsInSteps(body), map)
    const reader = new Normaliser(body, 0, '', undefined, 0, runs, body.length, foldsUpTo(most))
    for (let at = 0; at < body.length; ) {
      yield
      at = reader.advance(at, at + STEP)
    }
    const next = reader.result()
    yield
    if (next.text === body) break
    yield* depths.doneInSteps(reader.folded)
    map = next.map === undefined ? map : next.map.after(map)
    body = next.text
  }
  return {
    text: body,
    map,
    shown: source.length,
    differs: body !== source,
    depths: depths.before(),
    runs: depths.decoded,
    passes: undefined,
  }
}

/** See `encodedRuns`. Only a run of more than a step takes several. */
export function* encodedRunsInSteps(text: string): Steps<EncodedRun[]> {
  if (text.length <= STEP) return encodedRuns(text, 0) ?? []
  const runs: EncodedRun[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + STEP)
    // The last run of the step.
    let last = end
    while (last > at && isOfStretch(text.charCodeAt(last - 1))) last--
    const most = Math.min(text.length, last + STEP)
    while (end < most && isOfStretch(text.charCodeAt(end))) end++
    const isLong = end === most && end < text.length
    const until = isLong ? last : end
    for (const run of encodedRuns(flat(text, at, until), 0) ?? [])
      runs.push({ start: run.start + at, end: run.end + at, text: run.text })
    at = isLong ? yield* longRunsInSteps(text, last, runs) : end
    yield
  }
  return yield* joinLinesInSteps(text, runs, text.length)
}
