/** One traced request: what names it, and what is known when it ends. */
import {
  defineFact,
  type Exchange,
  type GovernanceEvent,
  type TapRun,
  type UnauthorizedCall,
  type UpstreamAttempt,
} from 'governed-gateway'
import { readTraceparent } from 'governed-gateway/kit'
import { isSampled, isTraceId } from './ids.ts'

/** What its records and spans need; the thread that encodes makes the other ids. */
export interface Root {
  /** Of the request. */
  readonly id: string
  /** Of the client; otherwise the request's id gives it. */
  readonly traceId: string | undefined
  /** The client's span. */
  readonly parentId: string | undefined
  readonly sampled: boolean
  /** On the clock of `performance.now()`. */
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
  /** Requests to providers. */
  readonly attempts: UpstreamAttempt[]
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
  id,
  traceId: isTraceId(from) ? from : undefined,
  parentId: undefined,
  sampled: true,
  startedAt: performance.now() - (typeof ms === 'number' ? ms : 0),
})

/** Of a request without a valid key. */
export function unauthorizedTrace({ requestId: id, traceparent, startedAt }: UnauthorizedCall): Root {
  const from = readTraceparent(traceparent)
  return { id, traceId: from?.traceId, parentId: from?.spanId, sampled: true, startedAt }
}

/** Continues the client's trace, or begins one. A client's decision to sample is kept. */
export function beginTrace(x: Exchange, limit: string, exports: boolean): Trace {
  const header = x.request.headers.traceparent
  const from = header === undefined ? undefined : readTraceparent(header)
  const sampled = from === undefined ? isSampled(x.id, limit) : from.sampled
  return {
    ...{ id: x.id, traceId: from?.traceId, parentId: from?.spanId, sampled, startedAt: x.startedAt },
    seen: sampled && exports ? beginSeen(x) : undefined,
  }
}

const beginSeen = ({ operation, request, reply }: Exchange): Seen => ({
  ...{ operation, request, reply, attempts: [], taps: [] },
  ...{ prompt: undefined, isOver: false, model: 'unknown' },
})
