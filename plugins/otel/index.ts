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
import type { Pile } from './pile.ts'
import { schema } from './schema.ts'
import { attemptSource, hasSpan, requestSource, SHORTEST_MS, traceSource, unauthorizedEvent } from './sources.ts'
import { refusedTrace, Trace, traceFact, unauthorizedTrace } from './trace.ts'

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
      const record = options.logs
        ? logs.add(text.json, table.of(event.type, services.describe(event)), trace?.traceId, trace?.sampled)
        : undefined
      if (id === undefined || !LAST.has(event.type)) return
      if (trace !== undefined) {
        open.delete(id)
        const { x } = trace
        trace.x = undefined
        if (x !== undefined && trace.sampled && options.traces) close(trace, x, event, record ?? text.json)
      } else if (options.traces && isSampled(id, limit) && isRequestId(id)) {
        // Refused before this plugin saw it, such as for its body or its model.
        spans.addList(requestSource(refusedTrace(id, event), performance.now()), record ?? text.json, 1)
      }
    }
    /** The last event of a request ends its trace. */
    const close = (trace: Trace, x: Exchange, event: Readonly<GovernanceEvent>, last: string | Pile): void => {
      if (typeof event.model === 'string') trace.model = event.model
      const { head, spans: count } = traceSource(trace, x, performance.now())
      spans.addList(head, last, count)
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
          const trace = new Trace(x, limit)
          if (open.size < MOST_OPEN) open.set(x.id, trace)
          if (!trace.sampled || !options.traces) {
            // Without spans of its own, the request is told by one id.
            if (propagate) passOn(x, parentOf(trace, spanIdOf(x.id)))
            return
          }
          x.facts.set(traceFact, trace)
          x.observeTaps(SHORTEST_MS)
        })
        if (withPrompts) {
          hooks.postResponse.tap({ name: 'otel', stage: Stage.Final }, (x) => {
            const trace = x.facts.get(traceFact)
            if (trace !== undefined) trace.prompt = messagesOf(x.request.messages)
          })
        }
        hooks.onEvent.tap('otel', onEvent)
      },
      onTap(x, run) {
        const trace = x.facts.get(traceFact)
        if (trace !== undefined && hasSpan(run, trace.taps.length)) trace.tap(run)
      },
      onAttempt(x, attempt) {
        const trace = x.facts.get(traceFact)
        if (trace === undefined) return false
        trace.attempt(attempt)
        if (attempt.endedAt === undefined) {
          if (propagate) passOn(x, attemptParent(trace, attempt.number))
        } else if (trace.isOver) spans.add(attemptSource(trace, x, attempt))
      },
      onUnauthorized(call) {
        // Only the ratio decides: anybody may ask for a trace, and a flood of them would displace those of others.
        if (options.traces && isSampled(call.requestId, limit))
          spans.addList(requestSource(unauthorizedTrace(call), performance.now()), unauthorizedEvent(call), 1)
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
