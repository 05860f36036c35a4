import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves of V8's space for young objects, bytes. V8 would let it grow to 128 MiB. */
const ENOUGH = 32 * 1024 * 1024
/** V8 makes it smaller when there is little to do. */
const LOOK_AGAIN_MS = 10_000

/**
 * `core/gateway/heap-flags.ts` keeps V8's space for young objects small during the start; from now on it may grow with the load, until it
 * is large enough. See docs/decisions/0052-a-bounded-young-space.md.
 */
export function growYoungSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
  const observer = new PerformanceObserver(stopWhenLarge)
  observer.observe({ entryTypes: ['gc'] })

  function stopWhenLarge(): void {
    if (youngSpace() < ENOUGH) return
    observer.disconnect()
    setFlagsFromString('--semi-space-growth-factor=1')
    growAgainLater()
  }
}

function growAgainLater(): void {
  setTimeout(() => (youngSpace() < ENOUGH ? growYoungSpace() : growAgainLater()), LOOK_AGAIN_MS).unref()
}

function youngSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? ENOUGH
}
