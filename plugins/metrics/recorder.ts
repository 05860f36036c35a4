/** Counts what the gateway tells: events, requests to providers, runs of taps. */
import type { Exchange, GovernanceEvent, TapRun, UpstreamAttempt, Usage } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { LabelNames } from './labels.ts'
import { Lately } from './lately.ts'
import { type Family, Metric, type Series } from './series.ts'

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

/** Events that alert rules wait for. Prometheus sees no increase in a series that begins with its first one. */
const AT_ZERO = ['plugin.failed', 'export.dropped']

/** Series that requests of a kind count in. Those that may stay without a value are opened when they get one. */
interface AttemptSeries {
  readonly asked: Series
  readonly answered: Series
  readonly duration: Series
  readonly failed: Series | undefined
}
interface TokenSeries {
  readonly input: Series
  readonly output: Series
}
interface LastSeries {
  readonly events: Series
  readonly requests: Series
  readonly route: string
  readonly result: string
  readonly model: string
  readonly key: readonly string[]
  duration: Series | undefined
  tokens: TokenSeries | undefined
  cost: Series | undefined
}

export class Recorder {
  readonly #attempts = new Lately<AttemptSeries>()
  readonly #used = new Lately<TokenSeries>()
  readonly #lasts = new Lately<LastSeries>()
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
    for (const type of AT_ZERO) this.#events.of(type)
    this.#auth.of('invalid_key')
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
    const { upstream, kind, address, status, error, startedAt, endedAt, firstByteAt } = attempt
    if (endedAt === undefined) return
    const seconds = (endedAt - startedAt) / 1000
    const { operation } = x
    const { model, stream } = x.request
    const series =
      this.#attempts.get(upstream, status, error, operation, model, kind, address) ??
      this.#attempts.keep(this.#attemptSeries(x, attempt), upstream, status, error, operation, model, kind, address)
    series.asked.add(1)
    series.answered.add(seconds)
    series.failed?.add(1)
    series.duration.add(seconds)
    if (stream && firstByteAt !== undefined)
      this.#genFirst.add((firstByteAt - startedAt) / 1000, ...this.#genAi(x, attempt))
  }

  #attemptSeries(x: Exchange, attempt: UpstreamAttempt): AttemptSeries {
    const { upstream, status, error } = attempt
    const failure = error === 'aborted' ? undefined : error
    return {
      asked: this.#asked.of(upstream, status === undefined ? 'none' : String(status)),
      answered: this.#answered.of(upstream),
      duration: this.#genDuration.of(...this.#genAi(x, attempt), error ?? ''),
      failed: failure === undefined ? undefined : this.#failed.of(upstream, failure),
    }
  }

  /** When usage is known. */
  ended(x: Exchange, last: UpstreamAttempt | undefined): void {
    const { usage } = x.reply
    if (x.mirrorOf !== undefined) return this.#copied(x, usage)
    const times = this.#timed.get(x.id)
    if (times !== undefined) {
      this.#timed.delete(x.id)
      for (const [hook, seconds] of times) this.#overhead.add(seconds, hook)
    }
    if (usage === undefined || last === undefined) return
    const { operation } = x
    const { model } = x.request
    const { kind, address } = last
    const series =
      this.#used.get(operation, model, kind, address) ??
      this.#used.keep(tokenSeries(this.#genTokens, ...this.#genAi(x, last)), operation, model, kind, address)
    series.input.add(usage.prompt)
    series.output.add(usage.completion)
  }

  #genAi(x: Exchange, attempt: UpstreamAttempt): [string, string, string] {
    return [operationName(x.operation), providerName(attempt), this.#models.of(x.request.model)]
  }

  event(event: Readonly<GovernanceEvent>): void {
    const { type } = event
    // Its process counts it, too, if it lives after all.
    const outcome = event.reason === 'gateway_lost' ? 'lost' : OUTCOMES[type]
    if (outcome !== undefined) return this.#end(event, outcome)
    this.#events.add(1, type)
    if (type === 'policy.would_block') this.#policies.add(1, nameOf(event.policy), 'would_block')
    else if (type === 'auth.failed') this.#auth.add(Number(event.count), String(event.reason))
    else if (type.endsWith('.detected')) this.#detected(event)
  }

  #end(event: Readonly<GovernanceEvent>, outcome: string): void {
    const { type, operation, action, status, stream, model, key_id, latency_ms, first_byte_ms, tokens, cost } = event
    const kind = outcome === 'lost' ? outcome : type
    const series =
      this.#lasts.get(kind, operation, action, status, stream, model, key_id) ??
      this.#lasts.keep(this.#lastSeries(event, outcome), kind, operation, action, status, stream, model, key_id)
    series.events.add(1)
    series.requests.add(1)
    if (typeof latency_ms === 'number') {
      series.duration ??= this.#durations.of(series.route, series.result)
      series.duration.add(latency_ms / 1000)
    }
    if (outcome === 'blocked') this.#policies.add(1, nameOf(event.policy), 'block')
    if (stream === true && typeof first_byte_ms === 'number') this.#first.add(first_byte_ms / 1000, series.model)
    if (typeof tokens === 'object' && tokens !== null) {
      const { prompt, completion } = tokens as unknown as Used
      series.tokens ??= this.#tokenSeries(series)
      series.tokens.input.add(prompt)
      series.tokens.output.add(completion)
    }
    if (typeof cost === 'number') {
      series.cost ??= this.#cost.of(series.model, ...series.key)
      series.cost.add(cost)
    }
  }

  #lastSeries(
    { type, operation, action, status, stream, model, key_id: keyId }: GovernanceEvent,
    outcome: string,
  ): LastSeries {
    const route = typeof operation === 'string' ? operation.slice(operation.indexOf(' ') + 1) : 'other'
    const result = outcome === 'allowed' && action === 'redact' ? 'redacted' : outcome
    const key = this.#keyLabel(keyId)
    const ended = status === undefined ? 'none' : String(status)
    return {
      events: this.#events.of(type),
      requests: this.#requests.of(route, result, ended, String(stream === true), ...key),
      ...{ route, result, key, model: this.#models.of(model) },
      ...{ duration: undefined, tokens: undefined, cost: undefined },
    }
  }

  #keyLabel(id: unknown): readonly string[] {
    return this.#keys === undefined ? [] : [this.#keys.of(id)]
  }

  #tokenSeries({ model, key }: Pick<LastSeries, 'model' | 'key'>): TokenSeries {
    return { input: this.#tokens.of('input', model, ...key), output: this.#tokens.of('output', model, ...key) }
  }

  /** A copy has no event with its use. */
  #copied({ request, caller, reply: { cost } }: Exchange, usage: Used | undefined): void {
    const model = this.#models.of(request.targets[0]?.model)
    const key = this.#keyLabel(caller.keyId)
    if (usage !== undefined) {
      const { input, output } = this.#tokenSeries({ model, key })
      input.add(usage.prompt)
      output.add(usage.completion)
    }
    if (cost !== undefined) this.#cost.add(cost, model, ...key)
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

/** Of the conventions for generative AI. */
const tokenSeries = (metric: Metric, ...labels: [string, string, string]): TokenSeries => ({
  input: metric.of(...labels, 'input'),
  output: metric.of(...labels, 'output'),
})

const nameOf = (policy: unknown): string => (typeof policy === 'string' ? policy : 'none')
