import type { ErrorSpec } from '../contract/error-spec.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Action, DetectionCount, Direction, Finding, Level, Verdict } from '../contract/plugin.ts'
import { readHeldVerdict } from '../contract/results.ts'

/** A plugin as the text views see it while one of its taps runs. */
export interface Reporter {
  readonly name: string
  /** Longest hold of one view, characters. */
  readonly maxBuffered: number
  readonly onHoldOverflow: 'block' | 'redact' | 'release'
  /** Findings of this plugin are only recorded. */
  readonly monitored: boolean
  readonly onError: 'block' | 'allow'
  /** Deadline of a promise, milliseconds. */
  readonly timeoutMs: number
  /** What it governs; modes are for `content` alone, which is the default. */
  readonly governs?: 'content' | 'usage'
  /** Codes that its rejections may name besides those of the gateway. */
  readonly errors?: Readonly<Record<string, ErrorSpec>> | undefined
}

/** What a blocking finding asks for. */
export interface BlockRequest {
  readonly plugin: string
  readonly type: string
  readonly reason: string
  /** Of a guard outside; says more than a finding could. */
  readonly verdict?: Verdict
}

export const verdictOf = ({ plugin, type, reason, verdict }: BlockRequest): Verdict =>
  verdict ?? { reason, policy: `${plugin}/${type}` }

/** What an exchange wants to know at once. */
export interface InspectionListener {
  /** `rewritten` tells that the finding will not reach the other side. */
  onLevel(level: Level, direction: Direction, rule: string, rewritten: boolean): void
  /** A verdict from outside did not come. */
  onFailure(plugin: string, error: unknown, allowed: boolean, where: 'hold' | 'replace'): void
  /** A blocking finding that is only recorded. */
  onWouldBlock(request: BlockRequest): void
}

const FIRST_READING = 2 ** 32

/**
 * The state that all text views of one exchange share: who may report now, what was counted, and the first blocking
 * finding. Mode `monitor` is applied here, so that no plugin has to know about it.
 */
export class Inspection {
  #reporter: Reporter | undefined = undefined
  /** Grows whenever a tap begins or ends: a handle is good for one turn. */
  turn = 0
  /** When the tap that runs last let others go on; `performance.now()`. */
  turnedAt = 0
  /** Input is merged once; later reports would change what was already decided. */
  inputClosed = false
  monitor = false
  /** Text that hides from the plugins is found and taken out: content is governed. */
  findsHidden = false
  readonly counts: { plugin: string; type: string; direction: Direction; action: Action; count: number }[] = []
  inputBlock: BlockRequest | undefined = undefined
  outputBlock: BlockRequest | undefined = undefined
  /** The plugin whose external verdict failed and which fails closed. */
  failed: string | undefined = undefined
  #readings = 0
  #wouldBlock: Set<string> | undefined = undefined
  readonly #listener: Partial<InspectionListener> | undefined

  constructor(listener?: Partial<InspectionListener>) {
    this.#listener = listener
  }

  /** An id for the second reading of a text, above those of all texts. */
  nextReading(): number {
    return FIRST_READING + this.#readings++
  }

  /** The plugin whose tap runs now; undefined when nobody may report. */
  get reporter(): Reporter | undefined {
    return this.#reporter
  }
  set reporter(reporter: Reporter | undefined) {
    this.#reporter = reporter
    this.turn++
  }

  /** Findings and verdicts of this plugin are only recorded. */
  onlyRecords(reporter: Reporter): boolean {
    return reporter.governs !== 'usage' && (this.monitor || reporter.monitored)
  }

  /** The action that will really be taken, after mode. */
  effective(reporter: Reporter, action: Action): Action {
    return this.onlyRecords(reporter) ? 'detect' : action
  }

  noteLevel(finding: Finding, direction: Direction, reporter: Reporter): void {
    if (finding.level === undefined) return
    const rewritten = this.effective(reporter, finding.action ?? 'detect') !== 'detect'
    this.#listener?.onLevel?.(finding.level, direction, `${reporter.name}/${finding.type}`, rewritten)
  }

  noteBlock(finding: Finding, direction: Direction, reporter: Reporter): void {
    const reason = finding.reason ?? `${direction === 'input' ? 'The request' : 'The reply'} contains ${finding.type}.`
    this.#block({ plugin: reporter.name, type: finding.type, reason }, direction, reporter)
  }

  #block(request: BlockRequest, direction: Direction, reporter: Reporter): void {
    if (this.onlyRecords(reporter)) {
      const key = `${request.plugin}\0${request.reason}`
      this.#wouldBlock ??= new Set()
      if (this.#wouldBlock.has(key)) return
      this.#wouldBlock.add(key)
      this.#listener?.onWouldBlock?.(request)
    } else if (direction === 'input') this.inputBlock ??= request
    else this.outputBlock ??= request
  }

  /**
   * Waits for an external verdict within the plugin's deadline. Always resolves: a verdict blocks, nothing lets the text
   * go, and all else is a failure, which follows `onError`.
   */
  async verdict(reporter: Reporter, until: PromiseLike<unknown>, direction: Direction): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(new GatewayError('GW_PLUGIN_TIMEOUT', `No verdict within ${reporter.timeoutMs} ms.`)),
        reporter.timeoutMs,
      )
    })
    try {
      const { name } = reporter
      const verdict = readHeldVerdict(name, await Promise.race([until, deadline]))
      if (verdict === undefined) return
      this.#block({ plugin: name, type: 'verdict', reason: verdict.reason, verdict }, direction, reporter)
    } catch (error) {
      const allowed = reporter.onError === 'allow'
      if (!allowed) this.failed ??= reporter.name
      this.#listener?.onFailure?.(reporter.name, error, allowed, 'hold')
    } finally {
      clearTimeout(timer)
    }
  }

  /** A plugin's own way to replace a value failed; the value is hidden all the same. */
  replacementFailed(plugin: string, error: unknown): void {
    this.#listener?.onFailure?.(plugin, error, true, 'replace')
  }

  count(plugin: string, type: string, direction: Direction, action: Action): void {
    for (const entry of this.counts) {
      if (entry.plugin === plugin && entry.type === type && entry.direction === direction && entry.action === action) {
        entry.count++
        return
      }
    }
    this.counts.push({ plugin, type, direction, action, count: 1 })
  }

  get findings(): readonly DetectionCount[] {
    return this.counts
  }
}
