import type { Direction, Finding } from '../contract/plugin.ts'
import type { Report } from './findings.ts'
import type { Inspection } from './inspection.ts'
import { type PartedText, PartReadings } from './part-reading.ts'
import { type Decoded, endOf, readAgain } from './readings.ts'
import type { Stretch } from './stretches.ts'
import { OffsetMap } from './unicode.ts'
import { BaseView, LEFT_CONTEXT, type ViewOrigin } from './views.ts'

/** What the second reading needs of the first reading of a complete text. */
interface WholeText extends ViewOrigin {
  readonly direction: Direction
  readonly raw: string
  source(start: number, end: number): string
  hold(from: number, until?: PromiseLike<unknown>): void
  add(report: Report): void
}

/** The second reading of a stretch of a complete text. Its findings go to the text itself. */
export class FieldReading extends BaseView {
  readonly direction: Direction
  readonly text: string
  readonly before = ''
  readonly fresh = 0
  readonly offset: number
  readonly final = true
  override readonly reading = 'decoded'
  readonly #of: WholeText
  readonly #from: number
  readonly #to: number

  /** @param of the view of the whole text; `map` belongs to its first reading */
  constructor(inspection: Inspection, of: WholeText, stretch: Stretch, read: Decoded, map: OffsetMap | undefined) {
    super(inspection, inspection.nextReading(), of)
    const { start, from, to } = stretch
    const within = start === 0 ? read.map : (read.map ?? new OffsetMap()).after(new OffsetMap(undefined, start))
    this.direction = of.direction
    this.text = read.text
    this.offset = start
    this.map = within === undefined ? map : within.after(map)
    this.#of = of
    this.#from = within?.fromRaw(from) ?? from
    this.#to = within?.fromRaw(to) ?? to
  }

  /** The first reading already showed what lies outside, with its full context. */
  override report(finding: Finding): void {
    if (!(finding?.end <= this.#from || finding?.start >= this.#to)) super.report(finding)
  }

  protected get rawEnd(): number {
    return this.#of.raw.length
  }

  source(start: number, end: number): string {
    return this.#of.source(start, end)
  }

  hold(from: number, until?: PromiseLike<unknown>): void {
    this.spoil()
    this.#of.hold(from, until)
  }

  override add(report: Report): void {
    this.#of.add(report)
  }
}

/** What the second reading of a streamed text needs of the first. */
export interface FirstReading extends PartedText {
  readonly id: number
  /** Raw position up to which the text was released. */
  readonly released: number
  sourceAt(index: number): number
}

/**
 * A second reading of a streamed text, which grows with the first. It starts at the first escape that changes the
 * text. It ends once no difference is visible to detectors, not even in released text.
 */
export class StreamReading extends BaseView {
  readonly direction: Direction = 'output'
  text: string
  before: string
  fresh = 0
  offset: number
  override readonly reading = 'decoded'
  override readonly continues: number
  override beginsNow = true
  readonly #of: FirstReading
  /** Maps positions in this reading to the first; both count from the start of the field. */
  #places = new OffsetMap()
  /** Encoded runs that lie deeper within one another stay as they are written. */
  readonly #most: number
  #holdFrom = Number.POSITIVE_INFINITY
  /** Set once the text has several parts. */
  parts: PartReadings | undefined = undefined
  /** See `Left`. */
  passes: readonly string[] | undefined = undefined
  since: readonly number[] | undefined = undefined
  /** Position after the last character that differs from the first reading. */
  #differsUntil = Number.NEGATIVE_INFINITY
  /** Position after the last finding. */
  #foundUntil = Number.NEGATIVE_INFINITY

  constructor(inspection: Inspection, of: FirstReading, most: number, continues = of.id) {
    super(inspection, inspection.nextReading(), of)
    this.#of = of
    this.#most = most
    this.continues = continues
    this.text = of.text
    this.before = of.before
    this.offset = of.offset
  }

  /** The same text, which is read in another way from here on. */
  fork(most: number): StreamReading {
    const other = new StreamReading(this.inspection, this.#of, most, this.id)
    other.text = this.text
    other.before = this.before
    other.offset = this.offset
    other.#places = this.#places.copy()
    other.passes = this.passes
    other.since = this.since
    other.#differsUntil = this.#differsUntil
    if (this.parts !== undefined) other.parts = new PartReadings(this.inspection, other, this.parts)
    return other
  }

  get final(): boolean {
    return this.#of.final
  }

  get shown(): number {
    return this.#of.shown
  }

  /** Index in `text` of a raw position that was not released; within an escape, of its character. */
  indexOf(raw: number): number {
    return this.#places.fromRaw(this.#of.offset + this.#of.indexOf(raw)) - this.offset
  }

  /** Before the taps run. */
  prepare(): void {
    this.beginsNow = false
    this.parts?.prepare()
    this.fresh = this.text.length
    this.#holdFrom = Number.POSITIVE_INFINITY
  }

  /** Called before the first reading grows by `length` characters, which were read again as `read`. */
  append(read: Decoded, length: number): void {
    this.#append(read, length, this.#of.offset + this.#of.text.length)
  }

  #append({ text, map, differs, passes, since }: Decoded, length: number, position: number): void {
    this.passes = passes
    this.since = since
    const at = this.offset + this.text.length
    if (map !== undefined) this.#places.append(map.flat(text.length, length), at, position)
    this.text += text
    if (differs) this.#differsUntil = at + text.length
  }

  /** Called before the first reading takes back its text from a position on. */
  takeBack(from: number): void {
    const { offset, text } = this.#of
    const start = this.#places.floor(offset + from)
    this.text = this.text.slice(0, this.#places.fromRaw(start) - this.offset)
    this.#places.dropFrom(start)
    // The escape lost its end.
    const rest = text.slice(start - offset, from)
    this.passes = undefined
    const left = { first: '', second: endOf(this), differs: true }
    if (rest !== '') this.#append(readAgain(rest, true, left, undefined, this.#most), rest.length, start)
    this.fresh = Math.min(this.fresh, this.text.length)
  }

  /** Whether detectors can still see a difference from the first reading. */
  get inSight(): boolean {
    return this.offset - this.#differsUntil < LEFT_CONTEXT
  }

  override toField(start: number, end: number): readonly [number, number] {
    const { offset } = this.#of
    const [from, to] = this.#places.toRaw(this.offset + start, this.offset + end)
    return this.#of.toField(from - offset, to - offset)
  }

  protected override get rawStart(): number {
    return this.#of.released
  }

  protected get rawEnd(): number {
    return this.#of.sourceAt(this.#of.text.length)
  }

  source(start: number, end: number): string {
    return this.#of.source(start, end)
  }

  hold(from: number, until?: PromiseLike<unknown>): void {
    const reporter = this.active('hold')
    this.checkHold(reporter, from, until)
    const at = Math.min(Math.max(0, Math.floor(from)), this.text.length)
    if (until !== undefined) this.#of.hold(this.#inFirst(at), until)
    else if (!this.final && at < this.text.length)
      this.#holdFrom = Math.min(this.#holdFrom, this.boundedHold(reporter, at))
  }

  #inFirst(at: number): number {
    if (at === this.text.length) return this.#of.text.length
    return this.#places.toRaw(this.offset + at, this.offset + at + 1)[0] - this.#of.offset
  }

  /**
   * The last position, up to `from` in the first reading, up to which text may leave. Excludes text held here and parts
   * of escapes.
   */
  bound(from: number): number {
    const { offset } = this.#of
    const held = Math.min(this.#holdFrom, this.parts?.bound(this.text.length) ?? this.text.length)
    const free = held < this.text.length ? Math.min(from, this.#inFirst(held)) : from
    return this.#places.floor(offset + free) - offset
  }

  /** Called before the first reading releases its text up to a position. */
  release(until: number): void {
    const position = this.#of.offset + until
    const from = this.#places.fromRaw(position) - this.offset
    this.before = (this.before + this.text.slice(0, from)).slice(-LEFT_CONTEXT)
    this.text = this.text.slice(from)
    this.offset += from
    this.#holdFrom -= from
    this.#places.dropBefore(position)
    // What was found at the border may continue, and only this reading knows of it.
    if (this.#foundUntil >= this.offset) this.#differsUntil = Math.max(this.#differsUntil, this.offset)
  }

  override report(finding: Finding): void {
    super.report(finding)
    this.#foundUntil = Math.max(this.#foundUntil, this.offset + finding.end)
  }

  override add(report: Report): void {
    this.#of.add(report)
  }
}
