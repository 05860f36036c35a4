/**
 * The second reading of a text. Some escapes are ambiguous: `\n4111 …` is a card number after a written-out line break,
 * or part of a path. Detectors see the text as it stands (unicode.ts) and, if different, the text with every possible
 * escape and encoded run decoded, several levels deep. What encodes text may do so by chance, so where runs or quoted-printable
 * were decoded, they also see the text with its other escapes decoded alone, and one for each depth of codes within codes
 * (run-depths.ts). There are no more readings, however many escapes and runs there are.
 */

import { ESCAPED_RETURN, openLine } from './base64-lines.ts'
import { isAlnum } from './char-kinds.ts'
import { encodedRuns, RUN_LEFT } from './encoded-runs.ts'
import { LONGEST_ESCAPE } from './escapes.ts'
import { nextFolded } from './lookalikes.ts'
import { LOOSE_LEADS, looseEscapeAt, matters, openLooseEscape, visibleBefore } from './loose-escapes.ts'
import { LONGEST_OPEN_RUN, openRun } from './open-runs.ts'
import { EVERY_DEPTH, foldsUpTo, RunDepths, type RunPlace } from './run-depths.ts'
import { normaliseLoosely, type OffsetMap } from './unicode.ts'

/** Levels of nested escapes of different kinds. Backslashes of one kind may nest deeper. */
export const MAX_PASSES = 5

/** An unfinished escape or run longer than this is read as it stands. */
export const MAX_OPEN = LONGEST_OPEN_RUN + 64

export interface Decoded {
  readonly text: string
  /** Maps back to the text that was read. */
  readonly map: OffsetMap | undefined
  /** `text` covers the source up to here; the rest may still change. */
  readonly shown: number
  /** Whether the two readings differ. */
  readonly differs: boolean
  /** The depths of the codes that were decoded, a bit for each; see run-depths.ts. */
  readonly depths: number
  /** Where they stand in the text that was read. */
  readonly runs: readonly RunPlace[]
  /** The last units that each pass read, for the text that follows. The first pass reads the text itself. */
  readonly passes: readonly string[] | undefined
  /** Units that each pass read after the last border between parts; see `Left`. */
  readonly since?: readonly number[] | undefined
}

/** What was read of the text so far. */
export interface DecodedPart extends Decoded {
  /** The same up to a position in the text that was read, which must split nothing; see `OffsetMap.floor`. */
  cut(shown: number): Decoded
}

/**
 * Whether `text[from..end]` has an escape or encoded run that justifies a second reading.
 *
 * @param isPlain the text is known to have nothing but printable ASCII and white space
 */
export const mayDiffer = (
  text: string,
  previous = 0,
  from = 0,
  end = text.length,
  borders?: readonly number[],
  isPlain = false,
): boolean => escapesDiffer(text, from, end, isPlain) || encodedRuns(text, previous, from, end, borders) !== undefined

function escapesDiffer(text: string, from: number, end: number, isPlain = false, most = EVERY_DEPTH): boolean {
  for (const { char, code } of LOOSE_LEADS) {
    if (char === '=' && most === 0) continue
    for (let i = text.indexOf(char, from); i >= 0 && i < end; i = text.indexOf(char, i + 1)) {
      const found = looseEscapeAt(text, i, code)
      if (found === undefined) continue
      if (matters(text, i, found)) return true
      i = found.end - 1
    }
  }
  return !isPlain && nextFolded(text, from, end, foldsUpTo(most)) >= 0
}

function openTail(text: string, previous: number, from: number, borders?: readonly number[]): number {
  const open = openLooseEscape(text, from)
  const run = openRun(text, previous, from, borders)
  if (run === text.length && open === run) return unseenTail(text, previous, from, borders)
  // The escape may become the padding of the run before it.
  if (run >= open)
    return open > from && open < text.length ? openRun(text.slice(0, open), previous, from, borders) : open
  // The digits of a complete escape are not a run.
  const end = escapeEnd(text, run)
  return Math.min(open, end > run ? openRun(text, 0, end) : run)
}

/** A run may continue after an escape that shows nothing. */
function unseenTail(text: string, previous: number, from: number, borders?: readonly number[]): number {
  const end = visibleBefore(text, text.length)
  if (end === text.length || end <= from) return text.length
  const run = openRun(text.slice(0, end), previous, from, borders)
  return run < end ? run : text.length
}

/** `#`, `{`, `[` and `;` may be part of an escape. */
const WITHIN = new Set([0x23, 0x7b, 0x5b, 0x3b])

/** The end of the escape that contains a position, or the position itself. */
function escapeEnd(text: string, at: number): number {
  for (let i = at - 1; i >= 0 && at - i < LONGEST_ESCAPE; i--) {
    const c = text.charCodeAt(i)
    if (LOOSE_LEADS.some(({ code }) => code === c)) return Math.max(at, looseEscapeAt(text, i, c)?.end ?? at)
    if (!isAlnum(c) && !WITHIN.has(c)) return at
  }
  return at
}

/** The last units of a text, for escapes and runs that continue in the text that follows. */
export const endOf = ({ text, before }: { readonly text: string; readonly before: string }): string =>
  text.length >= RUN_LEFT ? text.slice(-RUN_LEFT) : (before + text).slice(-RUN_LEFT)

/** Context from the text that was read before. */
export interface Left {
  /** Its last units in each reading. */
  readonly first: string
  readonly second: string
  /** The readings already differ, so that every escape is decoded. */
  readonly differs: boolean
  /** `passes` of the previous result. */
  readonly passes?: readonly string[] | undefined
  /** Where parts begin in the new text, in order, and `since` of the previous result. */
  readonly borders?: { readonly at: readonly number[]; readonly since: readonly number[] | undefined }
}

/** What may be the end of a line of base64. */
const LINE_OF_RUN = /[A-Za-z0-9+/]\r?\n$/
const endsReturn = (text: string): boolean => text.endsWith('\n') && ESCAPED_RETURN.test(text.slice(0, -1))
const NO_RUNS: readonly RunPlace[] = []
const NOTHING: Left = { first: '', second: '', differs: false }

/**
 * Reads a normalised text a second time.
 *
 * @param final whether the text is complete; otherwise an unfinished end is left out
 * @param floor returns the last position up to a given one where the text may be cut
 * @param most codes that lie deeper stay as they are written; see run-depths.ts
 */
export function readAgain(
  source: string,
  final: boolean,
  left: Left = NOTHING,
  floor = anywhere,
  most = EVERY_DEPTH,
): DecodedPart {
  if (!final && isEndless(source, left)) return readAgain(source, true, left, anywhere, most)
  let body = source
  let shown = source.length
  let map: OffsetMap | undefined
  let differs = false
  let depths: RunDepths | undefined
  const { second } = left
  const previous = second === '' ? 0 : second.charCodeAt(second.length - 1)
  /** The last position up to `at` where the body may be cut. */
  const cutAt = (at: number): number => {
    for (let cut = at; cut > 0; ) {
      const source = map === undefined ? cut : sourceOf(map, cut)
      shown = floor(source)
      if (shown === source) return map === undefined ? cut : map.fromRaw(source)
      cut = Math.min(cut - 1, map === undefined ? shown : map.fromRaw(map.floor(shown)))
      // `floor` returned a valid cut.
      if (map === undefined) return shown
    }
    shown = 0
    return 0
  }
  const inputs: { readonly body: string; readonly map: OffsetMap | undefined }[] = []
  let beginsLine = LINE_OF_RUN.test(left.first) || endsReturn(left.first)
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    inputs.push({ body, map })
    // The line before was decoded, and its break is gone.
    const before = pass > 0 && beginsLine ? '\n' : leftOf(left, pass)
    const from = before.length
    const text = before === '' ? body : before + body
    // Decoding may leave the remaining text with an open end again: the next pass handles that.
    const borders = bordersOf(left, pass, map, from)
    let end = final ? text.length : Math.min(openTail(text, previous, from, borders), openLine(text, from))
    const open = end < text.length
    if (open) end = from + cutAt(end - from)
    // Escapes nested without end.
    if (shown < source.length - MAX_OPEN) return readAgain(source, true, left, anywhere, most)
    // What stays as it is written justifies nothing.
    const isNeeded = pass > 0 || left.differs || escapesDiffer(text, from, end, false, most)
    const found = isNeeded || most > 1 ? encodedRuns(text, previous, from, end, borders) : undefined
    if (isNeeded || found !== undefined) {
      depths ??= new RunDepths(most)
      let runs = depths.read(text, found, from, end, map)
      let next = normaliseLoosely(text, previous, runs, from, end, foldsUpTo(most))
      while (next.done < end) {
        end = from + cutAt(next.done - from)
        runs = depths.read(text, encodedRuns(text, previous, from, end, borders), from, end, map)
        next = normaliseLoosely(text, previous, runs, from, end, foldsUpTo(most))
      }
      body = body.slice(0, end - from)
      if (runs?.[0]?.text !== undefined && runs[0].start === from) beginsLine = false
      if (next.text !== body) {
        differs = true
        depths.done(next.folded)
        map = next.map === undefined ? map : next.map.after(map)
        body = next.text
        continue
      }
    } else body = body.slice(0, end - from)
    // A run that began in the text of a deeper pass may continue here.
    if (!open && leftOf(left, pass + 1) === leftOf(left, pass)) break
  }
  const upTo = (shown: number, text: string): Omit<Decoded, 'map' | 'differs'> => {
    /** What each pass read. */
    const all = <T>(of: (read: string, pass: number, map: OffsetMap | undefined) => T): T[] =>
      Array.from({ length: MAX_PASSES }, (_, pass) => {
        const input = inputs[pass]
        if (input === undefined) return of(text, pass, map)
        return of(input.body.slice(0, input.map?.fromRaw(shown) ?? shown), pass, input.map)
      })
    const passes =
      differs || left.differs ? all((read, pass) => (leftOf(left, pass) + read).slice(-RUN_LEFT)) : undefined
    const last = left.borders?.at.findLast((at) => at < shown)
    const since =
      left.borders &&
      all(({ length }, pass, map) =>
        last === undefined
          ? (left.borders?.since?.[pass] ?? Number.POSITIVE_INFINITY) + length
          : length - (map?.fromRaw(last) ?? last),
      )
    return { text, shown, depths: depths?.before(shown) ?? 0, runs: depths?.decoded ?? NO_RUNS, passes, since }
  }
  const cut = (shown: number): Decoded => {
    const text = body.slice(0, map?.fromRaw(shown) ?? shown)
    const within = map?.flat(text.length, shown)
    within?.dropFrom(shown)
    return { ...upTo(shown, text), map: within, differs: text !== source.slice(0, shown) }
  }
  return { ...upTo(shown, body), map, differs, cut }
}

/** Where parts begin in the text of a pass, whose new part begins at `from`. */
function bordersOf(
  { borders }: Left,
  pass: number,
  map: OffsetMap | undefined,
  from: number,
): readonly number[] | undefined {
  if (borders === undefined) return undefined
  const at = borders.at.map((source) => from + (map?.fromRaw(source) ?? source))
  const since = borders.since?.[pass] ?? Number.POSITIVE_INFINITY
  return since <= from ? [from - since, ...at] : at
}

const leftOf = ({ first, second, passes }: Left, pass: number): string =>
  pass === 0 ? first : (passes?.[pass] ?? second)

/** More backslashes in a row are not an escape of any depth. */
const MANY_BACKSLASHES = 40

function isEndless(source: string, { first }: Left): boolean {
  if (!source.endsWith(BACKSLASHES)) return false
  const text = first + source
  let at = text.length
  while (at > 0 && text.length - at < MANY_BACKSLASHES && text.charCodeAt(at - 1) === 0x5c) at--
  return text.length - at === MANY_BACKSLASHES
}

const BACKSLASHES = '\\'.repeat(8)

const anywhere = (at: number): number => at

const sourceOf = (map: OffsetMap, at: number): number => map.floor(map.toRaw(at, at + 1)[0])

const LETTER = /[abefnrtuvxE0-7]/

/**
 * Extends the span so that it does not start or end inside an escape: `\nora@x.org` starts at its backslash, which
 * keeps the surrounding JSON valid. `glued` is the position after the first letter if that letter may belong only to
 * the escape.
 */
export function wholeEscapes(raw: string, start: number, end: number): { start: number; end: number; glued?: number } {
  let to = end
  while (to > start + 1 && to < raw.length && raw.charCodeAt(to - 1) === 0x5c) to--
  if (raw.charCodeAt(start - 1) !== 0x5c || !LETTER.test(raw[start] as string)) return { start, end: to }
  let from = start - 1
  while (from > 0 && start - from < 16 && raw.charCodeAt(from - 1) === 0x5c) from--
  return { start: from, end: to, glued: start + 1 }
}
