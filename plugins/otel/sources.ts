/** What is known of a span when it ends. The thread that encodes makes its attributes. */
import type { EventText, TapRun, UnauthorizedCall, UpstreamAttempt } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { type Asked, newSpanId, type Root, type Seen, type Trace } from './trace.ts'

interface Ended extends Pick<Root, 'traceId' | 'spanId' | 'parentId' | 'sampled'> {
  /** On the clock of `performance.now()`. */
  readonly startedAt: number
  readonly endedAt: number
}

/** The request itself, told by its last event. */
export interface RequestSource<T = EventText> extends Ended {
  readonly of: 'request'
  readonly text: T
}

/** A request to a provider. */
export interface AttemptSource extends Ended {
  readonly of: 'attempt'
  readonly attempt: UpstreamAttempt
  readonly operation: string
  readonly provider: string
  readonly model: string
  readonly stream: boolean
  readonly choices: number
  readonly maxTokens: number | undefined
  readonly usage:
    | { readonly prompt: number; readonly completion: number; readonly cached: number | undefined }
    | undefined
  readonly prompt: string | undefined
}

/** A run of a plugin. */
interface TapSource extends Ended, Pick<TapRun, 'plugin' | 'hook' | 'failed'> {
  readonly of: 'tap'
}

export type Source<T = EventText> = RequestSource<T> | AttemptSource | TapSource

/** Runs of plugins that are shorter get no span, milliseconds. */
const SHORTEST_MS = 1
/** Most runs of plugins of one request with a span. */
const MOST_TAPS = 64

/** Whether a run of a plugin gets a span, after so many others. */
export const hasSpan = ({ startedAt, endedAt }: TapRun, before: number): boolean =>
  endedAt - startedAt >= SHORTEST_MS && before < MOST_TAPS

/** The span of the request, and those under it. */
export function sourcesOf(trace: Trace, seen: Seen, text: EventText, now: number): Source[] {
  const sources: Source[] = [requestSource(trace, text, now)]
  for (const one of seen.asked) if (one.attempt.endedAt !== undefined) sources.push(attemptSource(trace, seen, one))
  for (const run of seen.taps) sources.push(tapSource(trace, run))
  return sources
}

/** The only one of a request that was refused before its trace began. */
export const requestSource = (
  { traceId, spanId, parentId, sampled, startedAt }: Root,
  text: EventText,
  endedAt: number,
): RequestSource => ({ of: 'request', traceId, spanId, parentId, sampled, startedAt, endedAt, text })

/** The span of a request without a valid key. The answer follows at once. */
export function unauthorizedSource(
  root: Root,
  { operation, status, code, requestId }: UnauthorizedCall,
): RequestSource {
  const event = { type: 'request.rejected', operation, status, code, request_id: requestId }
  return requestSource(root, { json: JSON.stringify(event) }, performance.now())
}

export function attemptSource(root: Root, seen: Seen, { spanId, attempt }: Asked): AttemptSource {
  const { request } = seen
  const { startedAt, endedAt = startedAt } = attempt
  const usage = seen.asked.at(-1)?.spanId === spanId ? seen.reply.usage : undefined
  return {
    of: 'attempt',
    traceId: root.traceId,
    spanId,
    parentId: root.spanId,
    sampled: root.sampled,
    startedAt,
    endedAt,
    attempt,
    operation: operationName(seen.operation),
    provider: providerName(attempt),
    model: seen.model,
    stream: request.stream,
    choices: request.choices,
    maxTokens: request.maxOutputTokens,
    usage: usage && { prompt: usage.prompt, completion: usage.completion, cached: usage.cached },
    prompt: seen.prompt,
  }
}

const tapSource = (root: Root, { plugin, hook, startedAt, endedAt, failed }: TapRun): TapSource => ({
  of: 'tap',
  traceId: root.traceId,
  spanId: newSpanId(),
  parentId: root.spanId,
  sampled: root.sampled,
  startedAt,
  endedAt,
  plugin,
  hook,
  failed,
})
