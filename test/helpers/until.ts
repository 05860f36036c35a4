/** Waits for what another part of the process, or another process, does. */
import type { GovernanceEvent } from '../../core/engine/contract/plugin.ts'

// The real ones, also while a test mocks timers or the clock.
const { setImmediate, setTimeout } = globalThis
const now = performance.now.bind(performance)

const TURNS = 5
const PAUSE_MS = 25
/** Shorter than the time a test has, so that a wait in vain says what it waited for, and ends. */
const PATIENCE_MS = 100_000

/**
 * Looks until it sees something, and returns that. After a few turns of the event loop it pauses between looks, ever
 * longer: what it waits for needs the processor.
 */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  const began = now()
  for (let turn = 0; ; turn += 1) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen as Exclude<T, undefined | false>
    if (now() - began > PATIENCE_MS) throw new Error(`waited in vain for ${look}`)
    await new Promise((resolve) =>
      turn < TURNS ? setImmediate(resolve) : setTimeout(resolve, Math.min(turn, PAUSE_MS)),
    )
  }
}

/** Waits until a log tells of an event of this type. */
export const told = (log: readonly Record<string, unknown>[], type: string): Promise<GovernanceEvent> =>
  until(() => log.map(({ event }) => event as GovernanceEvent | undefined).find((event) => event?.type === type))
