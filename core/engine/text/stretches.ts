/**
 * Selects the parts of a complete text to read again: those around its escapes. Values without an escape in or near
 * them read the same in both readings, so a few escapes in a long text cost little. A value of many lines, such as a
 * private key, is read again as a whole: see long-lines.ts.
 */

import type { Steps } from '../util/steps.ts'
import { LongLines } from './long-lines.ts'
import { encodedRunsInSteps, STEP } from './long-texts.ts'
import { nextFolded } from './lookalikes.ts'
import { LOOSE_LEADS, looseEscapeAt, matters } from './loose-escapes.ts'

/** A part of a text, with more context on both sides than any detector needs. */
export interface Stretch {
  readonly start: number
  readonly end: number
  /** The first reading showed values outside of these bounds unescaped and with full context. */
  readonly from: number
  readonly to: number
}

/** The longest value before an escape, and the longest distance to a label after it. */
const REACH = 256
/** Context that detectors need on either side of a value. */
const CONTEXT = 256
/** If more than this share of a text must be read again, read all of it: one view costs less than many. */
const MOST = 0.7
/** Possible escape leads to check in one step. */
const LOOKS = 16 * 1024

export interface Place {
  readonly start: number
  readonly end: number
}

/** The stretches of a text to read again, in order; the whole text as one stretch if it has many escapes. */
export function* stretches(text: string): Steps<Stretch[]> {
  return yield* stretchesAround(text, yield* escapesIn(text))
}

/** The same for places in order. */
export function* stretchesAround(text: string, places: readonly Place[]): Steps<Stretch[]> {
  if (places.length === 0) return []
  const found: Stretch[] = []
  let total = 0
  let floor = 0
  const lines = new LongLines(text, REACH)
  for (let i = 0; i < places.length; ) {
    const first = yield* lines.startOf(places[i]!.start, floor)
    const start = yield* blankBefore(text, first - REACH - CONTEXT, floor)
    let end = 0
    let last = 0
    do {
      last = Math.max(last, places[i]!.end)
      // There is no blank up to `end`, and no line after what was looked at.
      if (last + REACH + CONTEXT > end) {
        last = yield* lines.endOf(last)
        end = yield* blankBehind(text, last + REACH + CONTEXT)
      }
      if (++i % LOOKS === 0) yield
    } while (i < places.length && places[i]!.start - REACH - CONTEXT <= end)
    found.push({
      start,
      end,
      from: start === 0 ? 0 : Math.max(start, first - REACH),
      to: end === text.length ? end : Math.min(end, last + REACH),
    })
    total += end - start
    if (total > text.length * MOST) return [{ start: 0, end: text.length, from: 0, to: text.length }]
    floor = end
  }
  return found
}

/** Escapes and encoded runs that justify a second reading; neighbours count as one place. */
function* escapesIn(text: string): Steps<Place[]> {
  const places: Place[] = []
  for (const { char, code } of LOOSE_LEADS) {
    let last: { readonly start: number; end: number } | undefined
    let looked = 0
    for (let i = text.indexOf(char); i >= 0; i = text.indexOf(char, i + 1)) {
      if (++looked % LOOKS === 0) yield
      const found = looseEscapeAt(text, i, code)
      if (found === undefined) continue
      if (matters(text, i, found)) {
        if (last === undefined || i - last.end >= REACH) {
          last = { start: i, end: 0 }
          places.push(last)
        }
        last.end = found.end
      }
      i = found.end - 1
    }
  }
  for (const { start, end } of yield* encodedRunsInSteps(text)) places.push({ start, end })
  let step = STEP
  for (let at = 0; at < text.length; ) {
    if (at >= step) {
      yield
      step = at + STEP
    }
    const until = Math.min(text.length, step)
    const start = nextFolded(text, at, until)
    if (start >= 0) places.push({ start, end: Math.min(text.length, start + REACH) })
    at = start < 0 ? until : start + REACH
  }
  return places.sort((a, b) => a.start - b.start)
}

/** The last blank up to a position, so that no word is split. */
function* blankBefore(text: string, at: number, floor: number): Steps<number> {
  let start = Math.max(at, floor)
  while (start > floor && text.charCodeAt(start - 1) > 0x20) if (--start % STEP === 0) yield
  return start
}

function* blankBehind(text: string, at: number): Steps<number> {
  let end = Math.min(at, text.length)
  while (end < text.length && text.charCodeAt(end) > 0x20) if (++end % STEP === 0) yield
  return end
}
