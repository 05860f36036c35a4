import { definePlugin, type GovernanceEvent, type RequestMessage, Stage } from 'governed-gateway'
import { codecOf } from './codec.ts'
import { Exporter } from './exporter.ts'
import { type LogRecord, logRecord } from './logs.ts'
import { schema } from './schema.ts'
import { clientSpan, type Origin, originOf, refusedSpan, type Span, spansOf } from './spans.ts'
import { beginTrace, newId, refusedTrace, type Trace, traceFact, traceparentOf } from './trace.ts'

/** Most requests whose trace is open at once; beyond that their events are not joined to it. */
const MOST_OPEN = 100_000
/** Longest wait for the receiver at the stop, milliseconds. */
const DRAIN_MS = 5000

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
    const codec = codecOf(encoding)
    const common = {
      services,
      headers: options.headers as Readonly<Record<string, string>>,
      contentType: codec.contentType,
      timeoutMs: options.timeout_seconds * 1000,
      flushMs: options.flush_seconds * 1000,
      most: options.max_queue,
    }
    const base = endpoint.replace(/\/+$/, '')
    const spans = new Exporter<Span>({ ...common, signal: 'traces', url: `${base}/v1/traces`, serialize: codec.spans })
    const logs = new Exporter<LogRecord>({ ...common, signal: 'logs', url: `${base}/v1/logs`, serialize: codec.logs })
    const origin: Origin = originOf(services, options)
    const open = new Map<string, Trace>()
    const signals = [
      ['traces', spans],
      ['logs', logs],
    ] as const
    const figure = (name: string, kind: 'gauge' | 'counter', help: string, pick: (one: Exporter<unknown>) => number) =>
      services.figure({
        ...{ name, kind, help },
        read: () => signals.map(([signal, one]) => ({ value: pick(one as Exporter<unknown>), labels: { signal } })),
      })
    figure('otel_queue_items', 'gauge', 'Spans and log records that wait for the receiver.', ({ waiting }) => waiting)
    figure('otel_exported_total', 'counter', 'Spans and log records that the receiver took.', ({ sent }) => sent)
    figure('otel_dropped_total', 'counter', 'Spans and log records that were dropped.', ({ dropped }) => dropped)

    /** The last event of a request ends its trace. */
    const onEvent = (event: Readonly<GovernanceEvent>): void => {
      const id = event.request_id as string | undefined
      const trace = id === undefined ? undefined : open.get(id)
      const told = services.describe(event)
      if (trace === undefined) {
        // Refused before this plugin saw it, such as for its body or its model.
        const refused = id !== undefined && told.category === 'exchange' ? refusedTrace(event, ratio) : undefined
        if (options.logs) logs.add(logRecord(origin, event, told, refused))
        if (refused?.sampled && options.traces) spans.add(refusedSpan(origin, refused, event))
        return
      }
      if (options.logs) logs.add(logRecord(origin, event, told, trace))
      if (told.category !== 'exchange') return
      open.delete(id as string)
      trace.over = true
      if (typeof event.model === 'string') trace.model = event.model
      if (!trace.sampled || !options.traces) return
      for (const span of spansOf(origin, trace, event, performance.now())) spans.add(span)
    }
    return {
      apply(hooks) {
        hooks.preRequest.tap('otel', (x) => {
          const trace = beginTrace(x, ratio)
          x.facts.set(traceFact, trace)
          if (open.size < MOST_OPEN) open.set(x.id, trace)
          if (trace.sampled && options.traces) x.observeTaps()
        })
        hooks.postResponse.tap({ name: 'otel', stage: Stage.Final }, (x) => {
          const trace = x.facts.get(traceFact)
          if (trace === undefined || !trace.sampled) return
          trace.usage = x.reply.usage
          if (withPrompts) trace.prompt = messagesOf(x.request.messages)
        })
        if (options.logs || options.traces) hooks.onEvent.tap('otel', onEvent)
      },
      onTap: (x, run) => void x.facts.get(traceFact)?.taps.push(run),
      onAttempt(x, attempt) {
        const trace = x.facts.get(traceFact)
        if (trace === undefined) return
        if (attempt.endedAt === undefined) {
          const asked = { spanId: newId(8), attempt }
          trace.asked.push(asked)
          if (propagate) x.request.setUpstreamHeader('traceparent', traceparentOf(trace, asked.spanId))
          return
        }
        const asked = trace.asked.find((one) => one.attempt.number === attempt.number)
        if (asked === undefined) return
        asked.attempt = attempt
        if (trace.over && trace.sampled && options.traces) spans.add(clientSpan(origin, trace, asked))
      },
      async start() {
        const problem = await services.checkUrl('options.endpoint', endpoint)
        if (problem !== undefined) throw new Error(`${problem.field} ${problem.message}`)
      },
      async drain(signal) {
        const until = AbortSignal.any([signal, AbortSignal.timeout(DRAIN_MS)])
        await Promise.all([spans.flush(until), logs.flush(until)])
      },
      stop() {
        spans.close()
        logs.close()
      },
    }
  },
})

/** As the conventions write them; the texts as the provider got them, after redaction. */
function messagesOf(messages: readonly RequestMessage[]): string {
  const parts = (texts: readonly string[]) => texts.map((content) => ({ type: 'text', content }))
  return JSON.stringify(messages.map(({ role, texts }) => ({ role, parts: parts(texts) })))
}
