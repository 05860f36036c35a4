/** What is known of a span when it ends. The thread that encodes makes its attributes. */
import type { Exchange, GovernanceEvent, TapRun, UnauthorizedCall, UpstreamAttempt } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { attemptSpanId, spanIdOf, tapSpanId, traceIdOf } from './ids.ts'
import type { Root, Trace } from './trace.ts'

interface Ended {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
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

/** JSON of what is known of a request's spans when it ends, up to its last event, which `]` follows. */
export function requestSource(root: Root, endedAt: number, attempts = '', taps = ''): string {
  const parent = root.parentId === undefined ? 'null' : `"${root.parentId}"`
  return `["request",${headOf(root, root.startedAt, endedAt)},${parent},[${attempts}],[${taps}],`
}

/** The same of a request with requests to providers, and how many spans that are. */
export function traceSource(trace: Trace, x: Exchange, endedAt: number): { head: string; spans: number } {
  let [attempts, taps, spans] = ['', '', 1]
  for (const one of trace.attempts) {
    if (one.endedAt === undefined) continue
    attempts += spans++ === 1 ? attemptTail(trace, x, one) : `,${attemptTail(trace, x, one)}`
  }
  for (const run of trace.taps) {
    taps += taps === '' ? tapTail(run) : `,${tapTail(run)}`
    spans++
  }
  return { head: requestSource(trace, endedAt, attempts, taps), spans }
}

/** JSON of the last event of a request without a valid key. The answer follows at once. */
export const unauthorizedEvent = ({ operation, status, code, requestId }: UnauthorizedCall): string =>
  JSON.stringify({ type: 'request.rejected', operation, status, code, request_id: requestId })

/** Of a request to a provider that ended after the last event. */
export const attemptSource = (trace: Trace, x: Exchange, attempt: UpstreamAttempt): string =>
  `["attempt",${headOf(trace, trace.startedAt, trace.startedAt)},${attemptTail(trace, x, attempt)}]`

function attemptTail({ attempts, prompt, model }: Trace, x: Exchange, attempt: UpstreamAttempt): string {
  const { request } = x
  const { number, status = null, startedAt, endedAt = startedAt, firstByteAt, error } = attempt
  const usage = attempts.at(-1)?.number === number ? x.reply.usage : undefined
  const { prompt: input = null, completion: output = null, cached = null } = usage ?? {}
  const first = firstByteAt === undefined ? null : micros(firstByteAt)
  const rare = error === undefined && prompt === undefined ? '' : `,${JSON.stringify([error, prompt])}`
  return `[${micros(startedAt)},${micros(endedAt)},${number},${status},${first},${request.stream},${request.choices},${
    request.maxOutputTokens ?? null
  },${input},${output},${cached},${namesOf(x.operation, model, attempt)}${rare}]`
}

/** The same from one request to the next, mostly. */
function namesOf(operation: string, called: string, attempt: UpstreamAttempt): string {
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

const tapTail = ({ plugin, hook, startedAt, endedAt, failed }: TapRun): string =>
  `[${micros(startedAt)},${micros(endedAt)},"${plugin}","${hook}",${failed}]`

function headOf({ id, traceId }: Root, startedAt: number, endedAt: number): string {
  const from = traceId === undefined ? 'null' : `"${traceId}"`
  return `"${id}",${from},${micros(startedAt)},${micros(endedAt)}`
}

/** Whole numbers are written in a quarter of the time. */
const micros = (ms: number): number => Math.round(ms * 1000)

type Maybe<T> = T | null
type Head<Of> = [of: Of, id: string, traceId: Maybe<string>, startedAt: number, endedAt: number]
/** Lists instead of objects: writing the names of members takes more time than their values. Times are microseconds. */
export type Packed =
  | [...Head<'request'>, parentId: Maybe<string>, attempts: PackedAttempt[], taps: PackedTap[], event: GovernanceEvent]
  | [...Head<'attempt'>, attempt: PackedAttempt]

type PackedTap = [startedAt: number, endedAt: number, plugin: string, hook: TapRun['hook'], failed: boolean]

type PackedAttempt = [
  ...[startedAt: number, endedAt: number, number: number, status: Maybe<number>, firstByteAt: Maybe<number>],
  ...[stream: boolean, choices: number, most: Maybe<number>],
  ...[input: Maybe<number>, output: Maybe<number>, cached: Maybe<number>],
  names: [upstream: string, model: string, address: Maybe<string>, operation: string, provider: string, called: string],
  rare?: [error: Maybe<string>, prompt: Maybe<string>],
]

/** The spans of a record. */
export function sourcesOf(packed: Packed): Source[] {
  const [of, id, from, startedAt, endedAt] = packed
  const spanId = spanIdOf(id)
  const traceId = from ?? traceIdOf(id)
  const under = { traceId, parentId: spanId }
  const attemptOf = (one: PackedAttempt): AttemptSource => ({ of: 'attempt', ...under, ...attemptFrom(one, id) })
  if (of === 'attempt') return [attemptOf(packed[5])]
  const [, , , , , parentId, attempts, taps, event] = packed
  const request = { of, traceId, spanId, parentId: parentId ?? undefined, event, ...times(startedAt, endedAt) }
  const tapOf = ([from, to, plugin, hook, failed]: PackedTap, n: number): TapSource => {
    return { of: 'tap', ...under, ...times(from, to), spanId: tapSpanId(id, n), plugin, hook, failed }
  }
  return [request, ...attempts.map(attemptOf), ...taps.map(tapOf)]
}

const times = (startedAt: number, endedAt: number): Pick<Ended, 'startedAt' | 'endedAt'> => ({
  startedAt: startedAt / 1000,
  endedAt: endedAt / 1000,
})

function attemptFrom(packed: PackedAttempt, id: string): Omit<AttemptSource, 'of' | 'traceId' | 'parentId'> {
  const [from, to, number, status, first, stream, choices, most, input, output, cached, names, rare] = packed
  const [upstream, model, address, operation, provider, called] = names
  const [error, prompt] = rare ?? [null, null]
  const ended = times(from, to)
  return {
    ...ended,
    spanId: attemptSpanId(id, number),
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
