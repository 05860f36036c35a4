/** The spans of one request, with the names of the OpenTelemetry conventions 1.41.1. */
import { type Attributes, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { GovernanceEvent, Json, Services } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { type Asked, hrTime, newId, type Root, type Trace } from './trace.ts'

export type Span = Parameters<typeof JsonTraceSerializer.serializeRequest>[0][number]

/** What the spans of this process have in common. */
export type Origin = Pick<Span, 'resource' | 'instrumentationScope'>

export interface OriginOptions {
  readonly service_name: string
  readonly attributes: object
}

export const originOf = (
  { version, instance }: Pick<Services, 'version' | 'instance'>,
  options: OriginOptions,
): Origin => ({
  resource: {
    attributes: {
      'service.name': options.service_name,
      'service.version': version,
      'service.instance.id': instance,
      'process.pid': process.pid,
      ...options.attributes,
    },
  } as unknown as Origin['resource'],
  instrumentationScope: { name: 'governed-gateway', version },
})

/** Runs of plugins that are shorter get no span, milliseconds. */
const SHORTEST_MS = 1
/** Most runs of plugins of one request with a span. */
const MOST_TAPS = 64

const OUTCOMES: Readonly<Record<string, string>> = {
  'request.blocked': 'policy_block',
  'response.blocked': 'policy_block',
}

interface Parts {
  readonly name: string
  readonly kind: SpanKind
  readonly spanId: string
  readonly parentId: string | undefined
  readonly isRemote?: boolean
  readonly startedAt: number
  readonly endedAt: number
  readonly error: string | undefined
  readonly attributes: Attributes
}

/** The span of the request, and those under it. */
export function spansOf(origin: Origin, trace: Trace, event: Readonly<GovernanceEvent>, now: number): Span[] {
  const taps = trace.taps.filter(({ startedAt, endedAt }) => endedAt - startedAt >= SHORTEST_MS).slice(0, MOST_TAPS)
  return [
    spanOf(origin, trace, serverSpan(trace, event, now)),
    ...trace.asked
      .filter(({ attempt }) => attempt.endedAt !== undefined)
      .map((asked) => clientSpan(origin, trace, asked)),
    ...taps.map(({ plugin, hook, startedAt, endedAt, failed }) =>
      spanOf(origin, trace, {
        name: `${hook} ${plugin}`,
        kind: SpanKind.INTERNAL,
        spanId: newId(8),
        parentId: trace.spanId,
        ...{ startedAt, endedAt },
        error: failed ? '_OTHER' : undefined,
        attributes: { 'gateway.plugin': plugin, 'gateway.hook': hook },
      }),
    ),
  ]
}

/** The span of a request that was refused before its trace began. */
export const refusedSpan = (origin: Origin, root: Root, event: Readonly<GovernanceEvent>): Span =>
  spanOf(origin, root, serverSpan(root, event, performance.now()))

function serverSpan(trace: Root, event: Readonly<GovernanceEvent>, now: number): Parts {
  const { type, operation, status, code, policy } = event
  const [method = 'POST', route = '/'] = String(operation).split(' ')
  const failed =
    type === 'upstream.failed' || type === 'request.rejected' || (typeof status === 'number' && status >= 500)
  const error = OUTCOMES[type] ?? (failed ? String(code ?? status ?? '_OTHER') : undefined)
  const attributes: Attributes = {
    'http.request.method': method,
    'url.path': route,
    'url.scheme': 'http',
    'http.route': route,
    'gateway.blocked': type.endsWith('.blocked'),
  }
  set(attributes, 'http.response.status_code', status)
  set(attributes, 'gen_ai.conversation.id', event.session_id)
  set(attributes, 'gateway.turn_index', event.turn_index)
  set(attributes, 'gateway.request_id', event.request_id)
  set(attributes, 'gateway.key_id', event.key_id)
  set(attributes, 'gateway.classification', event.classification)
  set(attributes, 'gateway.mode', event.mode)
  set(attributes, 'gateway.action', event.action)
  set(attributes, 'gateway.cost', event.cost)
  set(attributes, 'gateway.code', code)
  if (typeof policy === 'string') attributes['gateway.policy.ids'] = [policy]
  return {
    name: `${method} ${route}`,
    kind: SpanKind.SERVER,
    spanId: trace.spanId,
    parentId: trace.parentId,
    isRemote: true,
    startedAt: trace.startedAt,
    endedAt: now,
    error,
    attributes,
  }
}

export function clientSpan(origin: Origin, trace: Trace, { spanId, attempt }: Asked): Span {
  const { upstream, address, number, startedAt, firstByteAt, endedAt = startedAt, status, error } = attempt
  const { request, operation } = trace
  const name = operationName(operation)
  const usage = trace.asked.at(-1)?.spanId === spanId ? trace.usage : undefined
  const [, host, port] = /^(.*):(\d+)$/.exec(address ?? '') ?? []
  const attributes: Attributes = {
    'gen_ai.operation.name': name,
    'gen_ai.provider.name': providerName(attempt),
    'gen_ai.request.model': trace.model,
    'gateway.upstream': upstream,
    'gateway.attempt': number,
  }
  if (request.stream) {
    attributes['gen_ai.request.stream'] = true
    if (firstByteAt !== undefined) attributes['gen_ai.response.time_to_first_chunk'] = (firstByteAt - startedAt) / 1000
  }
  if (request.choices !== 1) attributes['gen_ai.request.choice.count'] = request.choices
  set(attributes, 'gen_ai.request.max_tokens', request.maxOutputTokens)
  set(attributes, 'gen_ai.usage.input_tokens', usage?.prompt)
  set(attributes, 'gen_ai.usage.output_tokens', usage?.completion)
  set(attributes, 'gen_ai.usage.cache_read.input_tokens', usage?.cached)
  set(attributes, 'gen_ai.input.messages', trace.prompt)
  set(attributes, 'server.address', host)
  if (port !== undefined) attributes['server.port'] = Number(port)
  set(attributes, 'http.response.status_code', status)
  return spanOf(origin, trace, {
    name: `${name} ${trace.model}`,
    kind: SpanKind.CLIENT,
    spanId,
    parentId: trace.spanId,
    startedAt,
    endedAt,
    error: error === 'aborted' ? undefined : error,
    attributes,
  })
}

const NO_STATUS = { code: SpanStatusCode.UNSET } as const

function spanOf(origin: Origin, { traceId, sampled }: Root, parts: Parts): Span {
  const { name, kind, spanId, parentId, isRemote = false, startedAt, endedAt, error, attributes } = parts
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  const begin = performance.timeOrigin + startedAt
  if (error !== undefined) attributes['error.type'] = error
  return {
    resource: origin.resource,
    instrumentationScope: origin.instrumentationScope,
    name,
    kind,
    spanContext: () => ({ traceId, spanId, traceFlags }),
    ...(parentId !== undefined && { parentSpanContext: { traceId, spanId: parentId, traceFlags, isRemote } }),
    startTime: hrTime(begin),
    endTime: hrTime(performance.timeOrigin + endedAt),
    duration: hrTime(endedAt - startedAt),
    ended: true,
    status: error === undefined ? NO_STATUS : { code: SpanStatusCode.ERROR, message: error },
    attributes,
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Sets an attribute, if it has a value. */
function set(attributes: Attributes, name: string, value: Json | undefined): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') attributes[name] = value
}
