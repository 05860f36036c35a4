import { extname } from 'node:path'
import {
  definePlugin,
  type EventText,
  type Exchange,
  type GovernanceEvent,
  type RequestMessage,
  type Services,
  Stage,
} from 'governed-gateway'
import { ANSWERS } from './answers.ts'
import type { Attributes, Origin } from './codec.ts'
import { Encoder } from './encoder.ts'
import { Exporter } from './exporter.ts'
import { EventHeadTable, writeLog } from './handover.ts'
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
import {
  type About,
  aboutOf,
  hasSpan,
  SHORTEST_MS,
  spansOf,
  writeAttempt,
  writeRequest,
  writeTrace,
} from './sources.ts'
import { type Root, refusedTrace, Trace, traceFact, unauthorizedEvent, unauthorizedTrace } from './trace.ts'
import { TurnEnd } from './turn-end.ts'

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

type Event = Readonly<GovernanceEvent>

interface Exported {
  readonly event: Event
  readonly text: EventText
  readonly trace: Trace | undefined
  /** The spans that the event ends. */
  readonly ended: { readonly at: number; readonly root: Root; readonly about: About | undefined } | undefined
}

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
    const limit = limitOf(ratio)
    const origin = originOf(options, services)
    const encoder = new Encoder(THREAD, { origin, encoding, limit, withPrompts })
    const common = {
      services,
      headers: options.headers as Readonly<Record<string, string>>,
      answers: ANSWERS[encoding],
      timeoutMs: options.timeout_seconds * 1000,
      flushMs: options.flush_seconds * 1000,
      most: options.max_queue,
    }
    const table = new EventHeadTable()
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
      encode: ({ bytes, length }) => encoder.encode({ signal: 'logs', bytes, length, eventHeads: table.all }),
    })
    offerFigures(services, { traces: spans, logs })

    const waiting = new TurnEnd<Exported>(
      ({ event, text, trace, ended }) => {
        let last: string | Pile = text.json
        const log = options.logs ? logs.pileFor(1) : undefined
        if (log !== undefined) {
          writeLog(log, last, table.of(event.type, services.describe(event)), trace?.traceId, trace?.sampled)
          last = log
        }
        if (ended !== undefined) writeSpans(ended, last)
        if (log !== undefined) logs.added(log, 1)
      },
      (error) => services.log.error({ err: error }, 'an event could not be exported'),
    )
    const writeSpans = ({ at, root, about }: NonNullable<Exported['ended']>, last: string | Pile): void => {
      const trace = root instanceof Trace ? root : undefined
      const count = trace === undefined ? 1 : spansOf(trace)
      const pile = spans.pileFor(count)
      if (trace !== undefined) trace.isOver = true
      if (pile === undefined) return
      if (trace === undefined || about === undefined) writeRequest(pile, root, at, last)
      else writeTrace(pile, trace, about, at, last)
      spans.added(pile, count)
    }
    /** What the last event of a request ends. */
    const endedBy = (event: Event, trace: Trace | undefined, x: Exchange | undefined): Exported['ended'] => {
      const id = event.request_id
      // The process that had a lost request writes its span, if it lives after all: two would count it twice.
      if (!options.traces || !LAST.has(event.type) || event.reason === 'gateway_lost') return undefined
      if (trace === undefined) {
        // Refused before this plugin saw it, such as for its body or its model.
        if (typeof id !== 'string' || !isSampled(id, limit) || !isRequestId(id)) return undefined
        const at = performance.now()
        return { at, root: refusedTrace(id, event, at), about: undefined }
      }
      if (!trace.sampled || trace.isEnding || x === undefined) return undefined
      trace.isEnding = true
      if (typeof event.model === 'string') trace.model = event.model
      return { at: performance.now(), root: trace, about: aboutOf(x) }
    }
    const hasSpans = (trace: Trace | undefined): trace is Trace => options.traces && trace?.sampled === true
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
          x.facts.set(traceFact, trace)
          if (hasSpans(trace)) x.observeTaps(SHORTEST_MS)
          // Without its own spans, the request has one id.
          else if (propagate) passOn(x, parentOf(trace, spanIdOf(x.id)))
        })
        if (withPrompts) {
          hooks.postResponse.tap({ name: 'otel', stage: Stage.Final }, (x) => {
            const trace = x.facts.get(traceFact)
            if (hasSpans(trace)) trace.prompt = messagesOf(x.request.messages)
          })
        }
        hooks.onEvent.tap('otel', (event, text, x) => {
          const trace = x?.facts.get(traceFact)
          const ended = endedBy(event, trace, x)
          if (options.logs || ended !== undefined) waiting.add({ event, text, trace, ended })
        })
      },
      onTap(x, run) {
        const trace = x.facts.get(traceFact)
        if (hasSpans(trace) && hasSpan(run, trace.taps.length)) trace.tap(run)
      },
      onAttempt(x, attempt) {
        const trace = x.facts.get(traceFact)
        if (!hasSpans(trace)) return false
        trace.attempt(attempt)
        if (attempt.endedAt === undefined) {
          if (propagate) passOn(x, attemptParent(trace, attempt.number))
          return true
        }
        const pile = trace.isOver ? spans.pileFor(1) : undefined
        if (pile === undefined) return true
        writeAttempt(pile, trace, aboutOf(x), attempt)
        spans.added(pile, 1)
        return true
      },
      onUnauthorized(call) {
        // Only the ratio decides: anybody may ask for a trace, and a flood of them would displace those of others.
        if (!options.traces || !isSampled(call.requestId, limit)) return
        const ended = { at: performance.now(), root: unauthorizedTrace(call), about: undefined }
        writeSpans(ended, unauthorizedEvent(call))
      },
      async start() {
        const problem = await services.checkUrl('options.endpoint', endpoint)
        if (problem !== undefined) throw new Error(`${problem.field} ${problem.message}`)
      },
      async drain(signal) {
        waiting.run()
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

/** The resource and clock that all exports of this process share. */
const originOf = (
  { service_name, attributes }: { readonly service_name: string; readonly attributes: object },
  { version, instance }: Pick<Services, 'version' | 'instance'>,
): Origin => ({
  resource: {
    'service.name': service_name,
    'service.version': version,
    'service.instance.id': instance,
    'process.pid': process.pid,
    ...(attributes as Attributes),
  },
  version,
  timeOrigin: performance.timeOrigin,
})

/** Offers the queue length and the counters of each exporter, labelled with its signal. */
function offerFigures(services: Pick<Services, 'figure'>, exporters: Readonly<Record<string, Exporter>>): void {
  const offer = (name: string, kind: 'gauge' | 'counter', help: string, pick: (one: Exporter) => number) =>
    services.figure({
      ...{ name, kind, help },
      read: () => Object.entries(exporters).map(([signal, one]) => ({ value: pick(one), labels: { signal } })),
    })
  offer('otel_queue_items', 'gauge', 'Spans and log records that wait for the receiver.', ({ waiting }) => waiting)
  offer('otel_exported_total', 'counter', 'Spans and log records that the receiver took.', ({ sent }) => sent)
  offer('otel_dropped_total', 'counter', 'Spans and log records that were dropped.', ({ dropped }) => dropped)
}

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
