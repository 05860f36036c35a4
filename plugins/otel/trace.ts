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
  /** On the clock of `performance.now()`. */
  readonly startedAt: number
}

/** Of a trace that is exported, or that continues one of the client. A class, because each is filled over time. */
export class Trace implements Root {
  readonly id: string
  readonly traceId: string | undefined
  readonly parentId: string | undefined
  readonly sampled: boolean
  readonly startedAt: number
  /** The last event came. */
  isEnding = false
  /** Its spans were written: later ones are sent by themselves. */
  isOver = false
  /** Requests to providers. */
  attempts: UpstreamAttempt[] = NONE
  /** Runs of plugins that took long enough for a span. */
  taps: TapRun[] = NONE
  prompt: string | undefined = undefined
  /** Name of the model, from the last event. */
  model = 'unknown'

  /** Continues the client's trace, or begins one. A client's decision to sample is kept. */
  constructor(x: Exchange, limit: string) {
    const header = x.request.headers.traceparent
    const from = header === undefined ? undefined : readTraceparent(header)
    this.id = x.id
    this.traceId = from?.traceId
    this.parentId = from?.spanId
    this.sampled = from === undefined ? isSampled(x.id, limit) : from.sampled
    this.startedAt = x.startedAt
  }

  /** The second of the two calls takes the place of the first. */
  attempt(last: UpstreamAttempt): void {
    const { attempts } = this
    // An empty list that grows takes room for many.
    if (attempts.length === 0) this.attempts = [last]
    else {
      const at = attempts.findIndex(({ number }) => number === last.number)
      attempts[at === -1 ? attempts.length : at] = last
    }
  }

  tap(run: TapRun): void {
    if (this.taps.length === 0) this.taps = [run]
    else this.taps.push(run)
  }
}

/** Never filled. */
const NONE: never[] = []

/** Of a request that is sampled, or continues a trace of the client. */
export const traceFact = defineFact<Trace>('otel/trace')

/** Of a request that has no trace when its last event comes. The event has the client's trace id, if that is known. */
export const refusedTrace = (
  id: string,
  { trace_id: from, latency_ms: ms }: Readonly<GovernanceEvent>,
  endedAt: number,
): Root => ({
  id,
  traceId: isTraceId(from) ? from : undefined,
  parentId: undefined,
  startedAt: endedAt - (typeof ms === 'number' ? ms : 0),
})

/** JSON of the last event of a request without a valid key. The answer follows at once. */
export const unauthorizedEvent = ({ operation, status, code, requestId }: UnauthorizedCall): string =>
  JSON.stringify({ type: 'request.rejected', operation, status, code, request_id: requestId })

/** Of a request without a valid key. */
export function unauthorizedTrace({ requestId: id, traceparent, startedAt }: UnauthorizedCall): Root {
  const from = readTraceparent(traceparent)
  return { id, traceId: from?.traceId, parentId: from?.spanId, startedAt }
}
