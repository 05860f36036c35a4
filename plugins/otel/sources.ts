/** What is known of a span when it ends. The thread that encodes makes its attributes. */
import type { GovernanceEvent, TapRun, UnauthorizedCall, UpstreamAttempt } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { attemptSpanId, spanIdOf, tapSpanId, traceIdOf } from './ids.ts'
import type { Root, Seen } from './trace.ts'

interface Ended {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly sampled: boolean
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
  readonly attempt: Omit<UpstreamAttempt, 'kind' | 'endedAt'>
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
export function sourcesOf(root: Root, seen: Seen, event: string, now: number): string[] {
  const sources = [requestSource(root, event, now)]
  for (const one of seen.attempts) if (one.endedAt !== undefined) sources.push(attemptSource(root, seen, one))
  for (const [n, run] of seen.taps.entries()) sources.push(tapSource(root, run, n))
  return sources
}

/** The only one of a request that was refused before its trace began. */
export function requestSource(root: Root, event: string, endedAt: number): string {
  const parent = root.parentId === undefined ? 'null' : `"${root.parentId}"`
  return `["request",${headOf(root, root.startedAt, endedAt)},${parent},${event}]`
}

/** The span of a request without a valid key. The answer follows at once. */
export function unauthorizedSource(root: Root, { operation, status, code, requestId }: UnauthorizedCall): string {
  const event = { type: 'request.rejected', operation, status, code, request_id: requestId }
  return requestSource(root, JSON.stringify(event), performance.now())
}

export function attemptSource(root: Root, seen: Seen, attempt: UpstreamAttempt): string {
  const { request } = seen
  const { number, status = null, startedAt, endedAt = startedAt, firstByteAt, error } = attempt
  const usage = seen.attempts.at(-1)?.number === number ? seen.reply.usage : undefined
  const { prompt: input = null, completion: output = null, cached = null } = usage ?? {}
  const first = firstByteAt === undefined ? null : micros(firstByteAt)
  const rare = error === undefined && seen.prompt === undefined ? '' : `,${JSON.stringify([error, seen.prompt])}`
  return `["attempt",${headOf(root, startedAt, endedAt)},${number},${status},${first},${request.stream},${
    request.choices
  },${request.maxOutputTokens ?? null},${input},${output},${cached},${namesOf(seen, attempt)}${rare}]`
}

/** The same from one request to the next, mostly. */
function namesOf({ operation, model: called }: Seen, attempt: UpstreamAttempt): string {
  const { upstream, kind, model, address } = attempt
  if (
    newest.upstream !== upstream ||
    newest.kind !== kind ||
    newest.model !== model ||
    newest.address !== address ||
    newest.operation !== operation ||
    newest.called !== called
  ) {
    const names = [upstream, model, address ?? null, operationName(operation), providerName(attempt), called]
    newest = { upstream, kind, model, address, operation, called, json: JSON.stringify(names) }
  }
  return newest.json
}
let newest: Partial<Pick<UpstreamAttempt, 'upstream' | 'kind' | 'model' | 'address'>> & {
  readonly operation?: string
  readonly called?: string
  readonly json: string
} = { json: '' }

const tapSource = (root: Root, { plugin, hook, startedAt, endedAt, failed }: TapRun, number: number): string =>
  `["tap",${headOf(root, startedAt, endedAt)},${number},"${plugin}","${hook}",${failed}]`

function headOf({ id, traceId, sampled }: Root, startedAt: number, endedAt: number): string {
  const from = traceId === undefined ? 'null' : `"${traceId}"`
  return `"${id}",${from},${sampled},${micros(startedAt)},${micros(endedAt)}`
}

/** Whole numbers are written in a quarter of the time. */
const micros = (ms: number): number => Math.round(ms * 1000)

type Maybe<T> = T | null
type Head<Of> = [of: Of, id: string, traceId: Maybe<string>, sampled: boolean, startedAt: number, endedAt: number]
/** Lists instead of objects: writing the names of members takes more time than their values. Times are microseconds. */
export type Packed =
  | [...Head<'request'>, parentId: Maybe<string>, event: GovernanceEvent]
  | [...Head<'tap'>, number: number, plugin: string, hook: TapRun['hook'], failed: boolean]
  | [...Head<'attempt'>, ...TailOfAttempt]

type TailOfAttempt = [
  ...[number: number, status: Maybe<number>, firstByteAt: Maybe<number>, stream: boolean, choices: number],
  ...[most: Maybe<number>, input: Maybe<number>, output: Maybe<number>, cached: Maybe<number>],
  names: [upstream: string, model: string, address: Maybe<string>, operation: string, provider: string, called: string],
  rare?: [error: Maybe<string>, prompt: Maybe<string>],
]

export function sourceOf(packed: Packed): Source {
  const [of, id, from, sampled, startedAt, endedAt] = packed
  const spanId = spanIdOf(id)
  const ended = { traceId: from ?? traceIdOf(id), sampled, startedAt: startedAt / 1000, endedAt: endedAt / 1000 }
  if (of === 'request') return { of, ...ended, spanId, parentId: packed[6] ?? undefined, event: packed[7] }
  const under = { ...ended, parentId: spanId }
  if (of === 'tap') {
    const [, , , , , , number, plugin, hook, failed] = packed
    return { of, ...under, spanId: tapSpanId(id, number), plugin, hook, failed }
  }
  return { of, ...under, ...attemptOf(packed.slice(6) as TailOfAttempt, ended), spanId: attemptSpanId(id, packed[6]) }
}

function attemptOf(
  tail: TailOfAttempt,
  ended: Pick<Ended, 'startedAt' | 'endedAt'>,
): Omit<AttemptSource, keyof Ended | 'of'> {
  const [number, status, first, stream, choices, most, input, output, cached, names, rare = [null, null]] = tail
  const [upstream, model, address, operation, provider, called] = names
  const [error, prompt] = rare
  return {
    attempt: {
      ...{ upstream, model, number, address: address ?? undefined, startedAt: ended.startedAt },
      ...{ status: status ?? undefined, firstByteAt: first === null ? undefined : first / 1000 },
      error: error ?? undefined,
    },
    ...{ operation, provider, model: called, stream, choices, maxTokens: most ?? undefined },
    usage:
      input === null || output === null
        ? undefined
        : { prompt: input, completion: output, cached: cached ?? undefined },
    prompt: prompt ?? undefined,
  }
}
