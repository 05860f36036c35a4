/**
 * Where a complete text is worth a second reading: around its escapes. A value that no escape stands in or near reads the
 * same in both, so that a long text with some escapes costs little more than one with none.
 */

import type { Steps } from '../util/steps.ts'
import { encodedRunsInSteps, STEP } from './long-texts.ts'
import { nextLookalike } from './lookalikes.ts'
import { LOOSE_LEADS, looseEscapeAt, matters } from './loose-escapes.ts'

/** A part of a text, with more at either side than a detector looks at. */
export interface Stretch {
  readonly start: number
  readonly end: number
  /** A value that lies outside of these was seen without an escape, and with all that stands around it. */
  readonly from: number
  readonly to: number
}

/** The longest value that may reach up to an escape, and the furthest label that may stand behind one. */
const REACH = 256
/** What decides about a value that begins there, left and right of it. */
const CONTEXT = 256
/** When more than this share of a text is to be read again, all of it is: one view costs less than many. */
const MOST = 0.7
/** So many signs that may begin an escape are looked at in one step. */
const LOOKS = 16 * 1024

interface Place {
  readonly start: number
  end: number
}

/** The stretches of a text to read again, in order; all of it as one stretch where there are many escapes. */
export function* stretches(text: string): Steps<Stretch[]> {
  const places = yield* escapesIn(text)
  if (places.length === 0) return []
  const found: Stretch[] = []
  let total = 0
  let floor = 0
  for (let i = 0; i < places.length; ) {
    const start = blankBefore(text, places[i]!.start - REACH - CONTEXT, floor)
    const first = places[i]!
    let end = 0
    let last = 0
    do {
      last = Math.max(last, places[i]!.end)
      // Up to `end` no blank comes.
      if (last + REACH + CONTEXT > end) end = blankBehind(text, last + REACH + CONTEXT)
      i++
    } while (i < places.length && places[i]!.start - REACH - CONTEXT <= end)
    found.push({
      start,
      end,
      from: start === 0 ? 0 : Math.max(start, first.start - REACH),
      to: end === text.length ? end : Math.min(end, last + REACH),
    })
    total += end - start
    if (total > text.length * MOST) return [{ start: 0, end: text.length, from: 0, to: text.length }]
    floor = end
  }
  return found
}

/** Escapes and encoded runs that are a reason to read again; what is near to one another counts as one place. */
function* escapesIn(text: string): Steps<Place[]> {
  const places: Place[] = []
  for (const { char, code } of LOOSE_LEADS) {
    let last: Place | undefined
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
    const start = nextLookalike(text, at, until)
    if (start >= 0) places.push({ start, end: Math.min(text.length, start + REACH) })
    at = start < 0 ? until : start + REACH
  }
  return places.sort((a, b) => a.start - b.start)
}

/** The last blank up to a position: no word is cut in two. */
function blankBefore(text: string, at: number, floor: number): number {
  let start = Math.max(at, floor)
  while (start > floor && text.charCodeAt(start - 1) > 0x20) start--
  return start
}

function blankBehind(text: string, at: number): number {
  let end = Math.min(at, text.length)
  while (end < text.length && text.charCodeAt(end) > 0x20) end++
  return end
}
