import { type GatewayError, isGatewayError } from '../../contract/errors.ts'
import type { Outcome, Verdict } from '../../contract/plugin.ts'
import type { ProviderError } from '../../dialects/dialect.ts'
import type { StreamDialect } from '../../dialects/stream.ts'
import { serviceMember } from '../../exchange/service-member.ts'
import { failure } from '../../upstreams/provider-error.ts'
import type { Source } from '../../upstreams/source.ts'
import type { ReplyContext } from '../context.ts'
import { blockBody, failExchange, isUpstreamError, stopExchange } from '../endings.ts'
import { inspectProviderError } from '../inspect-provider-error.ts'

/** What is needed to write the last bytes of a stream. */
export interface StreamTail {
  readonly context: ReplyContext
  readonly source: Source
  readonly headers: Readonly<Record<string, string>>
  readonly stream: StreamDialect
  /** Choices whose finish was not sent yet. */
  readonly unfinished: readonly number[]
  /** Takes frames that were released but not written. */
  takeReady(): string
}

/** Ends a complete answer. */
export function completeStream(tail: StreamTail, outcome: Outcome): void {
  const { context, headers, stream, unfinished } = tail
  const { x, out } = context
  x.reply.captureComplete = true
  const ready = tail.takeReady()
  context.finish(outcome, {}, () => {
    out.openStream(headers)
    out.end(ready + stream.lastFrames(unfinished, serviceOf(context)))
  })
}

/**
 * A plugin ends the reply: stops the provider at once and ends every open choice like a model at its token limit. Held
 * text is not known to be safe and is dropped.
 */
export function truncateStream(tail: StreamTail, outcome: Outcome): void {
  const { context, source, headers, stream, unfinished } = tail
  source.abort()
  const { x, out } = context
  const ready = tail.takeReady()
  context.finish(outcome, {}, () => {
    out.openStream(headers)
    out.end(ready + stream.cutFrames(unfinished, serviceOf(context), x.reply.usage))
  })
}

export function failStream(tail: StreamTail, error: GatewayError): void {
  const { context, source, stream } = tail
  source.abort()
  const { x, out } = context
  if (!out.committed) return failExchange(context, error)
  const ready = tail.takeReady()
  const outcome = isUpstreamError(error) ? 'upstream_failed' : 'blocked'
  context.finish(outcome, { code: error.wireCode }, () => {
    const body = x.dialect.errorBody(error, out.id)
    out.end(ready + (stream.errorFrames?.(body, false) ?? x.dialect.errorFrame(body)))
  })
}

/** Ends a stream as its provider said. */
export function relayFailure(tail: StreamTail, reported: ProviderError): void {
  const { context, source } = tail
  source.abort()
  const fail = (safe: ProviderError) =>
    failStream(tail, failure(safe.message || 'The provider ended the stream with an error.', safe))
  inspectProviderError(context, reported, fail, (stop) => stopStream(tail, stop))
}

/** Ends a stream by a verdict, before its first byte or later. */
export function stopStream(tail: StreamTail, stop: Verdict | GatewayError): void {
  if (isGatewayError(stop)) return failStream(tail, stop)
  const { context, source, stream, unfinished } = tail
  source.abort()
  const { x, out, settings } = context
  if (!out.committed) return stopExchange(context, stop)
  const ready = tail.takeReady()
  context.finish('blocked', { reason: stop.reason, policy: stop.policy, code: stop.code }, () => {
    const { error, within, service } = blockBody(x, stop)
    if (settings.blockSignal === 'finish_reason') return out.end(ready + stream.blockFrames(unfinished, service))
    const { dialect } = x
    const body = dialect.errorBody(error, out.id, within, { service })
    out.end(ready + (stream.errorFrames?.(body, true) ?? dialect.errorFrame(body) + dialect.endOfStream))
  })
}

const serviceOf = ({ x, governs }: ReplyContext): object | undefined => (governs ? serviceMember(x) : undefined)
