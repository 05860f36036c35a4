import type { Breaker } from './state.ts'

/** Messages that must fail in a row. */
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
 * A message was given up. Three in a row, one that the receiver refuses for good, or one after a pause open the breaker:
 * for a minute, then for twice as long each time, up to a quarter of an hour.
 */
export function fail(breaker: Breaker, now: number, definitive: boolean): void {
  breaker.failures += 1
  if (!definitive && breaker.opens === 0 && breaker.failures < THRESHOLD) return
  breaker.until = now + Math.min(FIRST_MS * 2 ** breaker.opens, LONGEST_MS)
  breaker.opens = Math.min(breaker.opens + 1, 10)
}
