import { type GatewayError, isGatewayError } from '../../contract/errors.ts'
import type { Outcome, Verdict } from '../../contract/plugin.ts'
import { DONE, errorFrame } from '../../dialects/chat-completions/wire.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { Source } from '../../upstreams/source.ts'
import type { ReplyContext } from '../context.ts'
import { blockBody, failExchange, isUpstreamError, stopExchange } from '../endings.ts'
import { type StreamEnding, softBlock } from './ending.ts'

/** What the last bytes of a stream are made of. */
export interface StreamTail {
  readonly context: ReplyContext
  readonly source: Source
  readonly headers: Readonly<Record<string, string>>
  readonly ending: StreamEnding
  /** Members that every event repeats. */
  readonly envelope: JsonObject | undefined
  /** Choices whose finish the client has not seen. */
  readonly unfinished: readonly number[]
  /** Frames that were released and not yet written; asked once. */
  takeReady(): string
}

/** The provider's answer is whole. */
export function completeStream(tail: StreamTail, outcome: Outcome): void {
  const { context, headers, ending, envelope, unfinished } = tail
  const { x, out } = context
  x.reply.captureComplete = true
  const ready = tail.takeReady()
  context.finish(outcome, {}, () => {
    out.openStream(headers)
    out.end(ready + ending.lastFrames(envelope ?? {}, unfinished) + DONE)
  })
}

/**
 * A plugin ends the reply: the provider stops at once, and every choice that goes on ends as one does that has used up
 * its tokens. What was held back is not known to be safe and stays back.
 */
export function truncateStream(tail: StreamTail, outcome: Outcome): void {
  const { context, source, headers, ending, envelope, unfinished } = tail
  source.abort()
  const { out } = context
  const ready = tail.takeReady()
  context.finish(outcome, {}, () => {
    out.openStream(headers)
    out.end(ready + ending.cutFrames(envelope ?? {}, unfinished) + DONE)
  })
}

export function failStream(tail: StreamTail, error: GatewayError): void {
  const { context, source } = tail
  source.abort()
  const { out } = context
  if (!out.committed) return failExchange(context, error)
  const ready = tail.takeReady()
  const outcome = isUpstreamError(error) ? 'upstream_failed' : 'blocked'
  context.finish(outcome, { code: error.wireCode }, () => {
    out.end(ready + errorFrame({ error: { ...error.toBody(), request_id: out.id } }))
  })
}

/** A verdict on the reply, before its first byte or in the middle. */
export function stopStream(tail: StreamTail, stop: Verdict | GatewayError): void {
  if (isGatewayError(stop)) return failStream(tail, stop)
  const { context, source, envelope, unfinished } = tail
  source.abort()
  const { x, out, settings } = context
  if (!out.committed) return stopExchange(context, stop)
  const ready = tail.takeReady()
  context.finish('blocked', { reason: stop.reason, policy: stop.policy, code: stop.code }, () => {
    const { error, within, more } = blockBody(x, stop)
    if (settings.blockSignal === 'finish_reason') return out.end(ready + softBlock(envelope, unfinished, more) + DONE)
    out.end(ready + errorFrame({ error: { ...error.toBody(), request_id: out.id, ...within }, ...more }) + DONE)
  })
}
