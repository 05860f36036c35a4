import type { Log } from '../../engine/contract/plugin.ts'
import type { Store } from '../../engine/contract/store.ts'
import type { ExchangeHolds } from '../../engine/exchange/holds.ts'
import { errorName } from '../../engine/util/outside.ts'
import { Slots } from '../../engine/util/slots.ts'

/** How long the exchanges of a killed process keep their holds, milliseconds. */
export const LEASE_MS = 60_000
export const RENEW_MS = 15_000
const BATCH = 2_000

interface Open {
  readonly id: string
  readonly holds: ExchangeHolds | undefined
  /** Whether the store may not know it. */
  readonly unsure: boolean
}

interface Entry {
  readonly open: Open
  /** Its lease expired. It stays listed, so that this process does not treat it as an orphan. */
  lost: boolean
}

/** Open exchanges of this process in the store; renews their leases. */
export class Leases {
  readonly #store: Store
  readonly #log: Log
  readonly #leaseMs: number
  readonly #open = new Slots<Entry>()
  readonly #timer: NodeJS.Timeout

  constructor(store: Store, log: Log, leaseMs = LEASE_MS, renewMs = RENEW_MS) {
    this.#store = store
    this.#log = log
    this.#leaseMs = leaseMs
    this.#timer = setInterval(() => void this.renew(), renewMs).unref()
  }

  /** Returns the number of the lease, for `delete`. */
  add(x: Open): number {
    return this.#open.add({ open: x, lost: false })
  }

  delete(lease: number | undefined): void {
    if (lease !== undefined) this.#open.delete(lease)
  }

  has(id: string): boolean {
    return this.#open.values().some(({ open }) => open.id === id)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async renew(): Promise<void> {
    const all = this.#open.values().flatMap(({ open, lost }) => (lost ? [] : [open]))
    for (let i = 0; i < all.length; i += BATCH) await this.#renew(all.slice(i, i + BATCH))
  }

  async #renew(batch: readonly Open[]): Promise<void> {
    const renewals = batch.map(({ id, holds }) => ({ id, due: holds?.takeDue() }))
    try {
      const lost = await this.#store.renew(renewals, this.#leaseMs)
      if (lost.length > 0) this.#forget(lost)
    } catch (error) {
      // The next round retries; outages are reported elsewhere.
      this.#log.debug({ error: errorName(error) }, 'leases not renewed')
      for (const [i, { holds }] of batch.entries()) holds?.giveBackDue(renewals[i]?.due)
    }
  }

  /** The store charged what was due; the exchange continues and settles late. */
  #forget(ids: readonly string[]): void {
    let count = 0
    const lost = new Set(ids)
    for (const entry of this.#open.values()) {
      if (!lost.has(entry.open.id)) continue
      entry.lost = true
      if (!entry.open.unsure) count++
    }
    if (count > 0) this.#log.warn({ exchanges: count }, 'leases expired before they were renewed')
  }
}
