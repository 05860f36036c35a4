/** Runs of base64 and hex that encode text: `am9AeC5vcmc=`. The second reading shows the decoded text. */

import { goesOnInLine, isLineBehindEscape, joinLines } from './base64-lines.ts'
import type { Escape } from './escapes.ts'
import { escapeBefore, looseEscapeAt, visibleBefore } from './loose-escapes.ts'
import { decode, type EncodedRun, EQUALS, isIn, MIN, runEnd, runStart } from './run-decoding.ts'

/** How far back to search for the start of a run in continued text; more than is ever released of a held run. */
export const RUN_LEFT = 32
const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
const HASH = 0x23
const BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const SEMICOLON = 0x3b
const SMALL_U = 0x75
const SLASH = 0x2f

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

/** The first border from `at` on. */
function upTo(borders: readonly number[] | undefined, first: number, at: number): number {
  let i = first
  while (borders !== undefined && (borders[i] as number) < at) i++
  return i
}

/**
 * Whether the run continues once an escape beside it is decoded, which the next pass reads: an escape that shows a letter, a digit or
 * nothing, such as `\u{76}` or `&ZeroWidthSpace;`, or the line break that is written out after a full line of base64, as in JSON
 * within JSON.
 */
function goesOnBehindEscape(text: string, start: number, end: number): boolean {
  const c = text.charCodeAt(end)
  if (c === PERCENT || c === AMPERSAND || c === BACKSLASH) {
    const found = looseEscapeAt(text, end, c)
    if (found?.text === '' ? isIn(text.charCodeAt(found.end)) : showsOfRun(found)) return true
    if (goesOnInLine(text, end)) return true
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
