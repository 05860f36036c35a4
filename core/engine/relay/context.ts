import { GatewayError, stackOf } from '../contract/errors.ts'
import { isTapped } from '../contract/hooks.ts'
import type { Json, Outcome, Verdict } from '../contract/plugin.ts'
import { guardrailUnavailable } from '../contract/results.ts'
import { errorFrame } from '../dialects/chat-completions/wire.ts'
import { REFUSALS } from '../events/emitter.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { ownDetails } from '../exchange/owned.ts'
import { actionOf, serviceMember, summarise } from '../exchange/service-member.ts'
import { verdictOf } from '../text/inspection.ts'
import type { Source } from '../upstreams/source.ts'
import { errorName } from '../util/outside.ts'
import type { Responder } from './responder.ts'

export interface RelaySettings {
  /** Silence after which a stream gets a comment, milliseconds. */
  readonly keepAliveMs: number
  /** How a block in mid-stream is told. */
  readonly blockSignal: 'error' | 'finish_reason'
}

/** What all parts of one reply share; sees to it that an exchange ends exactly once. */
export class ReplyContext {
  readonly x: ChatExchange
  readonly out: Responder
  readonly settings: RelaySettings
  /** The provider that answers now. */
  source: Source | undefined = undefined
  /** Lets go of what only a running reply needs, such as timers; called once, however the exchange ends. */
  release: (() => void) | undefined = undefined
  /** The client has all that it asked for; only the end of the stream is missing. */
  told = false
  /** Why the connection closed before the answer was complete. */
  left: 'client_disconnected' | 'gateway_stopped' | undefined = undefined
  /** The last write was made, and the last bytes were given out. */
  settled = false
  onSettled: (() => void) | undefined = undefined
  #deciding = true
  #over = false

  constructor(x: ChatExchange, out: Responder, settings: RelaySettings) {
    this.x = x
    this.out = out
    this.settings = settings
  }

  /** Nothing more may be written or decided. */
  get over(): boolean {
    return this.#over
  }

  /** `service` belongs to every governed answer; with no plugins the gateway is transparent. */
  get governs(): boolean {
    return this.x.chain.plugins.length > 0
  }

  get inspects(): boolean {
    const { chain, mode } = this.x
    return mode === 'off' ? chain.limitsOutput : chain.inspectsOutput
  }

  /** Settles the exchange, states its terminal event, and only then lets the last bytes go. */
  conclude(outcome: Outcome, details: Readonly<Record<string, Json | undefined>>, lastBytes: () => void): void {
    if (this.#over) return
    this.#over = true
    const { x } = this
    let open = true
    const finish = () => {
      if (!open) return
      open = false
      this.#record(outcome, details, lastBytes)
    }
    try {
      this.release?.()
      x.reply.outcome = outcome
      if (outcome === 'completed' || outcome === 'answered') x.reply.status ??= 200
      if (isTapped(x.chain.hooks.postResponse as never)) x.chain.hooks.postResponse.callAsync(x, finish)
      else finish()
    } catch (error) {
      this.#logFault(error)
      finish()
    }
  }

  /** The terminal event, the last write, the last bytes. */
  #record(outcome: Outcome, details: Readonly<Record<string, Json | undefined>>, lastBytes: () => void): void {
    const { x } = this
    let bytes = lastBytes
    let measured: Record<string, Json | undefined> = {}
    try {
      noteDetections(x, 'output')
      measured = measurements(x)
    } catch (error) {
      bytes = () => {
        throw error
      }
    }
    const severity = REFUSALS.has((details.code as string | null | undefined) ?? null) ? 'action' : undefined
    x.note(terminalEvent(outcome, this.source !== undefined), Object.assign(measured, details), severity)
    const written = x.chain.recorder.end(x)
    if (written === undefined) this.#last(bytes)
    else void written.then((kept) => this.#last(kept ? bytes : () => this.#unrecorded()))
  }

  #last(bytes: () => void): void {
    this.settled = true
    try {
      bytes()
    } catch (error) {
      this.#logFault(error)
      this.#breakOff()
    } finally {
      this.onSettled?.()
    }
  }

  #logFault(error: unknown): void {
    this.x.log.error({ error: errorName(error), at: stackOf(error) }, 'exchange failed')
  }

  /** The last resort: whatever went wrong, the client is told that it did, and does not wait. */
  #breakOff(): void {
    const { out } = this
    const error = new GatewayError('GW_INTERNAL', 'The gateway failed to handle the request or its reply.')
    try {
      if (out.committed) return out.end(errorFrame({ error: { ...error.toBody(), request_id: out.id } }))
      // Without the headers that plugins have set, one of which may be the reason.
      out.exchange = undefined
      out.error(error)
    } catch {
      out.destroy()
    }
  }

  /** What happened could not be written down, so it must not look as if it were: never a clean end. */
  #unrecorded(): void {
    const { out } = this
    const error = new GatewayError('GW_AUDIT_UNAVAILABLE', 'The gateway could not record the reply.')
    if (!out.committed) out.error(error)
    else out.end(errorFrame({ error: { ...error.toBody(), request_id: out.id } }))
  }

  /** The hooks in front of the model have run. False when the exchange is over: the client left meanwhile. */
  decided(): boolean {
    this.#deciding = false
    if (this.left !== undefined) this.gone(this.left)
    return !this.#over
  }

  /**
   * Nobody is there to answer: the provider stops at once, and what was seen is settled. What is being decided comes to
   * its end first, so that nothing is reserved after all was settled.
   */
  gone(reason: 'client_disconnected' | 'gateway_stopped'): void {
    if (this.#over) return
    this.left = reason
    this.source?.abort()
    this.x.abort()
    if (this.#deciding) return
    if (this.told) this.conclude('completed', {}, () => {})
    else this.conclude('aborted', { reason }, () => {})
  }

  /** What no text rule can read is told to the client, and not let through by `mode=strict`. */
  cannotInspect(kinds: ReadonlyMap<string, number>): void {
    const { mode, reply } = this.x
    reply.uninspected = kinds
    if (mode !== 'strict') return
    const reason = `The reply has content that cannot be inspected (${[...kinds.keys()].join(', ')}), which mode=strict refuses.`
    reply.blocked ??= { reason, policy: 'mode', code: 'uninspectable_content' }
  }

  /** A verdict or a failed guard that the taps left behind, if any. */
  get stop(): Verdict | GatewayError | undefined {
    const { inspection, reply } = this.x
    if (inspection.failed !== undefined) return guardrailUnavailable(inspection.failed)
    return reply.blocked ?? (inspection.outputBlock === undefined ? undefined : verdictOf(inspection.outputBlock))
  }
}

const OUTCOME_EVENTS: Readonly<Record<Outcome, string>> = {
  pending: 'upstream.failed',
  completed: 'request.completed',
  answered: 'request.completed',
  rejected: 'request.rejected',
  blocked: 'request.blocked',
  aborted: 'stream.aborted',
  upstream_failed: 'upstream.failed',
}

const terminalEvent = (outcome: Outcome, called: boolean): string =>
  outcome === 'blocked' && called ? 'response.blocked' : OUTCOME_EVENTS[outcome]

function measurements(x: ChatExchange): Record<string, Json | undefined> {
  const now = performance.now()
  const { usage } = x.reply
  return {
    status: x.reply.status,
    action: x.reply.outcome === 'blocked' ? 'block' : actionOf(x),
    stream: x.request.stream,
    output_classification: x.outputLabel,
    rules: x.rules,
    detections: x.findings.length === 0 ? undefined : summarise(x),
    tokens: usage === undefined ? undefined : { prompt: usage.prompt, completion: usage.completion },
    cost: x.reply.cost,
    latency_ms: Math.round(now - x.startedAt),
    first_byte_ms: x.firstByteAt === undefined ? undefined : Math.round(x.firstByteAt - x.startedAt),
    retry_count: retryCount(x),
  }
}

function retryCount(x: ChatExchange): number | undefined {
  const count = Number(x.request.headers['x-stainless-retry-count'])
  return Number.isInteger(count) && count > 0 && count < 1000 ? count : undefined
}

/** One event for each plugin that found something, by the name it declares (`pii.detected`). */
export function noteDetections(x: ChatExchange, direction: 'input' | 'output', sent = true): void {
  if (x.findings.length === 0) return
  const found = x.findings.filter((entry) => entry.direction === direction)
  for (const plugin of new Set(found.map((entry) => entry.plugin))) {
    const event = x.chain.detectionEvents.get(plugin)
    if (event === undefined) continue
    const detections = found
      .filter((entry) => entry.plugin === plugin)
      .map(({ type, count, action }) => ({ type, count, action }))
    x.note(event, { direction, detections })
  }
  if (sent && found.some(({ action }) => action === 'redact' || action === 'tokenize')) {
    x.note(direction === 'input' ? 'request.redacted' : 'response.redacted', { direction })
  }
}

/** Status, headers and body of a policy block, for a plain reply and for an event. */
export function blockBody(x: ChatExchange, verdict: Verdict): { error: GatewayError; within: object; more: object } {
  const options = {
    ...(verdict.status === undefined ? {} : { status: verdict.status }),
    ...(verdict.code === undefined ? {} : { code: verdict.code }),
    ...(verdict.type === undefined ? {} : { type: verdict.type }),
  }
  const error = new GatewayError('GW_POLICY_BLOCK', `Blocked by policy: ${verdict.reason}`, options)
  const { kept, dropped } = ownDetails(verdict.details)
  if (dropped.length > 0) x.log.error({ members: dropped }, "details of a verdict are the gateway's members; left out")
  const within = { reason: verdict.reason, classification: x.label, ...kept }
  return { error, within, more: { service: serviceMember(x, verdict.reason) } }
}
