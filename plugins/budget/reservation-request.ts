import type { Exchange, Refusal, ScopeRequest } from 'governed-gateway'
import { type Entry, type Plan, scopeOf } from './plan.ts'
import type { Queue } from './queue.ts'

export interface ReservationRequestInit {
  readonly entries: readonly Entry[]
  readonly plan: Plan
  readonly queue: Queue
  /** How long it may wait, milliseconds. */
  readonly patience: number
}

/**
 * What a request asks of its limits. First the whole of what it may use: what others hold at the moment and will not
 * use comes back, and for that it is worth waiting. A part is enough only when the limit itself has no more.
 */
export class ReservationRequest {
  readonly #x: Exchange
  readonly #init: ReservationRequestInit
  #whole: boolean
  /** Unix milliseconds; set with the first refusal. */
  #deadline: number | undefined = undefined
  /** The limit that was waited for last. */
  #waited: string | undefined = undefined

  constructor(x: Exchange, init: ReservationRequestInit) {
    this.#x = x
    this.#init = init
    const fits = (scope: ScopeRequest) => scope.amount <= scope.limit
    this.#whole = init.patience > 0 && this.#parts.every(fits)
  }

  get scopes(): ScopeRequest[] {
    return this.#whole ? this.#parts.map((scope) => ({ ...scope, least: scope.amount })) : this.#parts
  }

  get #parts(): ScopeRequest[] {
    const { entries, plan } = this.#init
    return entries.map((entry) => scopeOf(entry, plan, this.#x.request.stream))
  }

  /** What to ask for after a refusal, once that may fit. */
  async again({ key, spent }: Refusal): Promise<readonly ScopeRequest[] | undefined> {
    const { entries, queue, patience } = this.#init
    const scope = this.#parts.find((one) => one.key === key)
    const unit = entries.find((one) => one.key === key)?.limit.unit
    // What is counted by the request is rarely given back.
    if (scope === undefined || unit === 'requests' || patience === 0) return undefined
    const free = scope.limit - spent
    if (free < (scope.least ?? 0)) {
      queue.wakeAll(key)
      return undefined
    }
    if (this.#whole && free < scope.amount) return this.#settleForLess()
    const now = Date.now()
    this.#deadline ??= now + patience
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
