/**
 * Base64 in lines, as PEM and MIME write it. A value may be cut at a line break, so lines that follow one another are read in the
 * same pass, without the breaks between them.
 */

import { allSteps, Pace, type Steps } from '../util/steps.ts'
import { joinsEscapeBehind } from './escape-joins.ts'
import { type Escape, isLead } from './escapes.ts'
import { looseEscapeAt, matters } from './loose-escapes.ts'
import { decodeStretch, isOfStretch, SEAM_CODE, stretchEnd, stretchStart } from './parted-runs.ts'
import {
  type EncodedRun,
  EQUALS,
  isIn,
  LINE_LENGTHS,
  mayBeBase64,
  runEnd,
  runStart,
  waitingPadding,
} from './run-decoding.ts'

const SHORTEST = 64
const LONGEST = 76
/** The same with some that show nothing. */
const MOST_UNITS = 2 * LONGEST
/** The same with its signs as escapes. */
const MOST_ESCAPED = 8 * LONGEST
/** Lines to look at in one step. */
const LINES = 4096
const RETURN = 0x0d
const NEWLINE = 0x0a
const SPACE = 0x20
const BACKSLASH = 0x5c
const SEMICOLON = 0x3b

const isFullLine = (text: string, end: number): boolean => isFull(text, lineStart(text, end), end)

/** Whether a line is full without its seams. */
function isFull(text: string, start: number, end: number): boolean {
  let length = end - start
  if (length < SHORTEST) return false
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === SEAM_CODE) length--
  return LINE_LENGTHS.has(length)
}

/**
 * A full line of base64 takes along the break after it, where another line follows. Lines beside one that waits for the next pass
 * wait, too.
 */
export const joinLines = (text: string, runs: EncodedRun[], until: number): EncodedRun[] =>
  runs.some(({ start, end }) => isFullLine(text, end) || waitsBefore(text, start))
    ? allSteps(joinLinesInSteps(text, runs, until))
    : runs

/** See `joinLines`, for any number of runs. */
export function* joinLinesInSteps(text: string, runs: EncodedRun[], until: number): Steps<EncodedRun[]> {
  const pace = new Pace(LINES)
  const joined: EncodedRun[] = []
  /** Where the lines that follow one another begin in `joined`. */
  let first = 0
  let wait = false
  for (let i = 0; i < runs.length; i++) {
    if (pace.spent(1)) yield
    const run = runs[i] as EncodedRun
    const next = runs[i + 1]
    if (first === joined.length) wait = waitsBefore(text, run.start)
    const at = lineBehind(text, run.end)
    const isFull = at > 0 && at <= until && isFullLine(text, run.end) && isIn(text.charCodeAt(run.end - 1))
    const last = isFull && next?.start !== at ? lastLine(text, at) : undefined
    const goesOn = isFull && (next?.start === at || last !== undefined)
    joined.push(goesOn ? { ...run, end: at } : run)
    if (isFull && next?.start !== at) wait ||= isBeforeEscape(text, at)
    if (last !== undefined) {
      wait ||= goesOnInLine(text, last.end)
      // Of less than `MIN` characters.
      if (last.end <= Math.min(until, next?.start ?? until)) joined.push(last)
    }
    if (goesOn && last === undefined) continue
    if (wait) joined.push(...joined.splice(first).flatMap((line) => paddingOf(text, line) ?? []))
    first = joined.length
  }
  return joined
}

/** The padding of a line that waits. */
function paddingOf(text: string, { start, end }: EncodedRun): EncodedRun | undefined {
  let from = end
  while (from > start && text.charCodeAt(from - 1) === EQUALS) from--
  return waitingPadding(text, from, end)
}

/** Whether the line at a place goes on behind an escape, or begins with one: only the next pass reads it whole. */
function isBeforeEscape(text: string, at: number): boolean {
  const limit = Math.min(text.length, at + MOST_UNITS)
  return joinsEscapeBehind(text, stretchEnd(text, runEnd(text, at, limit), limit))
}

/** The line of base64 at a place, which may have less than `MIN` characters. */
function lastLine(text: string, at: number): EncodedRun | undefined {
  const limit = Math.min(text.length, at + MOST_UNITS)
  return decodeStretch(text, at, stretchEnd(text, runEnd(text, at, limit), limit), true)
}

/** The place after the line break at a position; 0 if there is none. */
function lineBehind(text: string, end: number): number {
  const from = text.charCodeAt(end) === SEAM_CODE ? end + 1 : end
  const at = text.charCodeAt(from) === RETURN ? from + 1 : from
  return text.charCodeAt(at) === NEWLINE ? at + 1 : 0
}

/** The place before the line break that ends at a position; the position if there is none. */
function lineBefore(text: string, start: number): number {
  if (start === 0 || text.charCodeAt(start - 1) !== NEWLINE) return start
  const end = text.charCodeAt(start - 2) === RETURN ? start - 2 : start - 1
  return text.charCodeAt(end - 1) === SEAM_CODE ? end - 1 : end
}

/** A return that is written out before a line feed that is none. */
export const ESCAPED_RETURN = /(?:\\(?:r|u\{?0{0,3}[dD]\}?|x0[dD]|015)|%0[dD]|&#(?:0{0,4}13|[xX]0{0,4}[dD]);)$/

/** Whether the line before a position has an escape, so that only the next pass shows what it says. */
function waitsBefore(text: string, start: number): boolean {
  const end = lineBefore(text, start)
  return end < start && hasEscape(text, end)
}

/** Whether an escape stands in the word that ends at a position, so that there is a next pass. */
function hasEscape(text: string, end: number): boolean {
  const floor = Math.max(0, end - MOST_ESCAPED)
  for (let at = end - 1; at >= floor; at--) {
    const c = text.charCodeAt(at)
    if (c <= SPACE) return false
    const found = isLead(c) ? looseEscapeAt(text, at, c) : undefined
    if (found !== undefined && matters(text, at, found)) return true
  }
  return false
}

/** Whether a full line ends at the line break that is written out at a position, as in JSON within JSON. */
export function goesOnInLine(text: string, end: number): boolean {
  const from = text.charCodeAt(end) === SEAM_CODE ? end + 1 : end
  const at = text.charCodeAt(from) === RETURN ? from + 1 : from
  const c = text.charCodeAt(at)
  if (!isLead(c) || !isFullLine(text, end)) return false
  return isBreak(looseEscapeAt(text, at, c))
}

const isBreak = (found: Escape | undefined): boolean => found?.text === '\n' || found?.text === '\r'

/** Start of a full line of base64 that the end of a streamed text may continue; the text's length if there is none. */
export function openLine(text: string, from: number): number {
  const n = text.length
  let at = n
  while (at > from && n - at <= MOST_UNITS && isOfStretch(text.charCodeAt(at - 1))) at--
  let end = at
  if (end > from && text.charCodeAt(end - 1) === NEWLINE) end--
  if (end > from && text.charCodeAt(end - 1) === RETURN) end--
  if (end < at && end > from && text.charCodeAt(end - 1) === SEAM_CODE) end--
  if (end === at || (at < n && text.charCodeAt(at - 1) !== NEWLINE)) return n
  const start = lineStart(text, end)
  return isFull(text, start, end) && decodeStretch(text, start, end) !== undefined ? Math.max(start, from) : n
}

/** Start of the line of base64 that ends at a position: after a letter that belongs to an escape, such as `\t`. */
function lineStart(text: string, end: number): number {
  const floor = Math.max(0, end - MOST_UNITS)
  const start = stretchStart(text, runStart(text, end, floor), floor)
  return isEscaped(text, start) ? start + 1 : start
}

/** Whether a run encodes text only without its first character, which is the letter of an escape such as `\t`. */
export const beginsWithLetter = (text: string, start: number, end: number): boolean =>
  isEscaped(text, start) && !mayBeBase64(text, start, end) && mayBeBase64(text, start + 1, end)

const isEscaped = (text: string, at: number): boolean =>
  at > 0 && text.charCodeAt(at - 1) === BACKSLASH && ESCAPED.has(text.charCodeAt(at))
/** `n`, `r` and `t` after a backslash. */
const ESCAPED: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74])

/** Whether a full line begins after an escape that ends no other line. */
export const isLineBehindEscape = (text: string, start: number, end: number): boolean =>
  isEscaped(text, start) && isFull(text, start + 1, end) && !isBehindLine(text, start)

/** Whether the line break that is written out before a position ends a full line; the letter of `\n` is at the position. */
export function isBehindLine(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) === SEMICOLON) {
    const end = beforeEscapedBreak(text, start)
    return end < start && mayBeFullLine(text, end)
  }
  if (!isEscaped(text, start)) return false
  let at = start - 1
  while (at > 0 && text.charCodeAt(at - 1) === BACKSLASH) at--
  return mayBeFullLine(text, at)
}

/** Whether a line is full, or may be once its escapes are read. A return may stand behind it. */
function mayBeFullLine(text: string, at: number): boolean {
  const end = text.charCodeAt(at - 1) === RETURN ? at - 1 : at
  return isFullLine(text, end) || hasEscape(text, end)
}

const BREAK_ENTITIES = /(?:&#(?:0{0,4}1[03]|[xX]0{0,4}[aAdD]);|&NewLine;){1,2}$/
/** No longer than two of them. */
const MOST_BREAKS = 24

/** The place before `&#10;` or `&#13;&#10;`; the position if there is none. */
const beforeEscapedBreak = (text: string, end: number): number =>
  end - (BREAK_ENTITIES.exec(text.slice(Math.max(0, end - MOST_BREAKS), end))?.[0].length ?? 0)
