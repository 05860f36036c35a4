import type { Amounts, Reservation, ScopeRequest, ScopeState } from '../../engine/contract/plugin.ts'
import type { ReserveRequest, Store, TopUpRequest } from '../../engine/contract/store.ts'
import { StoreClient } from '../store/client.ts'
import { MemoryDriver } from '../store/memory.ts'

/** Only this process knows these reservations, so their leases never matter. */
const LEASE_MS = 86_400_000
const BATCH = 200
const UNLIMITED = Number.MAX_SAFE_INTEGER

interface Spent {
  readonly scope: Pick<ScopeRequest, 'key' | 'window'>
  amount: number
}

/**
 * Limits while the store is down: counted in this process alone, from zero. On recovery, usage is added to the store's
 * windows at that time.
 */
export class LocalLimits {
  readonly #store: Store = new StoreClient(new MemoryDriver())
  readonly #spent = new Map<string, Spent>()
  readonly #scopes = new Map<string, readonly ScopeRequest[]>()
  /** A settlement with unknown result. Repeating it counts only once. */
  #unsure: { readonly id: string; readonly used: Amounts } | undefined = undefined

  #flushing: Promise<void> | undefined = undefined

  async reserve({ id, scopes }: Omit<ReserveRequest, 'leaseMs'>): Promise<Reservation> {
    const reservation = await this.#store.reserve({ id, leaseMs: LEASE_MS, scopes })
    if (reservation.ok) this.#scopes.set(id, scopes)
    return reservation
  }

  /** Also for a reservation in the store. */
  async topUp({ id, op, scopes }: TopUpRequest): Promise<Reservation> {
    if (this.#scopes.has(id)) return this.#store.topUp({ id, op, scopes })
    return this.reserve({ id, scopes })
  }

  /** `used` is undefined if it is settled elsewhere. */
  async settle(id: string, used: Amounts | undefined): Promise<readonly ScopeState[]> {
    const scopes = this.#scopes.get(id)
    if (scopes === undefined) return []
    this.#scopes.delete(id)
    for (const { key, window } of used === undefined ? [] : scopes) {
      const amount = used?.[key] ?? 0
      if (amount === 0) continue
      const name = `${JSON.stringify(window)} ${key}`
      const spent = this.#spent.get(name)
      if (spent === undefined) this.#spent.set(name, { scope: { key, window }, amount })
      else spent.amount += amount
    }
    return this.#store.settle(id, used ?? {})
  }

  /** Adds usage to the store. If it rejects, call again. */
  flush(store: Store): Promise<void> {
    this.#flushing ??= this.#flush(store).finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async #flush(store: Store): Promise<void> {
    await this.#settle(store)
    while (this.#spent.size > 0) {
      const batch = this.#nextBatch()
      const id = `local-${crypto.randomUUID()}`
      const scopes = batch.map(([, { scope }]) => ({ ...scope, limit: UNLIMITED, amount: 0 }))
      // If this fails, nothing was reserved, and another id may be used.
      await store.reserve({ id, leaseMs: 60_000, scopes })
      this.#unsure = { id, used: Object.fromEntries(batch.map(([, { scope, amount }]) => [scope.key, amount])) }
      for (const [name] of batch) this.#spent.delete(name)
      await this.#settle(store)
    }
  }

  /** A reservation may contain each key only once. */
  #nextBatch(): [string, Spent][] {
    const keys = new Set<string>()
    const batch: [string, Spent][] = []
    for (const entry of this.#spent) {
      const { key } = entry[1].scope
      if (keys.has(key)) continue
      keys.add(key)
      batch.push(entry)
      if (batch.length === BATCH) break
    }
    return batch
  }

  async #settle(store: Store): Promise<void> {
    if (this.#unsure === undefined) return
    await store.settle(this.#unsure.id, this.#unsure.used)
    this.#unsure = undefined
  }
}
