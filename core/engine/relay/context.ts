import { GatewayError, stackOf } from '../contract/errors.ts'
import type { Json, Outcome, Verdict } from '../contract/plugin.ts'
import { guardrailUnavailable } from '../contract/results.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { IssuedIds } from '../exchange/issued-ids.ts'
import { verdictOf } from '../text/inspection.ts'
import { invalid } from '../upstreams/provider-error.ts'
import type { Source } from '../upstreams/source.ts'
import { errorName } from '../util/outside.ts'
import type { Output } from './responder.ts'

export interface RelaySettings {
  /** Silence after which a stream gets a comment, milliseconds. */
  readonly keepAliveMs: number
  /** How to signal a block in mid-stream. */
  readonly blockSignal: 'error' | 'finish_reason'
}

/** Why the connection closed before the answer was complete. */
export type DisconnectReason = 'client_disconnected' | 'gateway_stopped' | 'cancelled'

/** How an exchange ends, and the bytes still to send. */
export interface Ending {
  readonly outcome: Outcome
  readonly details: Readonly<Record<string, Json | undefined>>
  lastBytes(): void
}

export interface ReplyContextInit {
  readonly x: ChatExchange
  readonly out: Output
  readonly settings: RelaySettings
  /** Which key made which content at a provider. */
  readonly ids?: IssuedIds
  /** Aborted when the gateway stops and cuts running exchanges. */
  readonly stopped: AbortSignal
  /** Runs the last pipeline steps, from `postResponse` to `sendLast`; called once. */
  readonly conclude: (context: ReplyContext, ending: Ending) => void
  /** Called once when the exchange ended and its connection accepts no more bytes. */
  readonly onOver: () => void
}

/** State shared by all parts of one reply; ensures that an exchange ends exactly once. */
export class ReplyContext {
  readonly x: ChatExchange
  readonly out: Output
  readonly settings: RelaySettings
  readonly ids: IssuedIds | undefined
  /** The provider that currently answers. */
  source: Source | undefined = undefined
  /** Frees resources of a running reply, such as timers; called once, however the exchange ends. */
  release: { stop(): void } | undefined = undefined
  /** Ends a reply that has begun with an error. */
  interrupt: { interrupt(error: GatewayError): void } | undefined = undefined
  /** Ends the exchange when its time is over. */
  deadline: NodeJS.Timeout | undefined = undefined
  /** The client has the complete answer; only the end of the stream is missing. */
  complete = false
  disconnectReason: DisconnectReason | undefined = undefined
  readonly #init: ReplyContextInit
  #deciding = true
  #over = false
  #isClosed = false
  #isSettled = false
  /** A plugin ended the exchange with this error. */
  #cancelled: GatewayError | undefined = undefined

  constructor(init: ReplyContextInit) {
    this.#init = init
    this.x = init.x
    this.out = init.out
    this.settings = init.settings
    this.ids = init.ids
    init.out.onClose((whole) => this.#onClose(whole))
    init.x.canceller = this
  }

  /** Whether no more writes or decisions are allowed. */
  get over(): boolean {
    return this.#over
  }

  /** Whether answers carry `service`; without plugins the gateway is transparent. */
  get governs(): boolean {
    return this.x.chain.plugins.length > 0
  }

  get inspects(): boolean {
    const { chain, mode } = this.x
    return mode === 'off' ? chain.limitsOutput : chain.inspectsOutput
  }

  /** Ends the exchange: the pipeline runs its last steps before the last bytes leave. Never throws. */
  finish(outcome: Outcome, details: Ending['details'], lastBytes: () => void): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.deadline)
    const { x } = this
    let broken: unknown
    try {
      this.release?.stop()
    } catch (error) {
      broken = error
    }
    try {
      x.reply.outcome = outcome
      if (outcome === 'completed' || outcome === 'answered') x.reply.status ??= 200
      this.#init.conclude(this, { outcome, details, lastBytes })
    } catch (error) {
      broken = error
      this.sendLast(() => this.#breakOff())
    }
    if (broken !== undefined) this.#logFault(broken)
  }

  /** Sends the last bytes, after the exchange was recorded. */
  sendLast(bytes: () => void): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const wasClosed = this.#isClosed
    try {
      bytes()
    } catch (error) {
      this.#logFault(error)
      this.#breakOff()
    } finally {
      if (wasClosed) this.#init.onOver()
    }
  }

  /** Recording failed, so the reply ends with an error. */
  sendUnrecorded(): void {
    this.sendLast(() => {
      const { out } = this
      const error = new GatewayError('GW_AUDIT_UNAVAILABLE', 'The gateway could not record the reply.')
      if (!out.committed) out.error(error)
      else out.end(this.#errorFrame(error))
    })
  }

  #errorFrame(error: GatewayError): string {
    const { dialect } = this.x
    return dialect.errorFrame(dialect.errorBody(error, this.out.id))
  }

  #onClose(whole: boolean): void {
    if (!whole) this.gone(this.#init.stopped.aborted ? 'gateway_stopped' : 'client_disconnected')
    this.#isClosed = true
    if (this.#isSettled) this.#init.onOver()
  }

  #logFault(error: unknown): void {
    this.x.log.error({ error: errorName(error), at: stackOf(error) }, 'exchange failed')
  }

  /** Last resort after an unexpected failure: sends an error, or cuts the connection. */
  #breakOff(): void {
    const { out } = this
    const error = new GatewayError('GW_INTERNAL', 'The gateway failed to handle the request or its reply.')
    try {
      if (out.committed) return out.end(this.#errorFrame(error))
      // Omit plugin headers: one of them may have caused the failure.
      out.plain.error(error)
    } catch {
      out.destroy()
    }
  }

  /** Ends the steps before the model call. Returns false if the client left meanwhile and the exchange is over. */
  decided(): boolean {
    this.#deciding = false
    if (this.#cancelled !== undefined) this.#endCancelled(this.#cancelled)
    if (this.disconnectReason !== undefined) this.gone(this.disconnectReason)
    return !this.#over
  }

  /**
   * The client left or the gateway stops: stops the provider at once and settles what was seen. A decision in progress
   * finishes first, so that nothing is reserved after settlement.
   */
  gone(reason: DisconnectReason): void {
    if (this.#over) return
    this.disconnectReason = reason
    this.source?.abort()
    this.x.abort()
    if (this.#deciding) return
    if (this.complete) this.finish('completed', {}, () => {})
    else this.finish('aborted', { reason }, () => {})
  }

  /** Like `gone`, with an error for the client. */
  cancel(error: GatewayError): void {
    if (this.#over || this.disconnectReason !== undefined) return
    this.#cancelled = error
    this.disconnectReason = 'cancelled'
    this.source?.abort()
    this.x.abort()
    if (!this.#deciding) this.#endCancelled(error)
  }

  #endCancelled(error: GatewayError): void {
    const { out, x } = this
    const code = error.wireCode
    if (!out.committed)
      x.reply.status = x.dialect.statusOf?.(error.code, error.status, x.request.headers) ?? error.status
    this.finish('aborted', { reason: 'cancelled', code }, () => {
      if (!out.committed) out.error(error)
      else if (x.request.stream) out.end(this.#errorFrame(error))
      else out.destroy()
    })
  }

  /** Reports content that text rules cannot read; `mode=strict` blocks it. */
  cannotInspect(kinds: ReadonlyMap<string, number>): void {
    const { mode, reply } = this.x
    reply.uninspected = kinds
    if (mode !== 'strict') return
    const reason = `The reply has content that cannot be inspected (${[...kinds.keys()].join(', ')}), which mode=strict refuses.`
    reply.blocked ??= { reason, policy: 'mode', code: 'uninspectable_content' }
  }

  /** A verdict or a failed guard from the taps, if any. */
  get stop(): Verdict | GatewayError | undefined {
    const { inspection, reply } = this.x
    if (inspection.failed !== undefined) return guardrailUnavailable(inspection.failed)
    if (inspection.hasTooMany('output')) return invalid('has more findings than inspection.max_findings')
    return reply.blocked ?? (inspection.outputBlock === undefined ? undefined : verdictOf(inspection.outputBlock))
  }
}
