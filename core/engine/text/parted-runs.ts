/**
 * Runs of base64 and hex that may be parted: by a border between two parts of a text, or by a seam, which stands for a
 * character that shows nothing. What is there belongs to a run, or is a word beside it: `am9A<seam>eC5vcmc=` and
 * `TOKEN=am9AeC5vcmc<seam>PATH=` look alike.
 */

import { SEAM } from './decorations.ts'
import {
  decode,
  type EncodedRun,
  isIn,
  isOfRun,
  LINE_LENGTHS,
  MIN,
  paddingEnd,
  runEnd,
  runStart,
  runsIn,
} from './run-decoding.ts'

export const SEAM_CODE = SEAM.charCodeAt(0)
const NO_BORDERS: readonly number[] = []

/** Whether a character may be part of a run, its padding or a seam. */
export const isOfStretch = (c: number): boolean => isOfRun(c) || c === SEAM_CODE

/** The end of what goes on across seams behind a run that ends at a place. */
export function stretchEnd(text: string, runEndsAt: number, limit: number): number {
  let end = runEndsAt
  while (end + 1 < limit && text.charCodeAt(end) === SEAM_CODE && isIn(text.charCodeAt(end + 1)))
    end = runEnd(text, end + 1, limit)
  return end
}

/** The start of what goes on across seams before a run that starts at a place. */
export function stretchStart(text: string, runStartsAt: number, floor: number): number {
  let start = runStartsAt
  while (start - 1 > floor && text.charCodeAt(start - 1) === SEAM_CODE && isIn(text.charCodeAt(start - 2)))
    start = runStart(text, start - 1, floor)
  return start
}

/** Whether a run, or a seam in it, stands on both sides of a place. */
export const stretchGoesOn = (text: string, at: number): boolean =>
  isOfPieces(text.charCodeAt(at - 1)) && isOfPieces(text.charCodeAt(at))

const isOfPieces = (c: number): boolean => isIn(c) || c === SEAM_CODE

export interface Piece {
  readonly start: number
  readonly end: number
}

/** The parts of a stretch between its seams and borders. */
export function piecesOf(text: string, start: number, end: number, borders?: readonly number[]): Piece[] {
  const pieces: Piece[] = []
  let from = start
  for (const piece of text.slice(start, end).split(SEAM)) {
    const to = from + piece.length
    for (const border of borders ?? NO_BORDERS) {
      if (border <= from || border >= to) continue
      pieces.push({ start: from, end: border })
      from = border
    }
    pieces.push({ start: from, end: to })
    from = to + SEAM.length
  }
  return pieces
}

const NO_RUNS: readonly EncodedRun[] = []
/** How many pieces one run may have, but for one that has all, or all but a word at an end of the stretch. */
const MOST_PIECES = 4

/** Where a run may begin that goes on to the last of a number of pieces. */
export const mayBeginAt = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => i).filter((i) => i < 2 || i >= count - MOST_PIECES)

/** Pieces of a text, and what they are without the seams between them. */
interface Parted {
  readonly text: string
  readonly pieces: readonly Piece[]
  readonly joined: string
  /** Where each piece begins in `joined`, and where the last one ends. */
  readonly starts: readonly number[]
}

function partedOf(text: string, pieces: readonly Piece[]): Parted {
  let joined = ''
  const starts = [0]
  for (const { start, end } of pieces) {
    joined += text.slice(start, end)
    starts.push(joined.length)
  }
  return { text, pieces, joined, starts }
}

/**
 * The runs of a stretch: of all its pieces together, and of single ones or some. Where both readings differ, both are shown.
 *
 * @param isKnown whether the first piece is whole
 */
export function partedRuns(text: string, isKnown: boolean, pieces: readonly Piece[]): readonly EncodedRun[] {
  const parted = partedOf(text, pieces)
  const count = pieces.length
  const first = isKnown ? 0 : 1
  const across = isKnown ? runsOver(parted, 0, count) : NO_RUNS
  // A line of PEM or MIME goes on in the next one.
  if (across.length > 0 && LINE_LENGTHS.has(parted.joined.length)) return across
  const others: EncodedRun[] = []
  for (let i = first; i < count; i++) addAll(others, runsOver(parted, i, i + 1))
  // The same text: read between the borders, it may be taken apart there.
  if (across.length > 0 && spelledBy(across) === spelledBy(others)) return others
  for (const [from, to] of [
    [1, count],
    [1, count - 1],
    [first, count - 1],
  ] as const)
    if (to - from > MOST_PIECES) addAll(others, runsOver(parted, from, to))
  for (let i = first; i < count; i++)
    for (let n = 2; n <= MOST_PIECES && n < count - first && i + n <= count; n++)
      addAll(others, runsOver(parted, i, i + n))
  return both(across, longest(others))
}

/** Most pieces have none. */
function addAll(to: EncodedRun[], runs: readonly EncodedRun[]): void {
  for (const run of runs) to.push(run)
}

/** Of runs that overlap, the longer one. */
function longest(runs: EncodedRun[]): EncodedRun[] {
  const found: EncodedRun[] = []
  for (const run of runs.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1)
    if (last === undefined || run.start >= last.end) found.push(run)
    else if (run.end - run.start > last.end - last.start) found[found.length - 1] = run
  }
  return found
}

/** Runs that overlap become one, whose text has their texts in lines. Neither of the lists has such runs itself. */
function both(across: readonly EncodedRun[], others: readonly EncodedRun[]): readonly EncodedRun[] {
  if (across.length === 0) return others
  const found: EncodedRun[] = []
  for (const run of [...across, ...others].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1)
    if (last === undefined || run.start >= last.end) found.push(run)
    else found[found.length - 1] = { ...last, end: Math.max(last.end, run.end), text: `${last.text}\n${run.text}` }
  }
  return found
}

/** See `runsIn`, for the pieces from one up to another, read as one. */
function runsOver(parted: Parted, first: number, last: number): readonly EncodedRun[] {
  const { text, pieces, joined, starts } = parted
  const from = starts[first] as number
  const to = starts[last] as number
  if (to - from < MIN) return NO_RUNS
  const runs = runsIn(joined, from, to)
  if (runs.length === 0) return NO_RUNS
  return runs.map((run) => {
    const end = run.end === to ? paddingEnd(text, (pieces[last - 1] as Piece).end) : sourceIn(parted, run.end - 1) + 1
    return { start: sourceIn(parted, run.start), end, text: run.text }
  })
}

/** Where the character at a place of `joined` stands in the text. */
function sourceIn({ pieces, starts }: Parted, at: number): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] as number) <= at) low = middle
    else high = middle - 1
  }
  return (pieces[low] as Piece).start + at - (starts[low] as number)
}

/** See `decode`, for what may have seams. */
export function decodeStretch(text: string, start: number, end: number, isLine?: boolean): EncodedRun | undefined {
  const pieces = piecesOf(text, start, end)
  if (pieces.length === 1) return decode(text, start, end, isLine)
  const joined = textOf(text, pieces)
  const run = decode(joined, 0, joined.length, isLine)
  return run && { start, end: paddingEnd(text, end), text: run.text }
}

/** What the pieces are without the seams between them. */
export const textOf = (text: string, pieces: readonly Piece[]): string =>
  pieces.map(({ start, end }) => text.slice(start, end)).join('')

/** Where the character at a place of the joined pieces stands in the text. */
export function sourceOf(pieces: readonly Piece[], at: number): number {
  let left = at
  for (const { start, end } of pieces) {
    if (left < end - start) return start + left
    left -= end - start
  }
  return (pieces.at(-1) as Piece).end
}

const spelledBy = (runs: readonly EncodedRun[]): string => runs.map(({ text }) => text).join('')
