import type { Store } from '../../engine/contract/store.ts'

const SCOPE = { key: 'ledger/probe', window: { rolling: 60_000 }, limit: Number.MAX_SAFE_INTEGER, amount: 1 } as const
const LEASE_MS = 10_000

/**
 * Does what the first and the last write of an exchange do: takes of a limit, and gives it back. A smaller write may
 * pass where these do not: Redis without memory still removes and renews.
 */
export async function probe(store: Store): Promise<void> {
  const id = `probe-${crypto.randomUUID()}`
  await store.reserve({ id, leaseMs: LEASE_MS, scopes: [SCOPE] })
  await store.settle(id, {})
}

const FIRST_MS = 1_000
const LONGEST_MS = 8_000
/** Trouble that comes back within this time is the same trouble. */
const QUIET_MS = 10_000

/** When to probe again: soon, then less and less often. */
export class Patience {
  #pause = FIRST_MS
  #next = 0
  #healedAt = Number.NEGATIVE_INFINITY

  begin(): void {
    const now = performance.now()
    if (now - this.#healedAt > QUIET_MS) this.#pause = FIRST_MS
    this.#next = now + this.#pause
  }

  get over(): boolean {
    return performance.now() >= this.#next
  }

  failed(): void {
    this.#pause = Math.min(LONGEST_MS, 2 * this.#pause)
    // Not all processes at the same moment.
    this.#next = performance.now() + this.#pause * (0.75 + Math.random() / 4)
  }

  healed(): void {
    this.#healedAt = performance.now()
  }
}
