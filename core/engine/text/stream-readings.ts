import { LazyMap } from '../util/lazy.ts'
import type { Inspection } from './inspection.ts'
import { PartReadings } from './part-reading.ts'
import { type FirstReading, StreamReading } from './reading-views.ts'
import { type Decoded, type DecodedPart, endOf, type Left, MAX_OPEN, MAX_PASSES, readAgain } from './readings.ts'
import { EVERY_DEPTH, foldsUpTo } from './run-depths.ts'
import { type BaseView, LEFT_CONTEXT } from './views.ts'

/** New text, as each reading shows it, up to the same place. */
export interface ReadText {
  readonly all: Decoded
  /** By the depth up to which codes are decoded. */
  readonly upTo: ReadonlyMap<number, Decoded>
}

/** A reading that leaves codes of the next depth as they are. */
interface Shallow {
  /** Absent while it shows what the first reading shows. */
  view: StreamReading | undefined
  /** Position in the full reading after the last code of the next depth. */
  until: number
}

/**
 * The further readings of a streamed text: one with everything decoded, and for each depth of codes in sight one that decodes
 * none of that depth or deeper; see run-depths.ts.
 */
export class StreamReadings {
  readonly #inspection: Inspection
  readonly #of: FirstReading
  #all: StreamReading | undefined = undefined
  /** By the depth up to which they decode. Those between them are like the next one, or like the full one. */
  readonly #upTo = new LazyMap<number, Shallow>()

  constructor(inspection: Inspection, of: FirstReading) {
    this.#inspection = inspection
    this.#of = of
  }

  /** Those that show something that the first reading does not. */
  get list(): readonly StreamReading[] {
    if (this.#all === undefined) return NONE
    if (this.#upTo.size === 0) return [this.#all]
    return [this.#all, ...[...this.#upTo.all.values()].flatMap(({ view }) => view ?? [])]
  }

  get isEmpty(): boolean {
    return this.#all === undefined
  }

  /** With those of single parts. */
  views(parts: readonly BaseView[]): readonly BaseView[] {
    if (this.#all === undefined) return parts
    const { list } = this
    return [...list, ...parts, ...list.flatMap((view) => view.parts?.list ?? [])]
  }

  /** @param first the last units of the first reading */
  left(first: string): Left {
    return leftOf(this.#all, first)
  }

  /**
   * Reads what follows; see `readAgain`.
   *
   * @param mayWait whether nothing of it may be shown
   */
  read(
    source: string,
    final: boolean,
    left: Left,
    mayWait: boolean,
    floor: (at: number) => number = anywhere,
  ): ReadText {
    const read = this.#read(source, final, left, floor)
    // One may decode what another cuts, so that no place suits both.
    const least = mayWait ? source.length - MAX_OPEN : Math.max(1, source.length - MAX_OPEN)
    return final || read.all.shown >= least ? read : this.#read(source, true, left, anywhere)
  }

  #read(source: string, final: boolean, left: Left, floor: (at: number) => number): ReadText {
    const all = readAgain(source, final, left, floor)
    if (all.depths === 0 && this.#upTo.size === 0) return { all, upTo: NOTHING }
    const upTo = new Map<number, DecodedPart>()
    for (let most = 0; most < EVERY_DEPTH; most++)
      if (decodes(all, most + 1) || this.#upTo.has(most))
        upTo.set(most, readAgain(source, final, this.#leftUpTo(most, left), floor, most))
    return upToOnePlace(all, upTo, floor)
  }

  /** The reading up to a depth, or the one that it was like until now; undefined for the full one. Only one folds no decorations and seams. */
  #like(most: number): Shallow | undefined {
    const end = foldsUpTo(most) ? EVERY_DEPTH - 1 : EVERY_DEPTH
    for (let other = most; other < end; other++) if (this.#upTo.has(other)) return this.#upTo.get(other)
    return undefined
  }

  /** What stands left of new text where codes are decoded up to a depth. */
  #leftUpTo(most: number, left: Left): Left {
    const shallow = this.#like(most)
    if (shallow === undefined) return left
    const { borders } = left
    const { view } = shallow
    const units = borders?.since?.[0]
    const unread = units === undefined ? undefined : new Array<number>(MAX_PASSES).fill(units)
    const since = view === undefined ? unread : view.since
    return { ...leftOf(view, left.first), ...(borders === undefined ? {} : { borders: { at: borders.at, since } }) }
  }

  /** Called before the first reading grows by `length` characters, which were read as `read`. */
  append({ all, upTo }: ReadText, length: number, parts: PartReadings | undefined): void {
    // The deepest last: none begins from one that began just now.
    for (const most of upTo.keys()) {
      if (this.#upTo.has(most) || !decodes(all, most + 1)) continue
      const like = this.#like(most)
      const of = like === undefined ? this.#all : like.view
      this.#upTo.set(most, { view: of?.fork(most), until: 0 })
    }
    if (all.differs) this.#all ??= this.#begin(EVERY_DEPTH, parts)
    if (this.#all === undefined) return
    this.#all.append(all, length)
    for (const [most, shallow] of this.#upTo.all) {
      const read = upTo.get(most) as Decoded
      if (read.differs) shallow.view ??= this.#begin(most, parts)
      shallow.view?.append(read, length)
      if (decodes(all, most + 1)) shallow.until = this.#all.offset + this.#all.text.length
    }
  }

  /** From here on the reading differs from the first. */
  #begin(most: number, parts: PartReadings | undefined): StreamReading {
    const view = new StreamReading(this.#inspection, this.#of, most)
    if (parts !== undefined) view.parts = new PartReadings(this.#inspection, view, parts)
    return view
  }

  /** Ends readings that differ from no other in the sight of a detector. */
  forget(): void {
    const all = this.#all
    if (all === undefined) return
    for (const [most, shallow] of this.#upTo.all) {
      if (all.offset - shallow.until >= LEFT_CONTEXT && shallow.view?.inSight !== true) this.#upTo.delete(most)
      else if (shallow.view?.inSight === false) shallow.view = undefined
    }
    if (this.#upTo.size === 0 && !all.inSight) this.#all = undefined
  }

  /** A part of the text begins. */
  beginPart(at: number, released: number, run: string | undefined): void {
    for (const view of this.list) {
      view.parts ??= new PartReadings(this.#inspection, view)
      view.parts.begin(at, released, run)
    }
  }

  /** Before the taps run. */
  prepare(): void {
    for (const view of this.list) view.prepare()
  }

  /** When the text has grown. */
  place(): void {
    for (const { parts } of this.list) parts?.place()
  }

  /** See `StreamReading`. */
  takeBack(from: number): void {
    for (const view of this.list) view.takeBack(from)
  }

  /** The last position up to `from` in the first reading up to which no reading holds text. */
  bound(from: number): number {
    return this.#all === undefined ? from : this.list.reduce((at, view) => view.bound(at), from)
  }

  /** Called before the first reading releases its text up to a position. */
  release(until: number): void {
    for (const view of this.list) view.release(until)
  }
}

/** One reading may know less of the end than another. All of them are cut where none splits what it decoded. */
function upToOnePlace(
  all: DecodedPart,
  upTo: ReadonlyMap<number, DecodedPart>,
  floor: (at: number) => number,
): ReadText {
  const reads = [all, ...upTo.values()]
  const ends = reads.map(({ shown }) => shown)
  let shown = Math.min(...ends)
  if (shown === Math.max(...ends)) return { all, upTo }
  for (let at = -1; at !== shown; ) {
    at = shown
    shown = reads.reduce((least, { map }) => map?.floor(least) ?? least, floor(at))
  }
  return { all: all.cut(shown), upTo: new Map([...upTo].map(([most, read]) => [most, read.cut(shown)])) }
}

const anywhere = (at: number): number => at

const NONE: readonly StreamReading[] = []
const NOTHING: ReadText['upTo'] = new Map()

const decodes = ({ depths }: Decoded, depth: number): boolean => (depths & (1 << depth)) !== 0

const leftOf = (view: StreamReading | undefined, first: string): Left =>
  view === undefined
    ? { first, second: first, differs: false }
    : { first, second: endOf(view), differs: true, passes: view.passes }
