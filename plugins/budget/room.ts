import type { ScopeState } from 'governed-gateway'
import { RecentMap } from 'governed-gateway/kit'
import type { Entry } from './plan.ts'

/** Maximum number of remembered meters, about 150 bytes each. */
const MOST = 10_000
/** Other nodes use the same limits, so older knowledge counts for nothing, milliseconds. */
const FRESH_MS = 10_000
/** Of what is left, one request may be this part: many at once must not take the room of others by guesses. */
const SHARE = 1 / 16

/**
 * What was taken of the limits at the store's last answer. Decides only how exactly a prompt must be counted; what fits is
 * for the store to say.
 */
export class Room {
  readonly #taken = new RecentMap<string, { readonly amount: number; readonly at: number }>(MOST)

  note(states: readonly ScopeState[]): void {
    const at = performance.now()
    for (const { key, spent, reserved } of states) this.#taken.set(key, { amount: spent + reserved, at })
  }

  /** Whether each limit had many times as much left as is needed of it. */
  isAmple(entries: readonly Entry[], needed: (entry: Entry) => number): boolean {
    const since = performance.now() - FRESH_MS
    return entries.every((entry) => {
      if (entry.limit.unit === 'requests') return true
      const taken = this.#taken.get(entry.key)
      return taken !== undefined && taken.at > since && needed(entry) <= SHARE * (entry.limit.amount - taken.amount)
    })
  }
}
