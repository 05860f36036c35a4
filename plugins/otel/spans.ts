/** Spans with the attributes of the OpenTelemetry conventions for generative AI. */
import type { Json } from 'governed-gateway'
import { type Attributes, type Span, SpanKind } from './codec.ts'
import type { AttemptSource, RequestSource, Source } from './sources.ts'

const OUTCOMES: Readonly<Record<string, string>> = {
  'request.blocked': 'policy_block',
  'response.blocked': 'policy_block',
}

export function spanOf(source: Source): Span {
  if (source.of === 'request') return serverSpan(source)
  return source.of === 'attempt' ? clientSpan(source) : tapSpan(source)
}

function serverSpan(source: RequestSource): Span {
  const { event } = source
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
  return spanWith(source, { name: `${method} ${route}`, kind: SpanKind.Server, error, attributes })
}

function clientSpan(source: AttemptSource): Span {
  const { operation, model, attempt, usage, choices } = source
  const { upstream, address, number, startedAt, firstByteAt, status } = attempt
  const error = attempt.error === 'aborted' ? undefined : attempt.error
  const [, host, port] = /^(.*):(\d+)$/.exec(address ?? '') ?? []
  const first = source.stream && firstByteAt !== undefined ? (firstByteAt - startedAt) / 1000 : undefined
  const attributes: Attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': source.provider,
    'gen_ai.request.model': model,
    'gateway.upstream': upstream,
    'gateway.attempt': number,
    'gen_ai.request.stream': source.stream ? true : undefined,
    'gen_ai.response.time_to_first_chunk': first,
    'gen_ai.request.choice.count': choices === 1 ? undefined : choices,
    'gen_ai.request.max_tokens': source.maxTokens,
    'gen_ai.usage.input_tokens': usage?.prompt,
    'gen_ai.usage.output_tokens': usage?.completion,
    'gen_ai.usage.cache_read.input_tokens': usage?.cached,
    'gen_ai.input.messages': source.prompt,
    'server.address': host,
    'server.port': port === undefined ? undefined : Number(port),
    'http.response.status_code': status,
    'error.type': error,
  }
  return spanWith(source, { name: `${operation} ${model}`, kind: SpanKind.Client, error, attributes })
}

function tapSpan(source: Extract<Source, { of: 'tap' }>): Span {
  const { plugin, hook, failed } = source
  const error = failed ? '_OTHER' : undefined
  const attributes = { 'gateway.plugin': plugin, 'gateway.hook': hook, 'error.type': error }
  return spanWith(source, { name: `${hook} ${plugin}`, kind: SpanKind.Internal, error, attributes })
}

const spanWith = (source: Source, own: Pick<Span, 'name' | 'kind' | 'error' | 'attributes'>): Span => ({
  ...own,
  root: { traceId: source.traceId, sampled: true },
  spanId: source.spanId,
  parentId: source.parentId,
  isRemote: source.of === 'request',
  startedAt: source.startedAt,
  endedAt: source.endedAt,
})

/** Values that attributes of these conventions have. */
const plain = (value: Json | undefined): Json | undefined =>
  value === null || typeof value === 'object' ? undefined : value
