/** Counts what the gateway tells: events, requests to providers, runs of taps. */
import type { Exchange, GovernanceEvent, TapRun, UpstreamAttempt, Usage } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { LabelNames } from './labels.ts'
import { type Family, Metric } from './series.ts'

export interface RecorderOptions {
  readonly models: readonly string[]
  readonly keys: readonly string[]
  /** One of so many exchanges is timed. */
  readonly sample: number
}

type Used = Pick<Usage, 'prompt' | 'completion'>

interface Detection {
  readonly type: string
  readonly count: number
  readonly action: string
}

const OUTCOMES: Readonly<Record<string, string>> = {
  'request.completed': 'allowed',
  'request.blocked': 'blocked',
  'response.blocked': 'blocked',
  'request.rejected': 'rejected',
  'stream.aborted': 'aborted',
  'upstream.failed': 'error',
}

export class Recorder {
  readonly #models: LabelNames
  readonly #keys: LabelNames | undefined
  readonly #sample: number
  readonly #requests: Metric
  readonly #durations = new Metric('gateway_request_duration_seconds')
  readonly #first = new Metric('gateway_time_to_first_token_seconds')
  readonly #overhead = new Metric('gateway_overhead_seconds')
  readonly #asked = new Metric('gateway_upstream_requests_total')
  readonly #failed = new Metric('gateway_upstream_errors_total')
  readonly #answered = new Metric('gateway_upstream_request_duration_seconds')
  readonly #tokens: Metric
  readonly #cost: Metric
  readonly #policies = new Metric('gateway_policy_decisions_total')
  readonly #detections = new Metric('gateway_detections_total')
  readonly #events = new Metric('gateway_events_total')
  readonly #auth = new Metric('gateway_auth_failures_total')
  readonly #genDuration = new Metric('gen_ai_client_operation_duration_seconds')
  readonly #genFirst = new Metric('gen_ai_client_operation_time_to_first_chunk_seconds')
  readonly #genTokens = new Metric('gen_ai_client_token_usage')
  /** Time per hook of a sampled exchange, seconds. */
  readonly #timed = new Map<string, Map<string, number>>()
  #seen = 0

  constructor({ models, keys, sample }: RecorderOptions) {
    this.#models = new LabelNames(models)
    this.#keys = keys.length === 0 ? undefined : new LabelNames(keys)
    const extra = keys.length === 0 ? [] : ['key']
    this.#sample = sample
    this.#requests = new Metric('gateway_requests_total', extra)
    this.#tokens = new Metric('gateway_tokens_total', extra)
    this.#cost = new Metric('gateway_cost_dollars_total', extra)
  }

  /** At the begin of an exchange. */
  begun(x: Exchange): void {
    if (this.#seen++ % this.#sample !== 0) return
    x.observeTaps()
    this.#timed.set(x.id, new Map())
  }

  tap({ id }: Exchange, { hook, startedAt, endedAt }: TapRun): void {
    const times = this.#timed.get(id)
    times?.set(hook, (times.get(hook) ?? 0) + (endedAt - startedAt) / 1000)
  }

  /** When a request to a provider has ended. */
  attempt(x: Exchange, attempt: UpstreamAttempt): void {
    const { upstream, status, error, startedAt, endedAt, firstByteAt } = attempt
    if (endedAt === undefined) return
    const seconds = (endedAt - startedAt) / 1000
    this.#asked.add(1, upstream, status === undefined ? 'none' : String(status))
    this.#answered.add(seconds, upstream)
    const failure = error === 'aborted' ? undefined : error
    if (failure !== undefined) this.#failed.add(1, upstream, failure)
    const labels = this.#genAi(x, attempt)
    this.#genDuration.add(seconds, ...labels, error ?? '')
    if (x.request.stream && firstByteAt !== undefined) this.#genFirst.add((firstByteAt - startedAt) / 1000, ...labels)
  }

  /** When usage is known. */
  ended(x: Exchange, last: UpstreamAttempt | undefined): void {
    const { usage } = x.reply
    // A copy has no event with its use.
    if (x.mirrorOf !== undefined) return this.#used(x.request.targets[0]?.model, x.caller.keyId, usage, x.reply.cost)
    const times = this.#timed.get(x.id)
    if (times !== undefined) {
      this.#timed.delete(x.id)
      for (const [hook, seconds] of times) this.#overhead.add(seconds, hook)
    }
    if (usage === undefined || last === undefined) return
    const labels = this.#genAi(x, last)
    this.#genTokens.add(usage.prompt, ...labels, 'input')
    this.#genTokens.add(usage.completion, ...labels, 'output')
  }

  #genAi(x: Exchange, attempt: UpstreamAttempt): [string, string, string] {
    return [operationName(x.operation), providerName(attempt), this.#models.of(x.request.model)]
  }

  event(event: Readonly<GovernanceEvent>): void {
    const { type } = event
    this.#events.add(1, type)
    const outcome = OUTCOMES[type]
    if (outcome !== undefined) this.#end(event, outcome)
    else if (type === 'policy.would_block') this.#policies.add(1, nameOf(event.policy), 'would_block')
    else if (type === 'auth.failed') this.#auth.add(Number(event.count), String(event.reason))
    else if (type.endsWith('.detected')) this.#detected(event)
  }

  #end(event: Readonly<GovernanceEvent>, outcome: string): void {
    const { operation, action, status, stream, latency_ms, first_byte_ms, tokens, cost } = event
    const route = typeof operation === 'string' ? operation.slice(operation.indexOf(' ') + 1) : 'other'
    const told = outcome === 'allowed' && action === 'redact' ? 'redacted' : outcome
    const key = this.#keys === undefined ? [] : [this.#keys.of(event.key_id)]
    this.#requests.add(1, route, told, status === undefined ? 'none' : String(status), String(stream === true), ...key)
    if (typeof latency_ms === 'number') this.#durations.add(latency_ms / 1000, route, told)
    if (outcome === 'blocked') this.#policies.add(1, nameOf(event.policy), 'block')
    if (stream === true && typeof first_byte_ms === 'number')
      this.#first.add(first_byte_ms / 1000, this.#models.of(event.model))
    this.#used(event.model, event.key_id, tokens as Used | undefined, cost)
  }

  #used(name: unknown, keyId: unknown, tokens: Used | undefined, cost: unknown): void {
    const model = this.#models.of(name)
    const key = this.#keys === undefined ? [] : [this.#keys.of(keyId)]
    if (typeof tokens === 'object' && tokens !== null) {
      this.#tokens.add(tokens.prompt, 'input', model, ...key)
      this.#tokens.add(tokens.completion, 'output', model, ...key)
    }
    if (typeof cost === 'number') this.#cost.add(cost, model, ...key)
  }

  #detected({ type, detections }: Readonly<GovernanceEvent>): void {
    const detector = type.slice(0, -'.detected'.length)
    if (!Array.isArray(detections)) return this.#detections.add(1, detector, 'any', 'detect')
    for (const one of detections as unknown as readonly Detection[]) {
      this.#detections.add(one.count, detector, one.type, one.action)
    }
  }

  families(): Family[] {
    const all = [
      ...[this.#requests, this.#durations, this.#first, this.#overhead, this.#asked, this.#failed, this.#answered],
      ...[this.#tokens, this.#cost, this.#policies, this.#detections, this.#events, this.#auth],
      ...[this.#genDuration, this.#genFirst, this.#genTokens],
    ]
    return all.map((metric) => metric.family())
  }
}

const nameOf = (policy: unknown): string => (typeof policy === 'string' ? policy : 'none')
