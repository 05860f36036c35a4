import { flagsFact, limitsFact } from '../contract/facts.ts'
import type { Exchange, Json, UpstreamAttempt, Verdict } from '../contract/plugin.ts'
import type { RequestDocument } from '../dialects/dialect.ts'
import { ChatExchange } from './exchange.ts'

/** The only core events of a mirror that operators see; its reply reaches no client. */
const TOLD: ReadonlySet<string> = new Set(['plugin.failed', 'plugin.slow'])

/**
 * A copy of a request as it was sent, for a mirror: with its caller, label, flags and limits, and without its session. Its
 * events are those of the request.
 */
export class MirrorExchange extends ChatExchange {
  override readonly mirrorOf: string
  /** What no client gets is not recorded; its limits are. */
  override readonly audited = false
  /** The first verdict that was only noted, because of a mode. */
  verdict: Verdict | undefined = undefined
  readonly #of: ChatExchange
  readonly #last: { attempt: UpstreamAttempt | undefined }

  /**
   * @param body the request as sent, in the client's model name
   * @param document the same, as read
   */
  constructor(of: ChatExchange, body: Buffer, document: RequestDocument) {
    const last: { attempt: UpstreamAttempt | undefined } = { attempt: undefined }
    const onAttempt = (_: Exchange, one: UpstreamAttempt): boolean => {
      last.attempt = one
      return true
    }
    const { principal, dialect, sourceIp } = of
    // Another body under the same key would make a provider refuse one of them.
    const { 'idempotency-key': _, ...headers } = of.request.headers
    super({
      ...{ id: `${of.id}-mirror`, principal, dialect, sourceIp, body, document, log: of.log },
      ...{ headers, chain: { ...of.chain, onAttempt, memo: undefined } },
    })
    this.#of = of
    this.#last = last
    this.mirrorOf = of.id
    this.label = of.label
    this.residualLabel = of.residualLabel
    for (const fact of [flagsFact, limitsFact]) {
      const value = of.facts.get<unknown>(fact)
      if (value !== undefined) this.facts.set<unknown>(fact, value)
    }
    const { upstreamHeaders } = of.request
    if (upstreamHeaders !== undefined) this.request.upstreamHeaders = { ...upstreamHeaders }
    const { monitor, findsHidden, maxFindings } = of.inspection
    Object.assign(this.inspection, { monitor, findsHidden, maxFindings })
  }

  /** The last request to the mirror; undefined before the first. */
  get attempt(): UpstreamAttempt | undefined {
    return this.#last.attempt
  }

  override note(type: string, payload: Readonly<Record<string, Json | undefined>>): void {
    if (TOLD.has(type)) this.#of.note(type, payload)
  }

  /** Plugins that count its use emit events, such as a limit that it reached. */
  override emit: Exchange['emit'] = (type, payload) => {
    const { reporter } = this.inspection
    if (reporter?.governs !== 'usage') return
    this.#of.note(type, this.chain.events.admit(reporter.name, type, payload))
  }

  override wouldBlock(verdict: Verdict): void {
    this.flagged = true
    this.verdict ??= verdict
  }
}
