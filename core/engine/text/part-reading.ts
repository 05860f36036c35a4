import type { Direction, Finding } from '../contract/plugin.ts'
import type { Report } from './findings.ts'
import type { Inspection } from './inspection.ts'
import { BaseView, LEFT_CONTEXT, type ViewOrigin } from './views.ts'

/** What the reading of a part needs of the whole text, in one of its readings. */
export interface PartedText extends ViewOrigin {
  readonly text: string
  readonly before: string
  readonly offset: number
  readonly final: boolean
  /** Raw position after `text`. */
  readonly shown: number
  /** Index in `text` of a raw position that was not released. */
  indexOf(raw: number): number
  add(report: Report): void
  toField(start: number, end: number): readonly [number, number]
  source(start: number, end: number): string
  hold(from: number, until?: PromiseLike<unknown>): void
}

/**
 * One part of a streamed text that clients show as one text, by itself: words of two parts may stand side by side in
 * the whole text and hide where a value begins or ends. Copies nothing; it is a window onto the whole text.
 */
export class PartReading extends BaseView {
  readonly direction: Direction = 'output'
  override readonly reading = 'part'
  override readonly continues: number | undefined
  fresh = 0
  readonly #of: PartedText
  /** Raw position of the part, and its place in the normalised text once it is shown. */
  readonly #start: number
  #from: number | undefined = undefined
  #end = Number.POSITIVE_INFINITY
  #to: number | undefined = undefined
  #holdFrom = Number.POSITIVE_INFINITY
  #foundUntil = Number.NEGATIVE_INFINITY

  constructor(inspection: Inspection, of: PartedText, start: number, continues?: number) {
    super(inspection, inspection.nextReading(), of)
    this.#of = of
    this.#start = start
    this.continues = continues
  }

  /** The same part in another reading, which did not differ until now. */
  in(reading: PartedText): PartReading {
    const part = new PartReading(this.inspection, reading, this.#start, this.id)
    part.beginsNow = true
    part.fresh = this.fresh
    part.#from = this.#from
    part.#end = this.#end
    part.#to = this.#to
    return part
  }

  get isOpen(): boolean {
    return this.#end === Number.POSITIVE_INFINITY
  }

  /** Another part begins at a raw position. */
  endAt(raw: number): void {
    this.#end = raw
  }

  /** Whether detectors saw all of it, or see nothing else in the whole text. */
  get isDone(): boolean {
    if (!this.isOpen) return this.#to !== undefined
    return this.#from !== undefined && this.#of.offset - Math.max(this.#from, this.#foundUntil) >= LEFT_CONTEXT
  }

  /** Called before the whole text grows. */
  prepare(): void {
    this.beginsNow = false
    this.fresh = this.text.length
    this.#holdFrom = Number.POSITIVE_INFINITY
  }

  /** Called when the whole text has grown. */
  place(): void {
    const { offset, shown } = this.#of
    if (this.#from === undefined && this.#start < shown) this.#from = offset + this.#of.indexOf(this.#start)
    if (this.#end <= shown) this.#to = offset + this.#of.indexOf(this.#end)
    this.fresh = Math.min(this.fresh, this.text.length)
  }

  /** Index in the whole text where this text begins. */
  get #shift(): number {
    return this.#from === undefined ? 0 : Math.max(0, this.#from - this.#of.offset)
  }

  get text(): string {
    if (this.#from === undefined) return ''
    const { text, offset } = this.#of
    return text.slice(this.#shift, this.#to === undefined ? text.length : Math.max(0, this.#to - offset))
  }

  get before(): string {
    if (this.#from === undefined) return ''
    const { before, offset } = this.#of
    return before.slice(Math.max(0, before.length - Math.max(0, offset - this.#from)))
  }

  get offset(): number {
    return this.#of.offset + this.#shift
  }

  get final(): boolean {
    return this.#to !== undefined || this.#of.final
  }

  override toField(start: number, end: number): readonly [number, number] {
    const shift = this.#shift
    return this.#of.toField(start + shift, end + shift)
  }

  protected get rawEnd(): number {
    return Math.min(this.#end, this.#of.shown)
  }

  source(start: number, end: number): string {
    return this.#of.source(start, end)
  }

  hold(from: number, until?: PromiseLike<unknown>): void {
    const reporter = this.active('hold')
    this.checkHold(reporter, from, until)
    const { length } = this.text
    const at = Math.min(Math.max(0, Math.floor(from)), length)
    if (until !== undefined) this.#of.hold(this.#shift + at, until)
    else if (!this.final && at < length)
      this.#holdFrom = Math.min(this.#holdFrom, this.offset + this.boundedHold(reporter, at))
  }

  /** The last position in the whole text, up to `index`, up to which text may leave. */
  bound(index: number): number {
    return this.final ? index : Math.min(index, Math.max(0, this.#holdFrom - this.#of.offset))
  }

  override report(finding: Finding): void {
    super.report(finding)
    this.#foundUntil = Math.max(this.#foundUntil, this.offset + finding.end)
  }

  override add(report: Report): void {
    this.#of.add(report)
  }
}

/** The parts of one reading of a text that detectors still have to see by themselves. */
export class PartReadings {
  readonly #inspection: Inspection
  readonly #of: PartedText
  #list: PartReading[]
  #last: PartReading | undefined = undefined
  /** Of several parts; and their name. */
  #run: PartReading | undefined = undefined
  #runName: string | undefined = undefined

  constructor(inspection: Inspection, of: PartedText, first?: PartReadings) {
    this.#inspection = inspection
    this.#of = of
    this.#list = []
    if (first === undefined) return
    for (const part of first.#list) {
      const own = part.in(of)
      this.#list.push(own)
      if (part === first.#last) this.#last = own
      if (part === first.#run) this.#run = own
    }
    this.#runName = first.#runName
  }

  get list(): readonly PartReading[] {
    return this.#list
  }

  /** A part begins at a raw position; text up to another one has left. Parts of one `run` are also read as one. */
  begin(at: number, released: number, run: string | undefined): void {
    if (this.#last?.isOpen === true) this.#last.endAt(at)
    else if (released < at) this.#add(released).endAt(at)
    this.#last = this.#add(at)
    if (run === this.#runName) return
    this.#run?.endAt(at)
    this.#run = run === undefined ? undefined : this.#add(at)
    this.#runName = run
  }

  #add(start: number): PartReading {
    const part = new PartReading(this.#inspection, this.#of, start)
    this.#list.push(part)
    return part
  }

  /** Called before the whole text grows. */
  prepare(): void {
    this.#list = this.#list.filter(({ isDone }) => !isDone)
    if (this.#last?.isDone === true) this.#last = undefined
    if (this.#run?.isDone === true) this.#run = undefined
    for (const part of this.#list) part.prepare()
  }

  /** Called when the whole text has grown. */
  place(): void {
    for (const part of this.#list) part.place()
  }

  /** The last position in the whole text, up to `index`, up to which text may leave. */
  bound(index: number): number {
    return this.#list.reduce((at, part) => part.bound(at), index)
  }
}
