import type { Breaker } from './state.ts'

/** Consecutive failed messages that open the breaker. */
const THRESHOLD = 3
const FIRST_MS = 60_000
const LONGEST_MS = 15 * 60_000

export const isOpen = (breaker: Breaker, now: number): boolean => now < breaker.until

export function succeed(breaker: Breaker): void {
  breaker.failures = 0
  breaker.opens = 0
  breaker.until = 0
}

/**
 * Records a failed message. The breaker opens after three in a row, after a definitive rejection, or after one that
 * follows a pause: for one minute, doubling each time, up to 15 minutes.
 */
export function fail(breaker: Breaker, now: number, definitive: boolean): void {
  breaker.failures += 1
  if (!definitive && breaker.opens === 0 && breaker.failures < THRESHOLD) return
  breaker.until = now + Math.min(FIRST_MS * 2 ** breaker.opens, LONGEST_MS)
  breaker.opens = Math.min(breaker.opens + 1, 10)
}
