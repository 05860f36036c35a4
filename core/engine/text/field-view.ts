import type { Direction } from '../contract/plugin.ts'
import type { Report, Rewrite } from './findings.ts'
import type { Inspection } from './inspection.ts'
import { FieldReading } from './reading-views.ts'
import { readAgain, wholeEscapes } from './readings.ts'
import { Reports } from './reports.ts'
import { stretches } from './stretches.ts'
import { normalise } from './unicode.ts'
import { BaseView, type RawSpan, type ViewOrigin } from './views.ts'

/** A text that is complete from the start: a field of a request, or of a buffered reply. */
export class FieldView extends BaseView {
  readonly direction: Direction
  readonly raw: string
  readonly text: string
  readonly before = ''
  readonly fresh = 0
  readonly offset = 0
  readonly final = true
  /** Verdicts from outside that this text waits for. */
  waits: Promise<unknown>[] | undefined = undefined
  /** Something was found in it; known once it is settled. */
  reported = false
  #readings: readonly FieldReading[] | undefined = undefined

  protected get rawEnd(): number {
    return this.raw.length
  }

  constructor(inspection: Inspection, id: number, origin: ViewOrigin, direction: Direction, raw: string) {
    super(inspection, id, origin)
    this.direction = direction
    this.raw = raw
    const { text, map, hidden } = normalise(raw)
    this.text = text
    this.map = map
    if (hidden !== undefined) for (const { start, end } of hidden) this.hide(start, end)
  }

  source(start: number, end: number): string {
    return this.seen(start, this.raw.slice(start, end))
  }

  override get readings(): readonly FieldReading[] {
    this.#readings ??= this.#readAgain()
    return this.#readings
  }

  #readAgain(): readonly FieldReading[] {
    const found: FieldReading[] = []
    for (const stretch of stretches(this.text)) {
      const read = readAgain(this.text.slice(stretch.start, stretch.end), true)
      if (read.differs) found.push(new FieldReading(this.inspection, this, stretch, read, this.map))
    }
    return found
  }

  protected override whole(start: number, end: number): RawSpan {
    return this.readings.length === 0 ? { start, end } : wholeEscapes(this.raw, start, end)
  }

  /** A complete text waits for an external verdict only. */
  hold(from: number, until?: PromiseLike<unknown>): void {
    const reporter = this.active('hold')
    this.checkHold(reporter, from, until)
    if (until === undefined) return
    this.waits ??= []
    this.waits.push(this.inspection.verdict(reporter, until, this.direction))
  }

  /** Takes over a finding of a joined view, or this text's share of one that reaches beyond it. */
  adopt(report: Report, whole: boolean): void {
    this.found ??= new Reports()
    this.found.add(report, !whole)
  }

  /** Whether a finding of the plugin covers all words of a stretch. */
  covers(plugin: string, start: number, end: number): boolean {
    for (const report of this.reports) {
      if (report.plugin !== plugin || report.continued || report.start >= end || report.end <= start) continue
      const rest = this.raw.slice(start, Math.max(start, report.start)) + this.raw.slice(Math.min(report.end, end), end)
      if (!/[\p{L}\p{N}]/u.test(rest)) return true
    }
    return false
  }

  /** The text after all rewrites, or undefined when nothing changes. Counts the findings. */
  settle(): string | undefined {
    this.reportHidden()
    const reports = this.takeUpTo(this.raw.length)
    if (reports.length === 0) return undefined
    this.reported = true
    const rewritten = this.rewritesOf(reports, (start, end) => this.raw.slice(start, end))
    return rewritten.length === 0 ? undefined : applyRewrites(this.raw, rewritten)
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
