/** Spans of a request, with the attributes of the OpenTelemetry conventions for generative AI. */
import type { GovernanceEvent, Json, TapRun, UnauthorizedCall } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { type Attributes, type Span, SpanKind } from './codec.ts'
import { type Asked, newSpanId, type Root, type Seen, type Trace } from './trace.ts'

/** Runs of plugins that are shorter get no span, milliseconds. */
const SHORTEST_MS = 1
/** Most runs of plugins of one request with a span. */
const MOST_TAPS = 64

const OUTCOMES: Readonly<Record<string, string>> = {
  'request.blocked': 'policy_block',
  'response.blocked': 'policy_block',
}

/** Whether a run of a plugin gets a span, after so many others. */
export const hasSpan = ({ startedAt, endedAt }: TapRun, before: number): boolean =>
  endedAt - startedAt >= SHORTEST_MS && before < MOST_TAPS

/** The span of the request, and those under it. */
export function spansOf(trace: Trace, seen: Seen, event: Readonly<GovernanceEvent>, now: number): Span[] {
  const { asked, taps } = seen
  const parent = { root: trace, parentId: trace.spanId, isRemote: false }
  return [
    serverSpan(trace, event, now),
    ...asked.filter(({ attempt }) => attempt.endedAt !== undefined).map((one) => clientSpan(trace, seen, one)),
    ...taps.map(({ plugin, hook, startedAt, endedAt, failed }) => {
      const error = failed ? '_OTHER' : undefined
      return {
        ...parent,
        ...{ name: `${hook} ${plugin}`, kind: SpanKind.Internal, spanId: newSpanId(), startedAt, endedAt, error },
        attributes: { 'gateway.plugin': plugin, 'gateway.hook': hook, 'error.type': error },
      }
    }),
  ]
}

/** The span of the request itself; the only one if it was refused before its trace began. */
export function serverSpan(
  root: Root,
  event: Pick<GovernanceEvent, 'type'> & Record<string, Json | undefined>,
  now: number,
): Span {
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
    'http.response.status_code': plain(status),
    'gen_ai.conversation.id': plain(event.session_id),
    'gateway.turn_index': plain(event.turn_index),
    'gateway.request_id': plain(event.request_id),
    'gateway.key_id': plain(event.key_id),
    'gateway.classification': plain(event.classification),
    'gateway.mode': plain(event.mode),
    'gateway.action': plain(event.action),
    'gateway.cost': plain(event.cost),
    'gateway.code': plain(code),
    'gateway.policy.ids': typeof policy === 'string' ? [policy] : undefined,
    'error.type': error,
  }
  return {
    root,
    name: `${method} ${route}`,
    kind: SpanKind.Server,
    spanId: root.spanId,
    parentId: root.parentId,
    isRemote: true,
    startedAt: root.startedAt,
    endedAt: now,
    error,
    attributes,
  }
}

/** The span of a request without a valid key. The answer follows at once. */
export const unauthorizedSpan = (root: Root, { operation, status, code, requestId }: UnauthorizedCall): Span =>
  serverSpan(root, { type: 'request.rejected', operation, status, code, request_id: requestId }, performance.now())

export function clientSpan(root: Root, seen: Seen, { spanId, attempt }: Asked): Span {
  const { upstream, address, number, startedAt, firstByteAt, endedAt = startedAt, status } = attempt
  const { request, model } = seen
  const error = attempt.error === 'aborted' ? undefined : attempt.error
  const name = operationName(seen.operation)
  const usage = seen.asked.at(-1)?.spanId === spanId ? seen.reply.usage : undefined
  const [, host, port] = /^(.*):(\d+)$/.exec(address ?? '') ?? []
  const first = request.stream && firstByteAt !== undefined ? (firstByteAt - startedAt) / 1000 : undefined
  const attributes: Attributes = {
    'gen_ai.operation.name': name,
    'gen_ai.provider.name': providerName(attempt),
    'gen_ai.request.model': model,
    'gateway.upstream': upstream,
    'gateway.attempt': number,
    'gen_ai.request.stream': request.stream ? true : undefined,
    'gen_ai.response.time_to_first_chunk': first,
    'gen_ai.request.choice.count': request.choices === 1 ? undefined : request.choices,
    'gen_ai.request.max_tokens': request.maxOutputTokens,
    'gen_ai.usage.input_tokens': usage?.prompt,
    'gen_ai.usage.output_tokens': usage?.completion,
    'gen_ai.usage.cache_read.input_tokens': usage?.cached,
    'gen_ai.input.messages': seen.prompt,
    'server.address': host,
    'server.port': port === undefined ? undefined : Number(port),
    'http.response.status_code': status,
    'error.type': error,
  }
  return {
    root,
    name: `${name} ${model}`,
    kind: SpanKind.Client,
    spanId,
    parentId: root.spanId,
    isRemote: false,
    startedAt,
    endedAt,
    error,
    attributes,
  }
}

/** Values that attributes of these conventions have. */
const plain = (value: Json | undefined): Json | undefined =>
  value === null || typeof value === 'object' ? undefined : value
