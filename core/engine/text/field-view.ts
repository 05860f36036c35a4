import type { Direction } from '../contract/plugin.ts'
import { allSteps, type NextTurn, type Steps, stepByStep } from '../util/steps.ts'
import { Ballot } from './ballot.ts'
import { readingsInSteps } from './complete-readings.ts'
import type { Report, Rewrite } from './findings.ts'
import type { Inspection } from './inspection.ts'
import { normaliseInSteps, STEP } from './long-texts.ts'
import type { Passage } from './passages.ts'
import { FieldReading } from './reading-views.ts'
import { mayDiffer, wholeEscapes } from './readings.ts'
import { Reports } from './reports.ts'
import { type Normalised, normalise } from './unicode.ts'
import { BaseView, type RawSpan, type ViewOrigin } from './views.ts'

const NONE: readonly FieldReading[] = []
/** Names that are unambiguous without quotes. */
const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** A text that is complete from the start: a field of a request, or of a buffered reply. */
export class FieldView extends BaseView {
  readonly direction: Direction
  readonly raw: string
  readonly before = ''
  readonly fresh = 0
  readonly offset = 0
  readonly final = true
  /** External verdicts that this text waits for. */
  waits: Promise<unknown>[] | undefined = undefined
  /** Whether it has findings; known after `settle`. */
  reported = false
  /** The texts of a request that the memo knows together with this one. */
  passage: Passage | undefined = undefined
  indexInPassage = 0
  /** How many views show it among other texts. */
  readers = 0
  #ballots: Map<string, Ballot> | undefined = undefined
  #read: Normalised | undefined
  /** Shares of values that extend beyond this text. */
  #shares: Set<Report> | undefined = undefined
  #readings: readonly FieldReading[] | undefined = undefined

  protected get rawEnd(): number {
    return this.raw.length
  }

  /** @param read the result of reading a long `raw` in turns; by default `raw` is read on first use */
  constructor(
    inspection: Inspection,
    id: number,
    origin: ViewOrigin,
    direction: Direction,
    raw: string,
    read?: Normalised,
  ) {
    super(inspection, id, origin)
    this.direction = direction
    this.raw = raw
    this.#read = read
    if (read !== undefined) this.#take(read)
  }

  get text(): string {
    return (this.#read ?? this.#readNow()).text
  }

  /** Reads the text the first time. */
  protected normalised(): Normalised {
    return normalise(this.raw)
  }

  #readNow(): Normalised {
    this.#read = this.normalised()
    this.#take(this.#read)
    return this.#read
  }

  #take({ map, hidden }: Normalised): void {
    this.map = map
    if (hidden === undefined) return
    for (const { start, end } of hidden) {
      this.hide(start, end)
      if (this.inspection.findsHidden) this.inspection.admits(this.direction)
    }
  }

  /** Invisible text that only a model would read is in it. */
  get hides(): boolean {
    return (this.#read ?? this.#readNow()).hidden !== undefined
  }

  /** What identifies it besides its characters: all that a detector sees of it but its path. */
  get place(): string {
    const { direction, channel, role, choice, member, within, beside } = this
    const where = `${direction} ${channel} ${choice} ${role !== undefined && ROLES.has(role) ? role : JSON.stringify(role)}`
    return member === undefined && within === undefined && beside === undefined
      ? where
      : `${where} ${JSON.stringify(beside === undefined ? [member, within] : [member, within, beside])}`
  }

  override toField(start: number, end: number): readonly [number, number] {
    if (this.#read === undefined) this.#readNow()
    return super.toField(start, end)
  }

  protected override reportHidden(): void {
    if (this.#read === undefined && this.passage?.remembered?.entry?.hides[this.indexInPassage] !== false)
      this.#readNow()
    super.reportHidden()
  }

  source(start: number, end: number): string {
    if (this.#read === undefined) this.#readNow()
    return this.seen(start, this.raw.slice(start, end))
  }

  override get readings(): readonly FieldReading[] {
    this.#readings ??= this.#isOnlyReading ? NONE : allSteps(this.#readAgain())
    return this.#readings
  }

  get #isOnlyReading(): boolean {
    const { text, isPlain } = this.#read ?? this.#readNow()
    return !FieldView.isLong(text) && !mayDiffer(text, 0, 0, text.length, undefined, isPlain)
  }

  /** Too long for one turn of the event loop. */
  static isLong(raw: { readonly length: number }): boolean {
    return raw.length > STEP
  }

  /** Reads a text in turns for the constructor. */
  static read(raw: string, nextTurn: NextTurn): Promise<Normalised> {
    return stepByStep(normaliseInSteps(raw), nextTurn)
  }

  /** Prepares the second reading of a long text before it is used. */
  async readAgain(nextTurn: NextTurn): Promise<void> {
    this.#readings ??= await stepByStep(this.#readAgain(), nextTurn)
  }

  /** Makes both readings before a plugin asks for them, those of a long text in steps. */
  *prepare(): Steps<void> {
    if (!FieldView.isLong(this.raw)) return void this.readings
    if (this.#read === undefined) {
      this.#read = yield* normaliseInSteps(this.raw)
      this.#take(this.#read)
    }
    this.#readings ??= yield* this.#readAgain()
  }

  *#readAgain(): Steps<readonly FieldReading[]> {
    return (yield* readingsInSteps(this.text)).map(
      ({ stretch, read }) => new FieldReading(this.inspection, this, stretch, read, this.map),
    )
  }

  protected override whole(start: number, end: number): RawSpan {
    return this.readings.length === 0 ? { start, end } : wholeEscapes(this.raw, start, end)
  }

  /** Complete text waits only for an external verdict. */
  hold(from: number, until?: PromiseLike<unknown>): void {
    const reporter = this.active('hold')
    this.checkHold(reporter, from, until)
    if (until === undefined) return
    this.spoil()
    this.waits ??= []
    this.waits.push(this.inspection.verdict(reporter, until, this.direction))
  }

  override add(report: Report): void {
    if (!this.inspection.admits(this.direction)) return
    if (!report.restore || this.readers === 0) return super.add(report)
    const ballot = this.ballotOf(report, true)
    ballot.vote(this)
    super.add({ ...report, ballot })
  }

  /**
   * The ballot on a token that begins here.
   *
   * @param whole it also ends here, so the view of this text alone has a vote
   */
  ballotOf({ plugin, start, end }: Report, whole: boolean): Ballot {
    const key = `${plugin} ${start} ${end} ${whole}`
    this.#ballots ??= new Map()
    let ballot = this.#ballots.get(key)
    if (ballot === undefined) {
      ballot = new Ballot(whole ? this.readers + 1 : this.readers)
      this.#ballots.set(key, ballot)
    }
    return ballot
  }

  /** Takes over a finding of a joined view, or this text's share of a finding that extends beyond it. */
  adopt(report: Report, whole: boolean): void {
    if (!this.inspection.admits(this.direction)) return
    this.found ??= new Reports()
    this.found.add(report, !whole)
    if (whole) return
    this.#shares ??= new Set()
    this.#shares.add(report)
  }

  /** The plugin's finding that covers all words in a span. */
  covering(plugin: string, start: number, end: number): Report | undefined {
    for (const report of this.reports) {
      if (this.#shares?.has(report) === true) continue
      if (report.plugin !== plugin || report.continued || report.start >= end || report.end <= start) continue
      const rest = this.raw.slice(start, Math.max(start, report.start)) + this.raw.slice(Math.min(report.end, end), end)
      if (!/[\p{L}\p{N}]/u.test(rest)) return report
    }
    return undefined
  }

  /** Whether its findings are too many for one turn. */
  isDense(): boolean {
    this.reportHidden()
    return this.found?.isMany === true
  }

  /** Returns the text after all rewrites, or undefined if nothing changes. Counts the findings. */
  settle(): string | undefined {
    this.reportHidden()
    const reports = this.takeUpTo(this.raw.length)
    return reports.length === 0 ? undefined : allSteps(this.#rewrite(reports))
  }

  /** Like `settle`, for many findings. */
  *settleInSteps(): Steps<string | undefined> {
    this.reportHidden()
    const reports = yield* this.takeInSteps(this.raw.length)
    return reports.length === 0 ? undefined : yield* this.#rewrite(reports)
  }

  *#rewrite(reports: readonly Report[]): Steps<string | undefined> {
    this.reported = true
    const agreed = reports.filter(({ ballot }) => ballot === undefined || ballot.passes)
    const rewritten = yield* this.rewriteInSteps(agreed, (start, end) => this.raw.slice(Math.max(0, start), end))
    if (rewritten.length === 0) return undefined
    // A plugin may have decided late that a stretch stays.
    const text = applyRewrites(this.raw, rewritten)
    return text === this.raw ? undefined : text
  }
}

export function applyRewrites(raw: string, rewritten: readonly Rewrite[]): string {
  let out = ''
  let at = 0
  for (const { start, end, text } of rewritten) {
    out += raw.slice(at, start) + text
    at = end
  }
  return out + raw.slice(at)
}
