/** One traced request: its ids, and what is known when it ends. */
import { randomBytes } from 'node:crypto'
import {
  defineFact,
  type Exchange,
  type GovernanceEvent,
  type TapRun,
  type UnauthorizedCall,
  type UpstreamAttempt,
} from 'governed-gateway'
import { readTraceparent } from 'governed-gateway/kit'
import { isSampled, isTraceId, spanIdOf, traceIdOf } from './ids.ts'

/** A request to a provider and the id of its span. */
export interface Asked {
  readonly spanId: string
  attempt: UpstreamAttempt
}

/** What records and the server span need. */
export interface Root {
  readonly traceId: string
  /** Of the server span. */
  readonly spanId: string
  readonly parentId: string | undefined
  readonly sampled: boolean
  readonly startedAt: number
}

export interface Trace extends Root {
  /** Of a trace that is exported, until its last span is made. */
  seen: Seen | undefined
}

/** What was seen of a request, for its spans. */
export interface Seen {
  readonly operation: string
  readonly request: Exchange['request']
  readonly reply: Exchange['reply']
  readonly asked: Asked[]
  /** Runs of plugins that took long enough for a span. */
  readonly taps: TapRun[]
  prompt: string | undefined
  /** The last event came: later spans are sent by themselves. */
  isOver: boolean
  /** Name of the model, from the last event. */
  model: string
}

/** Of a trace that is exported. */
export const traceFact = defineFact<Trace>('otel/trace')

/** Of a request that has no trace when its last event comes. The event has the client's trace id, if that is known. */
export const refusedTrace = (id: string, { trace_id: from, latency_ms: ms }: Readonly<GovernanceEvent>): Root => ({
  traceId: isTraceId(from) ? from : traceIdOf(id),
  spanId: spanIdOf(id),
  parentId: undefined,
  sampled: true,
  startedAt: performance.now() - (typeof ms === 'number' ? ms : 0),
})

/** Of a request without a valid key. */
export function unauthorizedTrace({ requestId, traceparent, startedAt }: UnauthorizedCall): Root {
  const from = readTraceparent(traceparent)
  const ids = { traceId: from?.traceId ?? traceIdOf(requestId), spanId: spanIdOf(requestId), parentId: from?.spanId }
  return { ...ids, sampled: true, startedAt }
}

/** Continues the client's trace, or begins one. A client's decision to sample is kept. */
export function beginTrace(x: Exchange, limit: string, exports: boolean): Trace {
  const from = readTraceparent(x.request.headers.traceparent)
  const sampled = from === undefined ? isSampled(x.id, limit) : from.sampled
  return {
    traceId: from === undefined ? traceIdOf(x.id) : from.traceId,
    spanId: spanIdOf(x.id),
    parentId: from?.spanId,
    sampled,
    startedAt: x.startedAt,
    seen: sampled && exports ? beginSeen(x) : undefined,
  }
}

const beginSeen = ({ operation, request, reply }: Exchange): Seen => ({
  ...{ operation, request, reply, asked: [], taps: [] },
  ...{ prompt: undefined, isOver: false, model: 'unknown' },
})

const POOL_BYTES = 4096
/** Of a span id; the first is a letter, so that it does not look like a number of a person. */
const RANDOM_DIGITS = 15
let pool = ''
let used = 0

/**
 * Of a span under that of the server. Digits are cut from one long text: a conversion for each id would cost more than all
 * else about a span.
 */
export function newSpanId(): string {
  if (used + RANDOM_DIGITS > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex')
    used = 0
  }
  used += RANDOM_DIGITS
  return `e${pool.slice(used - RANDOM_DIGITS, used)}`
}
