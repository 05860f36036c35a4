import type { Store } from '../../engine/contract/store.ts'

const SCOPE = { key: 'ledger/probe', window: { rolling: 60_000 }, limit: Number.MAX_SAFE_INTEGER, amount: 1 } as const
const LEASE_MS = 10_000

/**
 * Performs the writes of an exchange: reserves a limit and returns it. Smaller writes may succeed where these fail:
 * Redis without memory still removes and renews.
 */
export async function probe(store: Store): Promise<void> {
  const id = `probe-${crypto.randomUUID()}`
  await store.reserve({ id, leaseMs: LEASE_MS, scopes: [SCOPE] })
  await store.settle(id, {})
}

const FIRST_MS = 1_000
const LONGEST_MS = 8_000
/** A failure within this time belongs to the same outage. */
const QUIET_MS = 10_000

/** Backs off between probes. */
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
    // Jitter, so that processes do not probe together.
    this.#next = performance.now() + this.#pause * (0.75 + Math.random() / 4)
  }

  healed(): void {
    this.#healedAt = performance.now()
  }
}
