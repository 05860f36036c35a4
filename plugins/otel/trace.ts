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
import { isTraceId, readTraceparent } from 'governed-gateway/kit'

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
export const refusedTrace = ({ trace_id: id, latency_ms: ms }: Readonly<GovernanceEvent>, ratio: number): Root => ({
  traceId: typeof id === 'string' && isTraceId(id) ? id : newTraceId(),
  spanId: newSpanId(),
  parentId: undefined,
  sampled: Math.random() < ratio,
  startedAt: performance.now() - (typeof ms === 'number' ? ms : 0),
})

/**
 * Of a request without a valid key. Only the ratio decides: anybody may ask for a trace, and a flood of them would displace
 * those of others.
 */
export function unauthorizedTrace({ traceparent, startedAt }: UnauthorizedCall, ratio: number): Root | undefined {
  if (Math.random() >= ratio) return undefined
  const from = readTraceparent(traceparent)
  const ids = { traceId: from?.traceId ?? newTraceId(), spanId: newSpanId(), parentId: from?.spanId }
  return { ...ids, sampled: true, startedAt }
}

/** Continues the client's trace, or begins one. A client's decision to sample is kept. */
export function beginTrace(x: Exchange, ratio: number, exports: boolean): Trace {
  const { traceparent } = x.request.headers
  const from = traceparent === undefined ? undefined : readTraceparent(traceparent)
  const sampled = from === undefined ? Math.random() < ratio : from.sampled
  return {
    traceId: from === undefined ? newTraceId() : from.traceId,
    spanId: newSpanId(),
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

export const traceparentOf = ({ traceId, sampled }: Trace, spanId: string): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`

/** An id that looks random, so that the gateway passes it on like any other. */
const newTraceId = (): string => randomHex(32, looksRandom)

/** With a letter, so that it does not look like a number of a person. */
export const newSpanId = (): string => randomHex(16, hasLetter)

const LETTER_A = 0x61

/** Like `isTraceId`, and quicker. */
function looksRandom(from: number, to: number): boolean {
  let letters = 0
  let digits = 0
  for (let i = from; i < to; i++) {
    if (pool.charCodeAt(i) >= LETTER_A) {
      letters++
      digits = 0
    } else if (++digits === 12) return false
  }
  return letters >= 3
}

function hasLetter(from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (pool.charCodeAt(i) >= LETTER_A) return true
  return false
}

const POOL_BYTES = 4096
let pool = ''
let used = 0

/** Digits are cut from one long text: a conversion for each id would cost more than all else about a trace. */
function randomHex(digits: number, isGood: (from: number, to: number) => boolean): string {
  for (;;) {
    if (used + digits > pool.length) {
      pool = randomBytes(POOL_BYTES).toString('hex')
      used = 0
    }
    const from = used
    used += digits
    if (isGood(from, used)) return pool.slice(from, used)
  }
}
