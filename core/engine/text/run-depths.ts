/**
 * What may be encoded, or stand as it is: base64 and hex, since the first characters of one random key in 250 encode text by chance,
 * and quoted-printable, since `secret=7D…` may be a sign and a key. There is a reading for each depth up to which such codes
 * are decoded, one within another. Depths are even for runs and odd for quoted-printable beside runs of that depth: 1 is
 * quoted-printable, 2 a run, 3 quoted-printable in a run, 4 a run in a run.
 */
import { allSteps, Pace, type Steps } from '../util/steps.ts'
import { joinsEscapeBefore } from './escape-joins.ts'
import { looseEscapeAt } from './loose-escapes.ts'
import type { OffsetMap } from './offset-map.ts'
import { type Piece, piecesOf } from './parted-runs.ts'
import { type EncodedRun, MIN, paddingSigns, runStart } from './run-decoding.ts'

/** Deeper than any code: the depth of decorations beside words, which may be letters and digits; see unicode.ts. */
export const EVERY_DEPTH = 29

/** Whether a reading up to a depth folds decorations: all do, except for one that decodes every code. */
export const foldsUpTo = (most: number): boolean => most + 1 !== EVERY_DEPTH

/** What a pass reads in the place of a run. */
export interface ReadRun {
  readonly start: number
  readonly end: number
  /** Absent if it stays as it is written. */
  readonly text?: string
}

/** Where codes were decoded in the source, one within another, and at which depths, a bit for each. In order, and apart. */
export interface RunPlace {
  readonly start: number
  readonly end: number
  readonly depths: number
}

const NONE: readonly RunPlace[] = []

interface Code {
  readonly start: number
  readonly end: number
  /** Absent in quoted-printable. */
  readonly text?: string
  readonly waits?: true
}

/** How deep the codes lie that the passes of one reading decode. */
export class RunDepths {
  readonly #most: number
  #marks: readonly RunPlace[] = NONE
  #next: readonly RunPlace[] = NONE
  /** The depths of both, a bit for each. */
  #depths = 0
  #nextDepths = 0
  #folded = false

  /** @param most codes that lie deeper stay as they are written */
  constructor(most: number) {
    this.#most = most
  }

  /** The depths of what was decoded before a position in the source, a bit for each. */
  before(position = Number.POSITIVE_INFINITY): number {
    const folded = this.#folded ? 1 << EVERY_DEPTH : 0
    if (position === Number.POSITIVE_INFINITY) return folded | this.#depths
    return this.#marks.reduce((all, { start, depths }) => (start < position ? all | depths : all), folded)
  }

  get decoded(): readonly RunPlace[] {
    return this.#marks
  }

  /**
   * What a pass makes of the runs in `text[from..end]`, and of its quoted-printable. May be called again before the pass is `done`.
   *
   * @param from where the text of the pass begins, after its context
   * @param map from the text of the pass to the source
   */
  read(
    text: string,
    runs: readonly EncodedRun[] | undefined,
    from = 0,
    end = text.length,
    map?: OffsetMap,
  ): readonly ReadRun[] | undefined {
    return allSteps(this.#read(text, allSteps(codesIn(text, runs ?? NO_RUNS, from, end)), from, map))
  }

  /** See `read`. */
  *readInSteps(text: string, runs: readonly EncodedRun[], map?: OffsetMap): Steps<readonly ReadRun[] | undefined> {
    return yield* this.#read(text, yield* codesIn(text, runs, 0, text.length), 0, map)
  }

  *#read(text: string, codes: readonly Code[], from: number, map?: OffsetMap): Steps<readonly ReadRun[] | undefined> {
    this.#next = NONE
    this.#nextDepths = 0
    if (codes.length === 0) return undefined
    const pace = new Pace(LOOKS)
    const read: ReadRun[] = []
    const marks: RunPlace[] = []
    let i = 0
    for (const code of codes) {
      if (pace.spent(1)) yield
      if (code.waits) {
        read.push(code)
        continue
      }
      const start = Math.max(0, code.start - from)
      const [first, last] = map === undefined ? [start, code.end - from] : map.toRaw(start, code.end - from)
      while (i < this.#marks.length && (this.#marks[i] as RunPlace).end <= first) i++
      let runs = 0
      for (let j = i; j < this.#marks.length && (this.#marks[j] as RunPlace).start < last; j++)
        runs = Math.max(runs, deepest(this.#marks[j] as RunPlace) >> 1)
      const isRun = code.text !== undefined
      const depth = 2 * runs + (isRun ? 2 : 1)
      if (depth > this.#most) {
        if (isRun) asWritten(text, code, read)
        else read.push({ start: code.start, end: code.start + 1 })
      } else {
        if (isRun) read.push(code)
        marks.push({ start: first, end: last, depths: 1 << depth })
        this.#nextDepths |= 1 << depth
      }
    }
    this.#next = marks
    return read
  }

  /**
   * The pass has read its text.
   *
   * @param folded whether it folded decorations
   */
  done(folded: boolean): void {
    allSteps(this.doneInSteps(folded))
  }

  /** See `done`. */
  *doneInSteps(folded: boolean): Steps<void> {
    this.#folded ||= folded
    if (this.#next.length === 0) return
    this.#depths |= this.#nextDepths
    this.#marks = this.#marks.length === 0 ? this.#next : yield* merged(this.#marks, this.#next)
    this.#next = NONE
  }
}

/** The runs, and the escapes of quoted-printable outside of them, in order. */
function* codesIn(text: string, runs: readonly EncodedRun[], from: number, end: number): Steps<readonly Code[]> {
  let at = text.indexOf('=', from)
  if (at < 0 || at >= end) return runs
  const codes: Code[] = []
  let next = 0
  for (let looked = 1; at >= 0 && at < end; at = text.indexOf('=', at), looked++) {
    if (looked % LOOKS === 0) yield
    while (next < runs.length && (runs[next] as EncodedRun).end <= at) codes.push(runs[next++] as EncodedRun)
    const run = runs[next]
    if (run !== undefined && run.start <= at) at = run.end
    else {
      const found = looseEscapeAt(text, at, EQUALS)
      if (found?.text === '' && endsWaiting(text, at)) codes.push({ start: at++, end: at, text: '=', waits: true })
      else {
        if (found !== undefined) codes.push({ start: at, end: found.end })
        at = found?.end ?? at + 1
      }
    }
  }
  while (next < runs.length) codes.push(runs[next++] as EncodedRun)
  return codes
}

/** Whether the sign of equality at a place is padding of a run whose last characters, too few for one, stand behind an escape. */
function endsWaiting(text: string, at: number): boolean {
  const end = text.charCodeAt(at - 1) === EQUALS ? at - 1 : at
  const start = runStart(text, end, Math.max(0, end - MIN))
  return end - start < MIN && joinsEscapeBefore(text, start)
}

const EQUALS = 0x3d
/** Signs of equality to look at in one step. */
const LOOKS = 16 * 1024
const NO_RUNS: readonly EncodedRun[] = []

const deepest = ({ depths }: RunPlace): number => 31 - Math.clz32(depths)

/** Both lists are in order. */
function* merged(earlier: readonly RunPlace[], later: readonly RunPlace[]): Steps<RunPlace[]> {
  const found: RunPlace[] = []
  const pace = new Pace(LOOKS)
  for (let i = 0, j = 0; i < earlier.length || j < later.length; ) {
    if (pace.spent(1)) yield
    const isEarlier = j === later.length || (i < earlier.length && startOf(earlier, i) <= startOf(later, j))
    const mark = (isEarlier ? earlier[i++] : later[j++]) as RunPlace
    const last = found.at(-1)
    if (last === undefined || mark.start >= last.end) found.push(mark)
    else {
      const depths = last.depths | mark.depths
      found[found.length - 1] = { start: last.start, end: Math.max(last.end, mark.end), depths }
    }
  }
  return found
}

const startOf = (marks: readonly RunPlace[], i: number): number => (marks[i] as RunPlace).start

/** Only its padding changes: it reads as signs of equality, and joins no lines. Seams are read as elsewhere. */
function asWritten(text: string, { start, end }: Code, read: ReadRun[]): void {
  const pieces = piecesOf(text, start, end)
  const last = pieces.pop() as Piece
  read.push(...pieces)
  const [first = end, ...signs] = paddingSigns(text, last.start, end)
  read.push({ start: last.start, end: first })
  for (let i = 0, at = first; i < signs.length; at = signs[i++] as number)
    read.push({ start: at, end: signs[i] as number, text: '=' })
}
