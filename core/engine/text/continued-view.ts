import { endOfStart, REACH, startOfEnd } from './ends.ts'
import type { FieldView } from './field-view.ts'
import type { Report } from './findings.ts'
import type { Inspection } from './inspection.ts'
import { JoinedView, type Piece } from './joined-view.ts'
import { StreamView } from './stream-view.ts'
import type { RawSpan, ViewOrigin } from './views.ts'

/** The end of texts that left and the beginning of the one that continues with them. Only a value in both is a finding. */
class ContinuedView extends JoinedView {
  protected override counts(_plugin: string, { start, end }: RawSpan): boolean {
    const { at } = this.pieces.at(-1) as Piece
    return start < at && end > at
  }

  /** The text by itself decides, because this view shows too little before it. A token that is cut stays: its first part left. */
  override add(report: Report): void {
    if (!report.restore) super.add(report)
  }
}

/** Texts that clients show as one, though each leaves as a whole before the next one comes. */
export class Continuation {
  #before: FieldView[] = []

  /** Takes the next text. Returns a view of it after those before it, if there are any. */
  next(inspection: Inspection, nextId: () => number, view: FieldView, origin: ViewOrigin): FieldView | undefined {
    const before = this.#before
    // A long text hides those before it.
    this.#before = view.raw.length < REACH ? [...before.slice(1 - REACH), view] : [view]
    if (before.length === 0) return undefined
    const pieces: Piece[] = []
    let raw = ''
    for (const { view: one, start, end } of [
      ...before.map((left) => ({ view: left, start: startOfEnd(left.raw), end: left.raw.length })),
      { view, start: 0, end: endOfStart(view.raw) },
    ]) {
      pieces.push({ view: one, start, end, at: raw.length })
      raw += one.raw.slice(start, end)
    }
    return new ContinuedView(inspection, nextId(), origin, raw, pieces)
  }
}

/** A streamed text after the end of one that left, with which clients show it. What left was inspected. */
export class ContinuedStream extends StreamView {
  readonly #own: number

  constructor(inspection: Inspection, id: number, origin: ViewOrigin, onSettled: () => void, before: string) {
    super(inspection, id, origin, onSettled)
    this.append(before)
    this.#own = this.length
  }

  protected override counts(_plugin: string, { end }: RawSpan): boolean {
    return end > this.#own
  }

  /** As above, a token that is cut stays. Of a value that is cut the rest is replaced. */
  override add(report: Report): void {
    if (report.end <= this.#own || (report.restore && report.start < this.#own)) return
    super.add(report.start < this.#own ? { ...report, start: this.#own, replace: undefined } : report)
  }
}
