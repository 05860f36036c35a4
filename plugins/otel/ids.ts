/**
 * Ids of a request's trace, made of the request's own id. So a request that is not sampled needs no memory of them: the
 * thread that encodes finds them again.
 */

/** Version 7: a time, then at least 48 random bits at the end. */
const REQUEST_ID = /^req_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isRequestId = (id: unknown): id is string => typeof id === 'string' && REQUEST_ID.test(id)

export const isTraceId = (id: unknown): id is string => typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)

/** Letters stand where version 7 is constant, and once between: no trace id looks like a number of a person. */
export const traceIdOf = (id: string): string =>
  `f${id.slice(5, 12)}${id.slice(13, 17)}a${id.slice(19, 22)}${id.slice(23, 27)}${id.slice(28, 32)}f${id.slice(33)}`

/** Of the server span. */
export const spanIdOf = (id: string): string => `${id.slice(33)}c${id.slice(23, 27)}${id.slice(28, 32)}`

/** Of a span under it: `d` for requests to providers, `b` for runs of plugins. The first letter is as above. */
const innerSpanId = (id: string, kind: 'b' | 'd', number: number): string =>
  `e${(number & 0xff).toString(16).padStart(2, '0')}${id.slice(36)}${kind}${id.slice(23, 27)}${id.slice(28, 32)}`

/** @param number of the request to a provider, from 1 */
export const attemptSpanId = (id: string, number: number): string => innerSpanId(id, 'd', number)
/** @param number of the span among those of plugins */
export const tapSpanId = (id: string, number: number): string => innerSpanId(id, 'b', number)

/** The last digits of both ids are random; they decide. Pass the result to `isSampled`. */
export const limitOf = (ratio: number): string =>
  ratio >= 1
    ? 'g'
    : Math.floor(ratio * 16 ** DIGITS)
        .toString(16)
        .padStart(DIGITS, '0')
const DIGITS = 7

/** Whether a request without a decision of its client is sampled. */
export function isSampled(id: string, limit: string): boolean {
  const from = id.length - DIGITS
  for (let i = 0; i < DIGITS; i++) {
    const more = id.charCodeAt(from + i) - limit.charCodeAt(i)
    if (more !== 0) return more < 0
  }
  return false
}

export const traceparentOf = (traceId: string, spanId: string, sampled: boolean): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`

/** The same of requests with a trace of their own, made at once: joining a dozen parts costs more. */
function traceparentMaker(spanId: (id: string) => string, sampled: boolean): (id: string) => string {
  const marked = traceparentOf(traceIdOf(MARKS), spanId(MARKS), sampled)
  const places = Array.from(marked, (one) => one.charCodeAt(0) - MARK)
  const bytes = Buffer.from(marked, 'latin1')
  return (id) => {
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number
      if (place >= 0) bytes[i] = id.charCodeAt(place)
    }
    return bytes.toString('latin1')
  }
}

/** Each character stands for its place in the id. */
const MARK = 0x100
const MARKS = String.fromCharCode(...Array.from({ length: 'req_'.length + 36 }, (_, i) => MARK + i))

/** Of a request that is not sampled. */
export const ownTraceparent = traceparentMaker(spanIdOf, false)
/** Of the first request to a provider, of a request that is sampled. */
export const firstTraceparent = traceparentMaker((id) => attemptSpanId(id, 1), true)
