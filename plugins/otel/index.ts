import { extname } from 'node:path'
import {
  definePlugin,
  type EventText,
  type Exchange,
  type GovernanceEvent,
  type RequestMessage,
  Stage,
} from 'governed-gateway'
import { ANSWERS } from './answers.ts'
import type { Attributes, Origin } from './codec.ts'
import { Encoder } from './encoder.ts'
import { Exporter } from './exporter.ts'
import { ToldTable } from './handover.ts'
import {
  attemptSpanId,
  firstTraceparent,
  isRequestId,
  isSampled,
  limitOf,
  ownTraceparent,
  spanIdOf,
  traceIdOf,
  traceparentOf,
} from './ids.ts'
import { schema } from './schema.ts'
import { attemptSource, hasSpan, requestSource, SHORTEST_MS, sourcesOf, unauthorizedSource } from './sources.ts'
import { beginTrace, refusedTrace, type Trace, traceFact, unauthorizedTrace } from './trace.ts'

/** Most requests whose trace is open at once; those beyond have a server span alone. */
const MOST_OPEN = 100_000
/** Longest wait for the receiver at the stop, milliseconds. */
const DRAIN_MS = 5000

/** In `dist` as in the source it stands beside this file. */
const THREAD = new URL(`thread${extname(import.meta.filename)}`, import.meta.url)

/** The types of which each request ends with one. */
const LAST: ReadonlySet<string> = new Set([
  'request.completed',
  'request.blocked',
  'request.rejected',
  'response.blocked',
  'stream.aborted',
  'upstream.failed',
])

/** Spans and log records for OpenTelemetry. */
export default definePlugin({
  name: 'otel',
  description: 'Exports traces of requests and governance events to OpenTelemetry, over OTLP/HTTP',
  governs: 'usage',
  onError: 'allow',
  provides: [traceFact],
  schema,
  create(options, services) {
    const { endpoint, encoding, sample_ratio: ratio, propagate, record_prompts: withPrompts } = options
    const origin: Origin = {
      resource: {
        'service.name': options.service_name,
        'service.version': services.version,
        'service.instance.id': services.instance,
        'process.pid': process.pid,
        ...(options.attributes as Attributes),
      },
      version: services.version,
      timeOrigin: performance.timeOrigin,
    }
    const limit = limitOf(ratio)
    const encoder = new Encoder(THREAD, { origin, encoding, limit, withPrompts })
    const common = {
      services,
      headers: options.headers as Readonly<Record<string, string>>,
      answers: ANSWERS[encoding],
      timeoutMs: options.timeout_seconds * 1000,
      flushMs: options.flush_seconds * 1000,
      most: options.max_queue,
    }
    const table = new ToldTable()
    const base = endpoint.replace(/\/+$/, '')
    const spans = new Exporter({
      ...common,
      signal: 'traces',
      url: `${base}/v1/traces`,
      encode: ({ bytes, length }) => encoder.encode({ signal: 'traces', bytes, length }),
    })
    const logs = new Exporter({
      ...common,
      signal: 'logs',
      url: `${base}/v1/logs`,
      encode: ({ bytes, length }) => encoder.encode({ signal: 'logs', bytes, length, told: table.all }),
    })
    /** Of requests that are sampled, or continue a trace of the client. */
    const open = new Map<string, Trace>()
    const signals = [
      ['traces', spans],
      ['logs', logs],
    ] as const
    const figure = (name: string, kind: 'gauge' | 'counter', help: string, pick: (one: Exporter) => number) =>
      services.figure({
        ...{ name, kind, help },
        read: () => signals.map(([signal, one]) => ({ value: pick(one), labels: { signal } })),
      })
    figure('otel_queue_items', 'gauge', 'Spans and log records that wait for the receiver.', ({ waiting }) => waiting)
    figure('otel_exported_total', 'counter', 'Spans and log records that the receiver took.', ({ sent }) => sent)
    figure('otel_dropped_total', 'counter', 'Spans and log records that were dropped.', ({ dropped }) => dropped)

    const onEvent = (event: Readonly<GovernanceEvent>, text: EventText): void => {
      const id = event.request_id as string | undefined
      const trace = id === undefined ? undefined : open.get(id)
      if (id !== undefined && LAST.has(event.type)) {
        if (trace !== undefined) {
          open.delete(id)
          close(trace, event, text)
        } else if (options.traces && isSampled(id, limit) && isRequestId(id)) {
          // Refused before this plugin saw it, such as for its body or its model.
          spans.add(requestSource(refusedTrace(id, event), text.json, performance.now()))
        }
      }
      if (options.logs) {
        logs.add(text.json, table.of(event.type, services.describe(event)), trace?.traceId, trace?.sampled)
      }
    }
    /** The last event of a request ends its trace. */
    const close = (trace: Trace, event: Readonly<GovernanceEvent>, text: EventText): void => {
      const { seen } = trace
      if (seen === undefined) return
      seen.isOver = true
      if (typeof event.model === 'string') seen.model = event.model
      for (const source of sourcesOf(trace, seen, text.json, performance.now())) spans.add(source)
      release(trace)
    }
    /** Records that wait refer to the trace, and would keep the request and its reply. */
    const release = (trace: Trace): void => {
      if (trace.seen?.attempts.every(({ endedAt }) => endedAt !== undefined)) trace.seen = undefined
    }
    const isOn = options.logs || options.traces || propagate
    return {
      apply(hooks) {
        if (!isOn) return
        hooks.preRequest.tap('otel', (x) => {
          if (x.request.headers.traceparent === undefined && !isSampled(x.id, limit)) {
            if (propagate) passOn(x, ownTraceparent(x.id))
            return
          }
          const trace = beginTrace(x, limit, options.traces)
          if (open.size < MOST_OPEN) open.set(x.id, trace)
          if (trace.seen === undefined) {
            // Without spans of its own, the request is told by one id.
            if (propagate) passOn(x, parentOf(trace, spanIdOf(x.id)))
            return
          }
          x.facts.set(traceFact, trace)
          x.observeTaps(SHORTEST_MS)
        })
        if (withPrompts) {
          hooks.postResponse.tap({ name: 'otel', stage: Stage.Final }, (x) => {
            const seen = x.facts.get(traceFact)?.seen
            if (seen !== undefined) seen.prompt = messagesOf(x.request.messages)
          })
        }
        hooks.onEvent.tap('otel', onEvent)
      },
      onTap(x, run) {
        const taps = x.facts.get(traceFact)?.seen?.taps
        if (taps !== undefined && hasSpan(run, taps.length)) taps.push(run)
      },
      onAttempt(x, attempt) {
        const trace = x.facts.get(traceFact)
        const seen = trace?.seen
        if (trace === undefined || seen === undefined) return false
        const { number } = attempt
        if (attempt.endedAt === undefined) {
          seen.attempts.push(attempt)
          if (propagate) passOn(x, attemptParent(trace, number))
          return
        }
        const at = seen.attempts.findIndex((one) => one.number === number)
        if (at === -1) return
        seen.attempts[at] = attempt
        if (!seen.isOver) return
        spans.add(attemptSource(trace, seen, attempt))
        release(trace)
      },
      onUnauthorized(call) {
        // Only the ratio decides: anybody may ask for a trace, and a flood of them would displace those of others.
        if (options.traces && isSampled(call.requestId, limit))
          spans.add(unauthorizedSource(unauthorizedTrace(call), call))
      },
      async start() {
        const problem = await services.checkUrl('options.endpoint', endpoint)
        if (problem !== undefined) throw new Error(`${problem.field} ${problem.message}`)
      },
      async drain(signal) {
        const until = AbortSignal.any([signal, AbortSignal.timeout(DRAIN_MS)])
        await Promise.all([spans.flush(until), logs.flush(until)])
      },
      async stop() {
        spans.close()
        logs.close()
        await encoder.close()
      },
    }
  },
})

const passOn = (x: Exchange, traceparent: string): void => x.request.setUpstreamHeader('traceparent', traceparent)

const parentOf = ({ id, traceId, sampled }: Trace, spanId: string): string =>
  traceparentOf(traceId ?? traceIdOf(id), spanId, sampled)

const attemptParent = (trace: Trace, number: number): string =>
  trace.traceId === undefined && number === 1
    ? firstTraceparent(trace.id)
    : parentOf(trace, attemptSpanId(trace.id, number))

/** As the conventions write them; the texts as the provider got them, after redaction. */
function messagesOf(messages: readonly RequestMessage[]): string {
  const parts = (texts: readonly string[]) => texts.map((content) => ({ type: 'text', content }))
  return JSON.stringify(messages.map(({ role, texts }) => ({ role, parts: parts(texts) })))
}
