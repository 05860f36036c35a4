import type { ErrorSpec } from '../contract/error-spec.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Action, DetectionCount, Direction, Finding, Level, Verdict } from '../contract/plugin.ts'
import { readHeldVerdict } from '../contract/results.ts'

/** For tests: called for each failure of a plugin, with the error itself and the id of the exchange, if there is one. */
export type OnFailure = (plugin: string, hook: string, error: unknown, exchange?: string) => void

/** A plugin as the text views see it while one of its taps runs. */
export interface Reporter {
  readonly name: string
  /** Longest hold of one view, characters. */
  readonly maxBuffered: number
  readonly onHoldOverflow: 'block' | 'redact' | 'release'
  /** Monitor mode: findings are only recorded. */
  readonly monitored: boolean
  readonly onError: 'block' | 'allow'
  /** Deadline of a promise, milliseconds. */
  readonly timeoutMs: number
  /** What the plugin governs; modes apply only to `content`, the default. */
  readonly governs?: 'content' | 'usage'
  /** Error codes that its rejections may use in addition to the gateway's. */
  readonly errors?: Readonly<Record<string, ErrorSpec>> | undefined
  readonly onFailure?: OnFailure | undefined
}

/** What a blocking finding asks for. */
export interface BlockRequest {
  readonly plugin: string
  readonly type: string
  readonly reason: string
  /** Verdict of an external guard; more specific than a finding. */
  readonly verdict?: Verdict
}

export const verdictOf = ({ plugin, type, reason, verdict }: BlockRequest): Verdict =>
  verdict ?? { reason, policy: `${plugin}/${type}` }

/** Immediate notifications to the exchange. */
export interface InspectionListener {
  /** Of the exchange. */
  readonly id?: string
  /** `rewritten`: the recipient will not receive the finding. */
  onLevel(level: Level, direction: Direction, rule: string, rewritten: boolean): void
  /** An external verdict failed or timed out. */
  onFailure(plugin: string, error: unknown, allowed: boolean, where: 'hold' | 'replace'): void
  /** Monitor mode: a blocking finding was only recorded. */
  onWouldBlock(request: BlockRequest): void
}

const FIRST_READING = 2 ** 32
/** As in the config. */
const DEFAULT_MAX_FINDINGS = 100_000

/**
 * State shared by all text views of one exchange: the plugin that may report, the counts, and the first blocking
 * finding. Applies mode `monitor`, so plugins need not handle it.
 */
export class Inspection {
  #reporter: Reporter | undefined = undefined
  /** Changes whenever a tap begins or ends; a handle is valid for one turn. */
  turn = 0
  /** When the running tap last yielded to other exchanges; `performance.now()`. */
  turnedAt = 0
  /** How many turns it waits for: what others do meanwhile is not its time. */
  turnsAhead = 0
  /** Input is merged once. Later reports would change decisions. */
  inputClosed = false
  monitor = false
  /** Detect and remove text hidden from plugins; set if content is governed. */
  findsHidden = false
  readonly counts: { plugin: string; type: string; direction: Direction; action: Action; count: number }[] = []
  /** Most characters of one view that the running tap kept back. */
  held = 0
  inputBlock: BlockRequest | undefined = undefined
  outputBlock: BlockRequest | undefined = undefined
  /** The fail-closed plugin whose external verdict failed. */
  failed: string | undefined = undefined
  /** Most findings in each direction. More are not kept, and the exchange ends with an error in every mode. */
  maxFindings = DEFAULT_MAX_FINDINGS
  readonly #found: Record<Direction, number> = { input: 0, output: 0 }
  #readings = 0
  #wouldBlock: Set<string> | undefined = undefined
  readonly #listener: Partial<InspectionListener> | undefined

  constructor(listener?: Partial<InspectionListener>) {
    this.#listener = listener
  }

  noteHeld(characters: number): void {
    if (characters > this.held) this.held = characters
  }

  /** Counts a finding; false for one beyond the limit. */
  admits(direction: Direction): boolean {
    return ++this.#found[direction] <= this.maxFindings
  }

  hasTooMany(direction: Direction): boolean {
    return this.#found[direction] > this.maxFindings
  }

  /** Id for a second reading, above the ids of all texts. */
  nextReading(): number {
    return FIRST_READING + this.#readings++
  }

  /** The plugin whose tap runs now; undefined if no plugin may report. */
  get reporter(): Reporter | undefined {
    return this.#reporter
  }
  set reporter(reporter: Reporter | undefined) {
    this.#reporter = reporter
    this.turn++
  }

  /** Whether findings and verdicts of this plugin are only recorded. */
  onlyRecords(reporter: Reporter): boolean {
    return reporter.governs !== 'usage' && (this.monitor || reporter.monitored)
  }

  /** The action after applying the mode. */
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
   * Waits for an external verdict within the plugin's deadline. Always resolves: a verdict blocks, an empty result
   * releases the text, and anything else is a failure handled by `onError`.
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
      reporter.onFailure?.(reporter.name, 'hold', error, this.#listener?.id)
      this.#listener?.onFailure?.(reporter.name, error, allowed, 'hold')
    } finally {
      clearTimeout(timer)
    }
  }

  /** A plugin's replacement function failed; the value is still hidden. */
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
