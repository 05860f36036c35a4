import { GatewayError } from '../errors.ts'
import type { Direction } from '../plugin.ts'
import { type Report, type Rewrite, rewrites } from './findings.ts'
import type { Inspection, Reporter } from './inspection.ts'
import { normalise, openTail } from './unicode.ts'
import { BaseView, type ViewOrigin } from './views.ts'

/** Characters of released text that stay visible to look-behind. */
const LEFT_CONTEXT = 256

interface Wait {
  /** Position in the whole normalised field. */
  readonly from: number
  readonly maxHold: number
}

/**
 * The text of one choice and channel of a streamed reply. It keeps what plugins hold back, releases what is safe, and
 * remembers which released stretches are rewritten. Positions called raw count the characters of the field as the
 * provider sent them; plugins count in normalised characters.
 */
export class StreamView extends BaseView {
  readonly direction: Direction = 'output'
  text = ''
  before = ''
  fresh = 0
  offset = 0
  final = false
  /** Raw position up to which all text may leave. */
  released = 0
  /** Rewrites left of `released` that events still have to apply, in order. */
  readonly rewritten: Rewrite[] = []
  #pending = ''
  #shown = 0
  #holdFrom = 0
  #waits: Wait[] | undefined = undefined
  readonly #onSettled: () => void

  /** @param onSettled called when an external verdict settles, so that the text may be released at once */
  constructor(inspection: Inspection, id: number, origin: ViewOrigin, onSettled: () => void) {
    super(inspection, id, origin)
    this.#onSettled = onSettled
  }

  protected get rawBase(): number {
    return this.released
  }

  /** Raw characters seen so far. */
  get length(): number {
    return this.released + this.#pending.length
  }

  /** The unit left of `text`. */
  get #previous(): number {
    return this.before === '' ? 0 : this.before.charCodeAt(this.before.length - 1)
  }

  append(raw: string): void {
    this.#pending = this.#pending === '' ? raw : this.#pending + raw
  }

  /** Makes `text` from what is pending, before the taps run. */
  prepare(): void {
    const pending = this.#pending
    this.#shown = this.final ? pending.length : openTail(pending, this.#previous)
    this.fresh = this.text.length
    const shown = this.#shown === pending.length ? pending : pending.slice(0, this.#shown)
    const { text, map } = normalise(shown, this.#previous)
    this.text = text
    this.map = map
    this.#holdFrom = text.length
  }

  hold(from: number, until?: Promise<unknown>): void {
    const reporter = this.active('hold')
    if (!Number.isFinite(from)) {
      const message = `Plugin ${reporter.name} held a text from ${from}, which is no position (${this.path}).`
      throw new GatewayError('GW_PLUGIN_CONTRACT', message)
    }
    const at = Math.max(0, Math.floor(from))
    if (at >= this.text.length) return
    if (until !== undefined) this.#wait(reporter, at, until)
    else if (!this.final) this.#holdFrom = Math.min(this.#holdFrom, this.#boundedHold(reporter, at))
  }

  /** A hold longer than the plugin declared follows its `onHoldOverflow`. */
  #boundedHold(reporter: Reporter, from: number): number {
    const limit = this.text.length - reporter.maxHold
    if (from >= limit) return from
    if (reporter.onHoldOverflow === 'block') {
      const reason = `Plugin ${reporter.name} held back more than ${reporter.maxHold} characters.`
      this.inspection.noteBlock({ type: 'hold_overflow', start: 0, end: 1, reason }, 'output', reporter)
      return this.inspection.onlyRecords(reporter) ? limit : from
    }
    if (reporter.onHoldOverflow === 'redact') {
      this.report({ type: 'uninspected', start: from, end: limit, action: 'redact' })
    }
    return limit
  }

  #wait(reporter: Reporter, from: number, until: Promise<unknown>): void {
    const wait = { from: this.offset + from, maxHold: reporter.maxHold }
    this.#waits ??= []
    this.#waits.push(wait)
    void this.inspection.verdict(reporter, until, 'output').then(() => {
      this.#waits = this.#waits?.filter((other) => other !== wait)
      this.#onSettled()
    })
  }

  /** More text waits for a verdict than the plugin allows: the provider has to pause. */
  get stalled(): boolean {
    const end = this.offset + this.text.length
    return this.#waits?.some((wait) => end - wait.from > wait.maxHold) ?? false
  }

  get waiting(): boolean {
    return this.#waits !== undefined && this.#waits.length > 0
  }

  /** Releases what no plugin holds, after the taps ran or a verdict settled. */
  settle(): void {
    let from = this.final ? this.text.length : Math.min(this.#holdFrom, this.text.length)
    if (this.#waits !== undefined) for (const wait of this.#waits) from = Math.min(from, wait.from - this.offset)
    from = Math.max(from, 0)
    let end = this.released + this.#shown
    if (from < this.text.length) {
      end = this.toField(from, from + 1)[0]
      // A hold within what one source character stands for keeps all of it.
      if (this.map !== undefined) from = this.#normalisedIndex(end)
    }
    const { found } = this
    if (found !== undefined) {
      const bounded = beforeOpenRewrites(found, end)
      if (bounded !== end) {
        end = bounded
        from = this.#normalisedIndex(end)
      }
      const done = this.takeUpTo(end)
      if (done.length > 0) {
        const textOf = (start: number, stop: number) => this.#pending.slice(start - this.released, stop - this.released)
        for (const rewrite of this.rewritesOf(done, textOf)) this.rewritten.push(rewrite)
      }
    }
    this.#release(from, end)
  }

  #normalisedIndex(raw: number): number {
    if (this.map === undefined) return raw - this.released
    let low = 0
    let high = this.text.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.toField(middle, middle + 1)[0] < raw) low = middle + 1
      else high = middle
    }
    return low
  }

  #release(from: number, end: number): void {
    if (end === this.released) return
    const gone = this.text.slice(0, from)
    this.before = gone.length >= LEFT_CONTEXT ? gone.slice(-LEFT_CONTEXT) : (this.before + gone).slice(-LEFT_CONTEXT)
    this.text = this.text.slice(from)
    this.offset += from
    this.#holdFrom = Math.max(0, this.#holdFrom - from)
    this.#shown -= end - this.released
    this.#pending = this.#pending.slice(end - this.released)
    this.map = undefined
    this.released = end
    if (this.#pending !== '' && this.#shown > 0) {
      const { text, map } = normalise(this.#pending.slice(0, this.#shown), this.#previous)
      this.text = text
      this.map = map
    }
  }

  /** What stands for the raw stretch `start..start+raw.length` of the field after all rewrites. */
  output(start: number, raw: string): string {
    const end = start + raw.length
    let out = ''
    let at = start
    for (const rewrite of this.rewritten) {
      if (rewrite.end <= start) continue
      if (rewrite.start >= end) break
      if (rewrite.start >= at) out += raw.slice(at - start, rewrite.start - start) + rewrite.text
      at = Math.min(rewrite.end, end)
    }
    return out + raw.slice(at - start)
  }

  /** True when a rewrite touches the raw stretch. */
  touches(start: number, end: number): boolean {
    for (const rewrite of this.rewritten) if (rewrite.start < end && rewrite.end > start) return true
    return false
  }

  /** Forgets rewrites that end left of `raw`; called when the events there have left. */
  forget(raw: number): void {
    while (this.rewritten.length > 0 && (this.rewritten[0] as Rewrite).end <= raw) this.rewritten.shift()
  }
}

/** A rewrite that reaches over the border is applied when all of it may leave. */
function beforeOpenRewrites(found: Iterable<Report>, end: number): number {
  for (let moved = true; moved; ) {
    moved = false
    for (const report of found) {
      if (rewrites(report) && report.start < end && report.end > end) {
        end = report.start
        moved = true
      }
    }
  }
  return end
}
