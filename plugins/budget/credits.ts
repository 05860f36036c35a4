import { GatewayError, type Json, type Services } from 'governed-gateway'
import type { Limit } from './limits.ts'

/** What admins added to a meter, until its window ends. */
interface Credit {
  /** In requests, tokens or micro-dollars. */
  readonly amount: number
  /** Unix milliseconds. */
  readonly until: number
}

type Stored = Readonly<Record<string, Credit>>

const KEY = 'credits'
const MAX_CREDITS = 10_000
const TRIES = 20

/** Amounts that admins added to single meters. What was used stays counted, so that usage stays exact. */
export class Credits {
  readonly #services: Pick<Services, 'store' | 'log'>
  #known: ReadonlyMap<string, Credit> = new Map()
  #version = -1
  #unwatch: (() => void) | undefined = undefined
  readonly #raised = new WeakMap<Credit, Limit>()

  constructor(services: Pick<Services, 'store' | 'log'>) {
    this.#services = services
  }

  async start(): Promise<void> {
    this.#unwatch = this.#services.store.watch(KEY, (key) => {
      // A store that lost its data counts versions from the start.
      if (key === undefined) this.#version = -1
      void this.#quietly()
    })
    await this.#quietly()
  }

  stop(): void {
    this.#unwatch?.()
  }

  raised(key: string, limit: Limit): Limit {
    if (this.#known.size === 0) return limit
    const credit = this.#known.get(key)
    if (credit === undefined || Date.now() >= credit.until) return limit
    const known = this.#raised.get(credit)
    if (known !== undefined && known.own?.limit === limit.own?.limit) return known
    const raised = limit.raised(credit.amount)
    this.#raised.set(credit, raised)
    return raised
  }

  /** Adds to a meter. `amount` gets what was added before, and returns the new sum. */
  async change(key: string, until: number, amount: (before: number) => number): Promise<void> {
    const { store } = this.#services
    for (let i = 0; i < TRIES; i++) {
      const entry = await store.entry<Json>(KEY)
      const now = Date.now()
      const stored = Object.entries((entry?.value ?? {}) as unknown as Stored)
      const credits = new Map(stored.filter(([, credit]) => credit.until > now))
      const sum = amount(credits.get(key)?.amount ?? 0)
      if (!Number.isSafeInteger(sum))
        throw new GatewayError('GW_VALIDATION', 'amount is too large.', { param: 'amount' })
      credits.set(key, { amount: sum, until })
      if (credits.size > MAX_CREDITS) throw new GatewayError('GW_VALIDATION', 'Too many budgets were topped up.')
      const value = Object.fromEntries(credits) as unknown as Json
      if (!(await store.set(KEY, value, { ifVersion: entry?.version ?? 0, notify: true }))) continue
      return await this.#read()
    }
    throw new GatewayError('GW_STORE_UNAVAILABLE', 'Other changes came in between. Try again in a moment.')
  }

  async #read(): Promise<void> {
    const entry = await this.#services.store.entry<Json>(KEY)
    const version = entry?.version ?? 0
    if (version <= this.#version) return
    this.#version = version
    this.#known = new Map(Object.entries((entry?.value ?? {}) as unknown as Stored))
  }

  async #quietly(): Promise<void> {
    try {
      await this.#read()
    } catch (error) {
      this.#services.log.warn({ error: (error as Error).message }, 'what admins added to budgets could not be read')
    }
  }
}
