/** What is known of a span when it ends. The thread that encodes makes its attributes. */
import type { Exchange, GovernanceEvent, TapRun, UpstreamAttempt } from 'governed-gateway'
import { operationName, providerName } from 'governed-gateway/kit'
import { attemptSpanId, spanIdOf, tapSpanId, traceIdOf } from './ids.ts'
import type { Pile, Records } from './pile.ts'
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

const OF_REQUEST = 0
const OF_ATTEMPT = 1

/** Of a request that asked no provider. `last` is its last event, as JSON or as the newest record of a pile. */
export function writeRequest(pile: Pile, root: Root, endedAt: number, last: string | Pile): void {
  beginRequest(pile, root, endedAt)
  pile.number(0)
  pile.number(0)
  endRequest(pile, last, 1)
}

/** What a span says of its exchange. Who keeps the exchange itself keeps all that it read. */
export interface About {
  readonly operation: string
  readonly stream: boolean
  readonly choices: number
  readonly maxOutputTokens: number | undefined
  readonly usage: Exchange['reply']['usage']
}

export const aboutOf = ({ operation, request, reply }: Exchange): About => ({
  operation,
  stream: request.stream,
  choices: request.choices,
  maxOutputTokens: request.maxOutputTokens,
  usage: reply.usage,
})

/** How many spans `writeTrace` writes. */
export const spansOf = ({ attempts, taps }: Trace): number => 1 + attempts.filter(hasEnded).length + taps.length

/** All spans of a request are one record. */
export function writeTrace(pile: Pile, trace: Trace, about: About, endedAt: number, last: string | Pile): void {
  const { attempts, taps } = trace
  const spans = spansOf(trace)
  beginRequest(pile, trace, endedAt)
  pile.number(spans - 1 - taps.length)
  for (const one of attempts) if (hasEnded(one)) writeOne(pile, trace, about, one)
  pile.number(taps.length)
  for (const run of taps) writeTap(pile, run)
  endRequest(pile, last, spans)
}

/** Of a request to a provider that ended after the last event. */
export function writeAttempt(pile: Pile, trace: Trace, about: About, attempt: UpstreamAttempt): void {
  pile.begin()
  pile.byte(OF_ATTEMPT)
  writeIds(pile, trace)
  writeOne(pile, trace, about, attempt)
  pile.end(1)
}

const hasEnded = ({ endedAt }: UpstreamAttempt): boolean => endedAt !== undefined

function beginRequest(pile: Pile, root: Root, endedAt: number): void {
  pile.begin()
  pile.byte(OF_REQUEST)
  writeIds(pile, root)
  pile.id(root.parentId ?? '')
  pile.number(root.startedAt)
  pile.number(endedAt)
}

function endRequest(pile: Pile, last: string | Pile, spans: number): void {
  if (typeof last === 'string') pile.rest(last)
  else pile.restOf(last)
  pile.end(spans)
}

function writeIds(pile: Pile, { id, traceId = '' }: Root): void {
  pile.id(id)
  pile.id(traceId)
}

const STREAM = 1
const NAMES = 2
const ERROR = 4
const PROMPT = 8

function writeOne(pile: Pile, { attempts, prompt, model }: Trace, about: About, attempt: UpstreamAttempt): void {
  const { number, status, startedAt, endedAt = startedAt, firstByteAt, error } = attempt
  const usage = attempts.at(-1)?.number === number ? about.usage : undefined
  const names = namesOf(about.operation, model, attempt)
  const hasNames = names !== pile.names
  pile.byte(
    (about.stream ? STREAM : 0) |
      (hasNames ? NAMES : 0) |
      (error === undefined ? 0 : ERROR) |
      (prompt === undefined ? 0 : PROMPT),
  )
  pile.number(startedAt)
  pile.number(endedAt)
  pile.number(number)
  pile.number(status)
  pile.number(firstByteAt)
  pile.number(about.choices)
  pile.number(about.maxOutputTokens)
  pile.number(usage?.prompt)
  pile.number(usage?.completion)
  pile.number(usage?.cached)
  if (hasNames) {
    pile.names = names
    pile.text(names)
  }
  if (error !== undefined) pile.text(error)
  if (prompt !== undefined) pile.text(prompt)
}

type Names = [
  ...[upstream: string, model: string, address: string | null, operation: string, provider: string, called: string],
]

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
    const names: Names = [upstream, model, address ?? null, operationName(operation), providerName(attempt), called]
    newest = { upstream, kind, model, address, operation, called, json: JSON.stringify(names) }
  }
  return newest.json
}
let newest: Partial<Pick<UpstreamAttempt, 'upstream' | 'kind' | 'model' | 'address'>> & {
  readonly operation?: string
  readonly called?: string
  readonly json: string
} = { json: '' }

function writeTap(pile: Pile, { plugin, hook, startedAt, endedAt, failed }: TapRun): void {
  pile.number(startedAt)
  pile.number(endedAt)
  pile.text(plugin)
  pile.text(hook)
  pile.byte(failed ? 1 : 0)
}

/** The spans of all records. */
export function readSources(records: Records): Source[] {
  const sources: Source[] = []
  const names: { json: string; all: Names | undefined } = { json: '', all: undefined }
  while (records.next()) {
    const isRequest = records.byte() === OF_REQUEST
    const id = records.id()
    const spanId = spanIdOf(id)
    const traceId = records.id() || traceIdOf(id)
    const under = { traceId, parentId: spanId }
    const attempt = (): AttemptSource => ({ of: 'attempt', ...under, ...readAttempt(records, id, names) })
    if (!isRequest) {
      sources.push(attempt())
      continue
    }
    const parentId = records.id() || undefined
    const times = readTimes(records)
    const attempts = Array.from({ length: records.number() as number }, attempt)
    const taps = Array.from({ length: records.number() as number }, (_, n) => readTap(records, tapSpanId(id, n)))
    const event = JSON.parse(records.rest()) as GovernanceEvent
    sources.push({ of: 'request', traceId, spanId, parentId, event, ...times }, ...attempts)
    for (const tap of taps) sources.push({ of: 'tap', ...under, ...tap })
  }
  return sources
}

const readTimes = (records: Records): Pick<Ended, 'startedAt' | 'endedAt'> => ({
  startedAt: records.number() as number,
  endedAt: records.number() as number,
})

const readTap = (records: Records, spanId: string): Omit<TapSource, 'of' | 'traceId' | 'parentId'> => ({
  ...readTimes(records),
  spanId,
  plugin: records.text(),
  hook: records.text() as TapRun['hook'],
  failed: records.byte() === 1,
})

function readAttempt(
  records: Records,
  id: string,
  names: { all: Names | undefined },
): Omit<AttemptSource, 'of' | 'traceId' | 'parentId'> {
  const flags = records.byte()
  const times = readTimes(records)
  const number = records.number() as number
  const [status, firstByteAt, choices, maxTokens] = readNumbers(records, 4)
  const [prompt, completion, cached] = readNumbers(records, 3)
  if ((flags & NAMES) !== 0) names.all = JSON.parse(records.text()) as Names
  const [upstream, model, address, operation, provider, called] = names.all as Names
  const error = (flags & ERROR) === 0 ? undefined : records.text()
  return {
    ...times,
    spanId: attemptSpanId(id, number),
    attempt: {
      ...{ upstream, model, number, address: address ?? undefined, startedAt: times.startedAt },
      ...{ status, firstByteAt, error },
    },
    ...{ operation, provider, model: called, stream: (flags & STREAM) !== 0, choices: choices as number, maxTokens },
    usage: prompt === undefined || completion === undefined ? undefined : { prompt, completion, cached },
    prompt: (flags & PROMPT) === 0 ? undefined : records.text(),
  }
}

const readNumbers = (records: Records, count: number): (number | undefined)[] =>
  Array.from({ length: count }, () => records.number())
