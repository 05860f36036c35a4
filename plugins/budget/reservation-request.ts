import type { Exchange, Refusal, ScopeRequest } from 'governed-gateway'
import { type Entry, type Plan, scopeOf } from './plan.ts'
import type { Queue } from './queue.ts'

export interface ReservationRequestInit {
  readonly entries: readonly Entry[]
  readonly plan: Plan
  /** Counts the prompt; undefined if the plan's figure is exact, otherwise that is the most it can be. */
  readonly countPrompt: (() => number | Promise<number>) | undefined
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
  plan: Plan
  #count: ReservationRequestInit['countPrompt']
  #whole: boolean
  /** Unix milliseconds; set at the first refusal. */
  #deadline: number | undefined = undefined
  /** Limit of the last wait. */
  #waited: string | undefined = undefined

  constructor(x: Exchange, init: ReservationRequestInit) {
    this.#x = x
    this.#init = init
    this.plan = init.plan
    this.#count = init.countPrompt
    const fits = (scope: ScopeRequest) => scope.amount <= scope.limit
    this.#whole = init.maxWaitMs > 0 && this.#parts.every(fits)
  }

  get scopes(): ScopeRequest[] {
    return this.#whole || this.#count !== undefined
      ? this.#parts.map((scope) => ({ ...scope, least: scope.amount }))
      : this.#parts
  }

  get #parts(): ScopeRequest[] {
    return this.#init.entries.map((entry) => scopeOf(entry, this.plan, this.#x.request.stream))
  }

  /** Counts the prompt, unless that was done. */
  countPrompt(): Promise<void> | undefined {
    const tokens = this.#count?.()
    this.#count = undefined
    if (tokens === undefined) return undefined
    const counted = (prompt: number) => {
      this.plan = { ...this.plan, prompt }
    }
    if (typeof tokens !== 'number') return tokens.then(counted)
    counted(tokens)
    return undefined
  }

  /**
   * Waits after a refusal until a new attempt may fit.
   *
   * @returns the scopes to ask for; undefined to give up
   */
  async again({ key, spent }: Refusal): Promise<readonly ScopeRequest[] | undefined> {
    const { entries, queue, maxWaitMs } = this.#init
    if (this.#count !== undefined) {
      await this.countPrompt()
      return this.scopes
    }
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
