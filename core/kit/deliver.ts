import type { FetchReply } from '../engine/contract/services.ts'
import { EgressError, toEgressError } from '../engine/egress/category.ts'
import { Backoff as Doubling } from '../engine/util/backoff.ts'

/** Longest wait between two attempts, even if the receiver asks for more, milliseconds. */
const LONGEST_WAIT_MS = 300_000

/**
 * Result of one attempt.
 * - `delivered`: the receiver has it.
 * - `rejected`: the receiver will never accept it.
 * - `unavailable`: a retry may succeed.
 * - `auth`: the receiver rejected our credentials; an operator must act.
 */
export type DeliveryResult = 'delivered' | 'rejected' | 'unavailable' | 'auth'

export interface Attempt {
  readonly result: DeliveryResult
  /** HTTP status, if there was a response. */
  readonly status?: number
  /** A category such as `timeout` or `http_503`, never the receiver's text. */
  readonly error?: string
  /** Wait requested by the receiver, milliseconds. */
  readonly retryAfterMs?: number
}

export interface DeliveryOutcome extends Attempt {
  /** Number of attempts; 0 if the delivery was aborted before the first. */
  readonly attempts: number
  /** Duration of the last attempt, milliseconds. */
  readonly latencyMs: number
}

/** A clock; tests replace it. */
export interface Clock {
  now(): number
  /** Settles early, never rejects, when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

interface DeliverOptions {
  /** Makes one attempt. `failedAttempt` classifies what it throws. */
  send(): Promise<Attempt>
  /** Attempts after the first. */
  readonly maxRetries: number
  /** Shortest first wait; doubles with each retry. Jitter adds up to half of it. */
  readonly backoffSeconds: number
  /** Ends waiting and prevents further attempts. A running attempt continues: give `send` its own signal. */
  readonly signal: AbortSignal
  readonly clock?: Clock
}

/**
 * Sends one batch until the receiver took or rejected it, retries are spent, or the signal aborts. Only what is
 * `unavailable` is tried again; `Retry-After` counts when it is longer than our own wait.
 *
 * @example
 * const outcome = await deliver({
 *   send: async () => attemptOf(await services.fetch(url, { method: 'POST', body, timeoutMs: 10_000 })),
 *   maxRetries: 3,
 *   backoffSeconds: 2,
 *   signal,
 * })
 */
export async function deliver({
  send,
  maxRetries,
  backoffSeconds,
  signal,
  clock = systemClock,
}: DeliverOptions): Promise<DeliveryOutcome> {
  const backoff = new Backoff(backoffSeconds)
  let last: DeliveryOutcome = { result: 'unavailable', error: 'aborted', attempts: 0, latencyMs: 0 }
  while (!signal.aborted) {
    const began = clock.now()
    const attempt = await send().catch(failedAttempt)
    last = { ...attempt, attempts: last.attempts + 1, latencyMs: Math.round(clock.now() - began) }
    if (attempt.result !== 'unavailable' || last.attempts > maxRetries) return last
    await clock.sleep(backoff.next(attempt.retryAfterMs), signal)
  }
  return last
}

/** Waits that double up to 300 s. Jitter adds up to half and never shortens a wait. */
export class Backoff {
  readonly #waits: Doubling

  constructor(firstSeconds: number) {
    this.#waits = new Doubling({ first: firstSeconds * 1000, longest: LONGEST_WAIT_MS, jitter: addedJitter })
  }

  /** The next wait, milliseconds: at least `retryAfterMs`. */
  next(retryAfterMs = 0): number {
    return Math.min(Math.max(this.#waits.next(), retryAfterMs), LONGEST_WAIT_MS)
  }

  reset(): void {
    this.#waits.reset()
  }
}

/** Jitter only adds: the operator's setting is the minimum time to recover. */
const addedJitter = (least: number): number => Math.round(least * (1 + Math.random() / 2))

const WORTH_A_RETRY: ReadonlySet<number> = new Set([408, 425, 429])

/** Classifies an HTTP response by its status. Redirects are not followed and mean a wrong setting. */
export function attemptOf({ status, headers }: Pick<FetchReply, 'status' | 'headers'>, now = Date.now()): Attempt {
  if (status >= 200 && status < 300) return { result: 'delivered', status }
  const error = status >= 300 && status < 400 ? 'redirect' : `http_${status}`
  if (status === 401 || status === 403) return { result: 'auth', status, error }
  if (status >= 400 && status < 500 && !WORTH_A_RETRY.has(status)) return { result: 'rejected', status, error }
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now)
  return { result: 'unavailable', status, error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** Classifies an error of `services.fetch` or `services.connect`; it is never caused by the batch. */
export function failedAttempt(error: unknown): Attempt {
  return { result: 'unavailable', error: categoryOf(error) }
}

function categoryOf(error: unknown): string {
  if (error instanceof EgressError) return error.code === 'GW_SSRF_BLOCKED' ? 'ssrf_blocked' : error.category
  // Raw sockets throw system errors.
  return error instanceof Error ? toEgressError(error).category : 'network'
}

/** `Retry-After` in seconds or as an HTTP date, as milliseconds from now, at most 300 s; undefined if it is neither. */
export function parseRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : httpDate(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_WAIT_MS)
}

/** Date.parse also accepts `5` and `2030`, which are not HTTP dates. */
const httpDate = (text: string): number => (/^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN)

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done, { once: true })
    }),
}
