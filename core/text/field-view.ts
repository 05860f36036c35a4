import type { Direction } from '../plugin.ts'
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

  /** Takes over a finding of the joined view, or this part's share of one that reaches beyond it. */
  adopt(report: Report, whole: boolean): void {
    this.found ??= new Reports()
    this.found.add(report, !whole)
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

/**
 * All text parts of one message as one run, so that a value cut in two by part borders is found. Its findings go to
 * the parts: the first one gets the replacement, the others lose their share of the value.
 */
export class JoinedView extends FieldView {
  readonly #parts: readonly FieldView[]
  /** Where each part begins. */
  readonly #bases: number[] = []

  constructor(inspection: Inspection, id: number, origin: ViewOrigin, parts: readonly FieldView[]) {
    super(inspection, id, origin, (parts[0] as FieldView).direction, parts.map((part) => part.raw).join(''))
    this.#parts = parts
    let base = 0
    for (const part of parts) {
      this.#bases.push(base)
      base += part.raw.length
    }
  }

  override add(report: Report): void {
    let continued = false
    for (let i = this.#partAt(report.start); i < this.#parts.length; i++) {
      const part = this.#parts[i] as FieldView
      const base = this.#bases[i] as number
      if (base >= report.end) break
      const start = Math.max(report.start - base, 0)
      const end = Math.min(report.end - base, part.raw.length)
      if (start >= end) continue
      const whole = report.end - report.start === end - start
      const replace = continued ? '' : whole ? report.replace : this.#boundReplace(report)
      const glued = report.glued === undefined ? undefined : report.glued - base
      part.adopt({ ...report, start, end, glued, replace, continued }, whole)
      continued = true
    }
  }

  /** The part that holds a character. */
  #partAt(position: number): number {
    let low = 0
    let high = this.#bases.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#bases[middle] as number) <= position) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** A replacement for the first part only must still be made from the whole value. */
  #boundReplace({ replace, start, end }: Report): Report['replace'] {
    if (typeof replace !== 'function') return replace
    return () => replace(this.raw.slice(start, end))
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
