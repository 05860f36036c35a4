/** One traced request: its ids, and what is known when it ends. */
import { randomFillSync } from 'node:crypto'
import {
  defineFact,
  type Exchange,
  type GovernanceEvent,
  type TapRun,
  type UpstreamAttempt,
  type Usage,
} from 'governed-gateway'
import { isTraceId, readTraceparent } from 'governed-gateway/kit'

/** A request to a provider and the id of its span. */
export interface Asked {
  readonly spanId: string
  attempt: UpstreamAttempt
}

/** What the server span needs. */
export interface Root {
  readonly traceId: string
  /** Of the server span. */
  readonly spanId: string
  readonly parentId: string | undefined
  readonly sampled: boolean
  readonly startedAt: number
}

export interface Trace extends Root {
  readonly operation: string
  readonly request: Exchange['request']
  readonly asked: Asked[]
  readonly taps: TapRun[]
  usage: Usage | undefined
  prompt: string | undefined
  /** The last event came: later spans are sent by themselves. */
  over: boolean
  /** Name of the model, from the last event. */
  model: string
}

/** Seconds and nanoseconds of Unix milliseconds. */
export function hrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}

export const traceFact = defineFact<Trace>('otel/trace')

/** Of a request that has no trace when its last event comes. The event has the client's trace id, if that is known. */
export const refusedTrace = ({ trace_id: id, latency_ms: ms }: Readonly<GovernanceEvent>, ratio: number): Root => ({
  traceId: typeof id === 'string' && isTraceId(id) ? id : newTraceId(),
  spanId: newId(8),
  parentId: undefined,
  sampled: Math.random() < ratio,
  startedAt: performance.now() - (typeof ms === 'number' ? ms : 0),
})

/** Continues the client's trace, or begins one. A client's decision to sample is kept. */
export function beginTrace(x: Exchange, ratio: number): Trace {
  const from = readTraceparent(x.request.headers.traceparent)
  return {
    traceId: from?.traceId ?? newTraceId(),
    spanId: newId(8),
    parentId: from?.spanId,
    sampled: from?.sampled ?? Math.random() < ratio,
    startedAt: x.startedAt,
    operation: x.operation,
    request: x.request,
    asked: [],
    taps: [],
    usage: undefined,
    prompt: undefined,
    over: false,
    model: 'unknown',
  }
}

export const traceparentOf = ({ traceId, sampled }: Trace, spanId: string): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`

/** An id that looks random, so that the gateway passes it on like any other. */
function newTraceId(): string {
  for (;;) {
    const id = newId(16)
    if (isTraceId(id)) return id
  }
}

const pool = Buffer.alloc(4096)
let used = pool.length

/** Random bytes in hexadecimal digits, at least one of them a letter. */
export function newId(bytes: number): string {
  for (;;) {
    if (used + bytes > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const id = pool.toString('hex', used, used + bytes)
    used += bytes
    if (/[a-f]/.test(id)) return id
  }
}
