/** W3C Trace Context. */
import { logSafeTrace } from '../engine/util/outside.ts'

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/

/**
 * Reads a `traceparent`; undefined if it is absent, invalid or not random. Of versions after 00 only what version 00 has
 * is read.
 */
export function readTraceparent(header: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header ?? '') ?? []
  if (version === undefined || (version === '00' && more === '-')) return undefined
  if (!isTraceId(traceId) || !/[a-f]/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Whether the gateway passes this trace id on: a random one, which is no number of a person or an account. */
export const isTraceId = (id: string): boolean => logSafeTrace(id) !== undefined
