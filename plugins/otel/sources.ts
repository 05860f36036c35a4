/** What is known of a span when it ends. The thread that encodes makes its attributes. */
import type { GovernanceEvent, TapRun, UnauthorizedCall, UpstreamAttempt } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { type Asked, newSpanId, type Root, type Seen, type Trace } from './trace.ts'

interface Ended extends Pick<Root, 'traceId' | 'spanId' | 'parentId' | 'sampled'> {
  /** On the clock of `performance.now()`. */
  readonly startedAt: number
  readonly endedAt: number
}

/** The request itself, told by its last event. */
export interface RequestSource extends Ended {
  readonly of: 'request'
  readonly event: Readonly<GovernanceEvent>
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

export type Source = RequestSource | AttemptSource | TapSource

/** Runs of plugins that are shorter get no span, milliseconds. */
export const SHORTEST_MS = 1
/** Most runs of plugins of one request with a span. */
const MOST_TAPS = 64

/** Whether a run of a plugin gets a span, after so many others. */
export const hasSpan = ({ startedAt, endedAt }: TapRun, before: number): boolean =>
  endedAt - startedAt >= SHORTEST_MS && before < MOST_TAPS

/**
 * The span of the request, and those under it, each as JSON.
 * @param event JSON of its last event
 */
export function sourcesOf(trace: Trace, seen: Seen, event: string, now: number): string[] {
  const sources = [requestSource(trace, event, now)]
  for (const one of seen.asked) if (one.attempt.endedAt !== undefined) sources.push(attemptSource(trace, seen, one))
  for (const run of seen.taps) sources.push(tapSource(trace, run))
  return sources
}

/** The only one of a request that was refused before its trace began. */
export function requestSource(
  { traceId, spanId, parentId, sampled, startedAt }: Root,
  event: string,
  endedAt: number,
): string {
  const parent = parentId === undefined ? 'null' : `"${parentId}"`
  return `["request","${traceId}","${spanId}",${parent},${sampled},${startedAt},${endedAt},${event}]`
}

/** The span of a request without a valid key. The answer follows at once. */
export function unauthorizedSource(root: Root, { operation, status, code, requestId }: UnauthorizedCall): string {
  const event = { type: 'request.rejected', operation, status, code, request_id: requestId }
  return requestSource(root, JSON.stringify(event), performance.now())
}

export function attemptSource(root: Root, seen: Seen, { spanId, attempt }: Asked): string {
  const { request } = seen
  const { upstream, kind, model, address, number, startedAt, status, firstByteAt, endedAt = startedAt, error } = attempt
  const usage = seen.asked.at(-1)?.spanId === spanId ? seen.reply.usage : undefined
  return JSON.stringify([
    'attempt',
    root.traceId,
    spanId,
    root.spanId,
    root.sampled,
    startedAt,
    endedAt,
    upstream,
    kind,
    model,
    address,
    number,
    status,
    firstByteAt,
    error,
    operationName(seen.operation),
    providerName(attempt),
    seen.model,
    request.stream,
    request.choices,
    request.maxOutputTokens,
    usage?.prompt,
    usage?.completion,
    usage?.cached,
    seen.prompt,
  ])
}

function tapSource(root: Root, { plugin, hook, startedAt, endedAt, failed }: TapRun): string {
  const { traceId, spanId: parentId, sampled } = root
  return JSON.stringify(['tap', traceId, newSpanId(), parentId, sampled, startedAt, endedAt, plugin, hook, failed])
}

type Maybe<T> = T | null
type Head<Of> = [of: Of, traceId: string, spanId: string, parentId: Maybe<string>, sampled: boolean, number, number]
/** Lists instead of objects: writing the names of members takes more time than their values. */
export type Packed =
  | [...Head<'request'>, event: GovernanceEvent]
  | [...Head<'tap'>, plugin: string, hook: TapRun['hook'], failed: boolean]
  | [
      ...Head<'attempt'>,
      ...[upstream: string, kind: string, model: string, address: Maybe<string>, number: number],
      ...[status: Maybe<number>, firstByteAt: Maybe<number>, error: Maybe<string>],
      ...[operation: string, provider: string, called: string, stream: boolean, choices: number],
      ...[
        most: Maybe<number>,
        input: Maybe<number>,
        output: Maybe<number>,
        cached: Maybe<number>,
        prompt: Maybe<string>,
      ],
    ]

export function sourceOf(packed: Packed): Source {
  const [of, traceId, spanId, parentId, sampled, startedAt, endedAt] = packed
  const ended = { traceId, spanId, parentId: parentId ?? undefined, sampled, startedAt, endedAt }
  if (of === 'request') return { of, ...ended, event: packed[7] }
  if (of === 'tap') return { of, ...ended, plugin: packed[7], hook: packed[8], failed: packed[9] }
  const [upstream, kind, model, address, number, status, firstByteAt, error, ...about] = packed.slice(
    7,
  ) as TailOfAttempt
  const [operation, provider, called, stream, choices, most, input, output, cached, prompt] = about
  const attempt = {
    ...{ upstream, kind, model, address: address ?? undefined, number, startedAt, endedAt },
    ...{ status: status ?? undefined, firstByteAt: firstByteAt ?? undefined, error: error ?? undefined },
  }
  const usage =
    input === null || output === null ? undefined : { prompt: input, completion: output, cached: cached ?? undefined }
  return {
    ...{ of, ...ended, attempt, operation, provider, model: called, stream, choices },
    ...{ maxTokens: most ?? undefined, usage, prompt: prompt ?? undefined },
  }
}

type TailOfAttempt =
  Extract<Packed, ['attempt', ...unknown[]]> extends [...Head<'attempt'>, ...infer Tail] ? Tail : never
