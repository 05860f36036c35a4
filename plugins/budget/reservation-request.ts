import type { Exchange, Refusal, ScopeRequest } from 'governed-gateway'
import { type Entry, type Plan, scopeOf } from './plan.ts'
import type { Queue } from './queue.ts'

export interface ReservationRequestInit {
  readonly entries: readonly Entry[]
  readonly plan: Plan
  readonly queue: Queue
  /** Maximum wait, milliseconds. */
  readonly maxWaitMs: number
}

/**
 * Asks for the whole amount first: other requests will return what they do not use, so waiting is worthwhile.
 * Accepts a part only if the limit itself has no more.
 */
export class ReservationRequest {
  readonly #x: Exchange
  readonly #init: ReservationRequestInit
  #whole: boolean
  /** Unix milliseconds; set at the first refusal. */
  #deadline: number | undefined = undefined
  /** Limit of the last wait. */
  #waited: string | undefined = undefined

  constructor(x: Exchange, init: ReservationRequestInit) {
    this.#x = x
    this.#init = init
    const fits = (scope: ScopeRequest) => scope.amount <= scope.limit
    this.#whole = init.maxWaitMs > 0 && this.#parts.every(fits)
  }

  get scopes(): ScopeRequest[] {
    return this.#whole ? this.#parts.map((scope) => ({ ...scope, least: scope.amount })) : this.#parts
  }

  get #parts(): ScopeRequest[] {
    const { entries, plan } = this.#init
    return entries.map((entry) => scopeOf(entry, plan, this.#x.request.stream))
  }

  /**
   * Waits after a refusal until a new attempt may fit.
   *
   * @returns the scopes to ask for; undefined to give up
   */
  async again({ key, spent }: Refusal): Promise<readonly ScopeRequest[] | undefined> {
    const { entries, queue, maxWaitMs } = this.#init
    const scope = this.#parts.find((one) => one.key === key)
    const unit = entries.find((one) => one.key === key)?.limit.unit
    // Limits on requests rarely get anything returned.
    if (scope === undefined || unit === 'requests' || maxWaitMs === 0) return undefined
    const free = scope.limit - spent
    if (free < (scope.least ?? 0)) {
      queue.wakeAll(key)
      return undefined
    }
    if (this.#whole && free < scope.amount) return this.#settleForLess()
    const now = Date.now()
    this.#deadline ??= now + maxWaitMs
    if (now >= this.#deadline) return this.#whole ? this.#settleForLess() : undefined
    const { signal } = this.#x
    await queue.wait(key, this.#deadline - now, signal, this.#waited === key)
    this.#waited = key
    return signal.aborted ? undefined : this.scopes
  }

  #settleForLess(): ScopeRequest[] {
    this.#whole = false
    return this.scopes
  }
}
