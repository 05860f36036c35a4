/** Runs of base64 and hex that encode text: `am9AeC5vcmc=`. The second reading shows the decoded text. */

import { beginsWithLetter, goesOnInLine, isBehindLine, isLineBehindEscape, joinLines } from './base64-lines.ts'
import { joinsEscapeBefore, joinsEscapeBehind } from './escape-joins.ts'
import { isGlancedAt, rowsOf } from './glance.ts'
import { looseEscapeAt } from './loose-escapes.ts'
import { partedRuns, piecesOf, SEAM_CODE, stretchEnd, stretchGoesOn, stretchStart } from './parted-runs.ts'
import {
  type EncodedRun,
  EQUALS,
  isIn,
  MIN,
  paddingEnd,
  runEnd,
  runStart,
  runsIn,
  waitingPadding,
} from './run-decoding.ts'

/** How far back to search for the start of a run in continued text; more than is ever released of a held run. */
export const RUN_LEFT = 32
const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
const HASH = 0x23
const BRACE = 0x7b
const SMALL_U = 0x75

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

/**
 * The runs in `text[from..until]` that decode to printable text. Of a long or continued text, checks every tenth character, and
 * closer only inside runs. If the start of a run was read before, the rest represents the whole run as a separate word.
 *
 * @param from start of the new part of a continued text
 * @param borders where parts begin, in order; runs are read across them, and between them, like across seams
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
  const goesOn = from > 0 && stretchGoesOn(text, from)
  const rowFrom = from === 0 && until === text.length && isGlancedAt(text) ? rowsOf(text) : undefined
  for (let p = rowFrom?.(0) ?? (goesOn ? from : from + MIN - 1); p < until; ) {
    if (!isIn(text.charCodeAt(p))) {
      p += rowFrom !== undefined || (goesOn && p === from) ? 1 : MIN
      continue
    }
    const least = Math.max(floor, goesOn && floor === 0 ? 0 : from)
    const left = runStart(text, p, least)
    const right = runEnd(text, p + 1, limit)
    const word = left > least && text.charCodeAt(left - 1) === SEAM_CODE ? stretchStart(text, left, least) : left
    const end = right < limit && text.charCodeAt(right) === SEAM_CODE ? stretchEnd(text, right, limit) : right
    floor = end
    p = rowFrom?.(end) ?? end + MIN
    if (end - word < MIN) continue
    const start = isLineBehindEscape(text, word, end) ? word + 1 : word
    const first = upTo(borders, border, start + 1)
    border = upTo(borders, first, end)
    const cuts = first < border ? borders?.slice(first, border) : undefined
    const isParted = word < left || right < end || cuts !== undefined
    if (end - start < MIN) continue
    // Most runs are words, and encode nothing. Padding may wait for the next pass.
    if (!isParted && text.charCodeAt(end) !== EQUALS && runsIn(text, start, end).length === 0) continue
    const isKnown = !isUnknown(text, start, previous, from)
    if (!isKnown && !isParted) continue
    if (goesOnBehindEscape(text, start, end)) {
      const padding = waitingPadding(text, end, Math.min(paddingEnd(text, end), until))
      if (padding !== undefined) {
        found ??= []
        found.push(padding)
      }
    } else {
      for (const run of isParted
        ? partedRuns(text, isKnown, piecesOf(text, start, end, cuts))
        : runsIn(text, start, end)) {
        if (run.end > until) break
        if (run.end <= from) continue
        found ??= []
        const to = Math.min(run.end, borders?.[border] ?? run.end) // Padding ends with its part, too.
        if (run.start < from) found.push({ start: from, end: to, text: `\n${run.text}` })
        else found.push(to < run.end ? { ...run, end: to } : run)
      }
    }
  }
  return found && joinLines(text, found, until)
}

/** The first border from `at` on. */
function upTo(borders: readonly number[] | undefined, first: number, at: number): number {
  let i = first
  while (borders !== undefined && (borders[i] as number) < at) i++
  return i
}

/**
 * Whether the run continues once an escape beside it is decoded, which the next pass reads, or the line break that is written out after
 * a full line of base64, as in JSON within JSON.
 */
const goesOnBehindEscape = (text: string, start: number, end: number): boolean =>
  joinsEscapeBehind(text, end) ||
  goesOnInLine(text, end) ||
  joinsEscapeBefore(text, start) ||
  isBehindLine(text, start) ||
  beginsWithLetter(text, start, end)
