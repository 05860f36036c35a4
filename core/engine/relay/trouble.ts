/** Why one attempt gave no reply, as far as it decides on another. */
import { retryAfterMs } from '../upstreams/headers.ts'
import type { UpstreamFailure } from '../upstreams/source.ts'

export interface Trouble {
  /** A status or an error code, for the audit. */
  readonly result: string
  /** The provider may have done the work, and count it. */
  readonly mayBeCharged: boolean
  /** It wants no requests for so long, milliseconds. */
  readonly retryAfter: number | undefined
  /** It has too many requests of this key or of all. */
  readonly isBusy: boolean
  /** The provider does not advise against asking it again. */
  readonly again: boolean
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A proxy in front of the provider gave up, while the provider may continue. */
const GAVE_UP: ReadonlySet<number> = new Set([504, 524])

/**
 * Undefined for statuses that another attempt would not change. Providers charge for answers, not for errors.
 *
 * @param isRepeat the upstream may still be working on the first attempt, which it then answers with 409
 */
export function troubleOf(status: number, headers: Headers, isRepeat: boolean): Trouble | undefined {
  const isRunning = isRepeat && status === 409
  if (status !== 408 && status !== 429 && status < 500 && !isRunning) return undefined
  return {
    result: String(status),
    mayBeCharged: isRunning || GAVE_UP.has(status),
    retryAfter: retryAfterMs(headers),
    isBusy: status === 429,
    again: headers['x-should-retry'] !== 'false',
  }
}

/** A failure before the head of an answer. Undefined if another attempt makes no sense. */
export function troubleOfFailure({ error, fallback, sent }: UpstreamFailure): Trouble | undefined {
  if (!fallback && !sent) return undefined
  return { result: String(error.wireCode), mayBeCharged: sent, retryAfter: undefined, isBusy: false, again: true }
}
