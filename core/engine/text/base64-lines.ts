/**
 * Base64 in lines, as PEM and MIME write it. A value may be cut at a line break, so lines that follow one another are read in the
 * same pass, without the breaks between them.
 */

import { looseEscapeAt } from './loose-escapes.ts'
import { decode, type EncodedRun, isIn, isOfRun, runEnd, runStart } from './run-decoding.ts'

/** As long are the lines in which programs write base64: PEM and MIME. */
const LENGTHS: ReadonlySet<number> = new Set([64, 76])
const LONGEST = 76
const RETURN = 0x0d
const NEWLINE = 0x0a
const BACKSLASH = 0x5c

const isFullLine = (text: string, end: number): boolean => LENGTHS.has(end - lineStart(text, end))

/**
 * A full line of base64 takes along the break after it, where another line follows. Lines beside one that waits for the next pass
 * wait, too.
 */
export function joinLines(text: string, runs: EncodedRun[], until: number): EncodedRun[] {
  if (!runs.some(({ start, end }) => isFullLine(text, end) || waitsBefore(text, start))) return runs
  const joined: EncodedRun[] = []
  /** Where the lines that follow one another begin in `joined`. */
  let first = 0
  let wait = false
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i] as EncodedRun
    const next = runs[i + 1]
    if (first === joined.length) wait = waitsBefore(text, run.start)
    const at = lineBehind(text, run.end)
    const isFull = at > 0 && at <= until && isFullLine(text, run.end) && isIn(text.charCodeAt(run.end - 1))
    const last =
      isFull && next?.start !== at
        ? decode(text, at, runEnd(text, at, Math.min(text.length, at + LONGEST + 1)), true)
        : undefined
    const goesOn = isFull && (next?.start === at || last !== undefined)
    joined.push(goesOn ? { ...run, end: at } : run)
    if (last !== undefined) {
      wait ||= goesOnInLine(text, last.end)
      // Of less than `MIN` characters.
      if (last.end <= Math.min(until, next?.start ?? until)) joined.push(last)
    }
    if (goesOn && last === undefined) continue
    if (wait) joined.length = first
    first = joined.length
  }
  return joined
}

/** The place after the line break at a position; 0 if there is none. */
function lineBehind(text: string, end: number): number {
  const at = text.charCodeAt(end) === RETURN ? end + 1 : end
  return text.charCodeAt(at) === NEWLINE ? at + 1 : 0
}

/** The place before the line break that ends at a position; the position if there is none. */
function lineBefore(text: string, start: number): number {
  if (start === 0 || text.charCodeAt(start - 1) !== NEWLINE) return start
  return text.charCodeAt(start - 2) === RETURN ? start - 2 : start - 1
}

/** Whether the line before a position is full, and begins after a line break that is written out and ends another full line. */
function waitsBefore(text: string, start: number): boolean {
  const end = lineBefore(text, start)
  if (end === start) return false
  const line = lineStart(text, end)
  return (
    LENGTHS.has(end - line) &&
    isEscaped(text, line - 1) &&
    !isLineBehindEscape(text, line - 1, end) &&
    decode(text, line, end) !== undefined
  )
}

/** Whether a full line ends at the line break that is written out at a position, as in JSON within JSON. */
export function goesOnInLine(text: string, end: number): boolean {
  if (text.charCodeAt(end) !== BACKSLASH || !isFullLine(text, end)) return false
  const shown = looseEscapeAt(text, end, BACKSLASH)?.text
  return shown === '\n' || shown === '\r'
}

/** Start of a full line of base64 that the end of a streamed text may continue; the text's length if there is none. */
export function openLine(text: string, from: number): number {
  const n = text.length
  let at = n
  while (at > from && n - at <= LONGEST && isOfRun(text.charCodeAt(at - 1))) at--
  let end = at
  if (end > from && text.charCodeAt(end - 1) === NEWLINE) end--
  if (end > from && text.charCodeAt(end - 1) === RETURN) end--
  if (end === at || (at < n && text.charCodeAt(at - 1) !== NEWLINE)) return n
  const start = lineStart(text, end)
  return LENGTHS.has(end - start) && decode(text, start, end) !== undefined ? Math.max(start, from) : n
}

/** Start of the line of base64 that ends at a position: after a letter that belongs to an escape, such as `\t`. */
function lineStart(text: string, end: number): number {
  const start = runStart(text, end, Math.max(0, end - LONGEST - 2))
  return isEscaped(text, start) ? start + 1 : start
}

const isEscaped = (text: string, at: number): boolean =>
  at > 0 && text.charCodeAt(at - 1) === BACKSLASH && ESCAPED.has(text.charCodeAt(at))
/** `n`, `r` and `t` after a backslash. */
const ESCAPED: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74])

/** Whether a full line begins after an escape that ends no other line. */
export function isLineBehindEscape(text: string, start: number, end: number): boolean {
  if (!isEscaped(text, start) || !LENGTHS.has(end - start - 1)) return false
  let at = start - 1
  while (at > 0 && text.charCodeAt(at - 1) === BACKSLASH) at--
  return !isFullLine(text, at)
}
