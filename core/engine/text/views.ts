import { GatewayError } from '../contract/errors.ts'
import type { Action, Channel, Direction, Finding, TextView } from '../contract/plugin.ts'
import { contractError } from '../contract/results.ts'
import type { Steps } from '../util/steps.ts'
import { readFinding } from './finding.ts'
import { hiddenText, MANY_REPORTS, mergeInSteps, REWRITES_OF_STEP, type Report, type Rewrite } from './findings.ts'
import type { Inspection, Reporter } from './inspection.ts'
import { asJsonValue, wholeJsonNumbers } from './json-numbers.ts'
import type { Recording } from './memo.ts'
import { Reports } from './reports.ts'
import type { OffsetMap } from './unicode.ts'

const NONE: readonly BaseView[] = []

/** Characters of released text that look-behind can still see. */
export const LEFT_CONTEXT = 256

/** A span of raw text; `glued` as in `Report`. */
export interface RawSpan {
  readonly start: number
  readonly end: number
  readonly glued?: number
}

/** Where a view's text comes from. */
export interface ViewOrigin {
  readonly channel: Channel
  readonly role: string | undefined
  readonly choice: number
  readonly path: string
  readonly member?: string | undefined
  readonly within?: readonly string[] | undefined
  readonly beside?: string | undefined
  /** A signature covers the text: restoring a token would break it. */
  readonly sealed?: boolean | undefined
}

/**
 * What all text views share: validation of plugin input, and reports in raw characters of the whole field. Subclasses
 * define the text's source and the meaning of a hold.
 */
export abstract class BaseView implements TextView {
  readonly channel: Channel
  readonly role: string | undefined
  readonly choice: number
  readonly #origin: ViewOrigin
  abstract readonly direction: Direction
  abstract readonly text: string
  abstract readonly before: string
  abstract readonly fresh: number
  abstract readonly offset: number
  abstract readonly final: boolean
  readonly id: number
  readonly reading: 'decoded' | 'border' | 'part' | undefined = undefined
  readonly continues: number | undefined = undefined
  /** It continues with another view from here on, so detectors see it now, even if it has no text yet. */
  beginsNow = false
  protected readonly inspection: Inspection
  protected map: OffsetMap | undefined = undefined
  protected found: Reports | undefined = undefined
  /** Set while a detector's findings are recorded for the memo. */
  recording: Recording | undefined = undefined
  /** A finding was accepted since this was last reset. */
  wasFound = false
  #hidden: Report[] | undefined = undefined
  /** The hidden stretches, kept permanently. */
  #unseen: { readonly start: number; readonly end: number }[] | undefined = undefined
  #hiddenEnd = -1

  constructor(inspection: Inspection, id: number, origin: ViewOrigin) {
    this.inspection = inspection
    this.id = id
    this.channel = origin.channel
    this.role = origin.role
    this.choice = origin.choice
    this.#origin = origin
  }

  get member(): string | undefined {
    return this.#origin.member
  }
  get within(): readonly string[] | undefined {
    return this.#origin.within
  }
  get beside(): string | undefined {
    return this.#origin.beside
  }
  get path(): string {
    return this.#origin.path
  }

  /** Raw position after the last character of `text`, in the whole field. */
  protected abstract readonly rawEnd: number
  /** Raw position of what follows on what left or was shown before `text`. */
  protected get rawStart(): number {
    return this.toField(0, 1)[0]
  }
  abstract source(start: number, end: number): string

  /** Where each further text begins, in a view of several. */
  get borders(): readonly number[] | undefined {
    return undefined
  }

  /** Where the answer begins, in a view of a question and its answer. */
  get answer(): number | undefined {
    return undefined
  }

  /** The second reading of the text, if it differs, in order; see readings.ts. */
  get readings(): readonly BaseView[] {
    return NONE
  }

  abstract hold(from: number, until?: PromiseLike<unknown>): void

  sourceAt(index: number): number {
    return index < this.text.length ? this.toField(index, index + 1)[0] : this.rawEnd
  }

  report(given: Finding): void {
    const reporter = this.active('report')
    const finding = readFinding(reporter, given)
    this.checkSpan(reporter, finding.start, finding.end)
    const action = this.inspection.effective(reporter, finding.action ?? 'detect')
    this.#record(finding)
    const [from, to] = this.toField(finding.start, finding.end)
    const span = this.whole(finding.continued === true ? Math.min(from, this.#endBefore(finding.start)) : from, to)
    if (!this.counts(reporter.name, span, finding)) return
    this.wasFound = true
    this.inspection.noteLevel(finding, this.direction, reporter)
    if (finding.action === 'block') this.inspection.noteBlock(finding, this.direction, reporter)
    this.add({
      plugin: reporter.name,
      type: finding.type,
      action,
      ...span,
      reason: finding.reason,
      replace: finding.replace ?? (finding.continued === true ? '' : undefined),
      continued: finding.continued === true,
      restore: false,
      ...(finding.score === undefined ? {} : { score: finding.score }),
    })
  }

  /** The rest of a value takes along the invisible characters between it and its beginning. */
  #endBefore(index: number): number {
    return index === 0 ? this.rawStart : this.toField(index - 1, index)[1]
  }

  #record(finding: Finding): void {
    if (this.recording === undefined) return
    if (this.recording.findings.length === 0) this.recording.findings = [finding]
    else this.recording.findings.push(finding)
    // A replacement may depend on the exchange or contain part of the text.
    if (finding.replace !== undefined) this.recording.bound = true
  }

  /** The current call cannot be replayed from memory. */
  protected spoil(): void {
    if (this.recording !== undefined) this.recording.spoilt = true
  }

  /** Restores a token's value; see `ExchangeReply.restore`. */
  restore(start: number, end: number, value: string): void {
    const reporter = this.active('restore')
    this.checkSpan(reporter, start, end)
    if (typeof value !== 'string') throw contractError(`Plugin ${reporter.name} restored a value that is not a string.`)
    if (this.#origin.sealed === true) return
    const [from, to] = this.toField(start, end)
    const base = { plugin: reporter.name, type: 'restore', action: 'detect', reason: undefined } as const
    this.add({ ...base, start: from, end: to, replace: value, continued: false, restore: true })
  }

  /** Notes a raw stretch that hides text. Adjacent stretches merge. */
  protected hide(start: number, end: number): void {
    this.#hidden ??= []
    this.#hidden.push(hiddenText(start, end, start === this.#hiddenEnd))
    this.#hiddenEnd = end
    this.#unseen ??= []
    this.#unseen.push({ start, end })
  }

  /** Source from `start` without its hidden text, which will not be sent. */
  protected seen(start: number, source: string): string {
    if (this.#unseen === undefined || !this.inspection.findsHidden || this.inspection.monitor) return source
    let out = ''
    let at = 0
    for (const run of this.#unseen) {
      const from = Math.min(run.start - start, source.length)
      if (from > at) out += source.slice(at, from)
      at = Math.max(at, Math.min(run.end - start, source.length))
    }
    return out + source.slice(at)
  }

  /** Reports hidden text before findings are merged: no plugin could see it. */
  protected reportHidden(): void {
    const hidden = this.#hidden
    if (hidden === undefined) return
    this.#hidden = undefined
    const { inspection } = this
    if (!inspection.findsHidden) return
    this.found ??= new Reports()
    for (const one of hidden) this.found.add(inspection.monitor ? { ...one, action: 'detect' } : one)
  }

  /** Whether the view accepts a finding with this span. */
  protected counts(_plugin: string, _span: RawSpan, _finding: Finding): boolean {
    return true
  }

  /** Keeps a finding; readings pass theirs on. */
  add(report: Report): void {
    this.found ??= new Reports()
    this.found.add(report)
  }

  protected active(verb: string): Reporter {
    const { reporter } = this.inspection
    if (reporter === undefined || (this.direction === 'input' && this.inspection.inputClosed)) {
      throw new GatewayError('GW_STALE_HANDLE', `${verb}() was called on ${this.path} after its tap had returned.`)
    }
    return reporter
  }

  /** Extends a span so that it splits no escape. */
  protected whole(start: number, end: number): RawSpan {
    return { start, end }
  }

  /** Maps a span of `text` to the raw text of the field. */
  toField(start: number, end: number): readonly [number, number] {
    return this.map === undefined ? [start, end] : this.map.toRaw(start, end)
  }

  /** Validates a hold, for every kind of view. */
  protected checkHold(reporter: Reporter, from: number, until: unknown): void {
    const { name } = reporter
    if (!Number.isFinite(from)) {
      throw contractError(
        `Plugin ${name} held a text from ${typeof from === 'number' ? from : typeof from}, which is no position (${this.path}).`,
      )
    }
    if (until !== undefined || !this.final) this.inspection.noteHeld(this.text.length - Math.max(0, from))
    if (until === undefined || isThenable(until)) return
    throw contractError(`Plugin ${name} held a text until something that is not a promise (${this.path}).`)
  }

  /** Applies `onHoldOverflow` to a hold that exceeds the plugin's limit. */
  protected boundedHold(reporter: Reporter, from: number): number {
    const limit = this.text.length - reporter.maxBuffered
    if (from >= limit) return from
    if (reporter.onHoldOverflow === 'block') {
      const reason = `Plugin ${reporter.name} held back more than ${reporter.maxBuffered} characters.`
      this.inspection.noteBlock({ type: 'hold_overflow', start: 0, end: 1, reason }, 'output', reporter)
      return this.inspection.onlyRecords(reporter) ? limit : from
    }
    if (reporter.onHoldOverflow === 'redact') {
      this.report({ type: 'uninspected', start: from, end: limit, action: 'redact' })
    }
    return limit
  }

  private checkSpan(reporter: Reporter, start: number, end: number): void {
    if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= this.text.length) return
    const shown = (at: unknown) => (typeof at === 'number' ? at : `a ${typeof at}`)
    throw new GatewayError(
      'GW_PLUGIN_CONTRACT',
      `Plugin ${reporter.name} reported the span ${shown(start)}..${shown(end)} of a text of ${this.text.length} characters (${this.path}).`,
    )
  }

  /** Removes and counts findings left of `end` (raw). */
  protected takeUpTo(end: number): Report[] {
    return this.found?.take(end, this.#count) ?? []
  }

  protected *takeInSteps(end: number): Steps<Report[]> {
    return this.found === undefined ? [] : yield* this.found.takeInSteps(end, this.#count)
  }

  get #count(): (plugin: string, type: string, action: Action) => void {
    const { inspection, direction } = this
    return (plugin, type, action) => inspection.count(plugin, type, direction, action)
  }

  /**
   * Replacements for the reported stretches.
   *
   * @param textOf gives the raw text of a span, from 256 characters before the first stretch to one after the last
   */
  protected *rewriteInSteps(
    reports: readonly Report[],
    textOf: (start: number, end: number) => string,
  ): Steps<Rewrite[]> {
    const failed = (plugin: string, error: unknown) => this.inspection.replacementFailed(plugin, error)
    const whole: Report[] = []
    for (const [i, report] of reports.entries()) {
      whole.push(...wholeJsonNumbers(report, textOf))
      if (i % MANY_REPORTS === MANY_REPORTS - 1) yield
    }
    const rewritten = yield* mergeInSteps(whole, textOf, failed)
    for (const [i, rewrite] of rewritten.entries()) {
      rewritten[i] = asJsonValue(rewrite, textOf)
      if (i % REWRITES_OF_STEP === REWRITES_OF_STEP - 1) yield
    }
    return rewritten
  }

  /** Counts all findings, for text that is discarded. */
  tally(): void {
    this.reportHidden()
    this.takeUpTo(Number.POSITIVE_INFINITY)
  }

  get reports(): readonly Report[] {
    return this.found === undefined ? [] : [...this.found]
  }
}

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
