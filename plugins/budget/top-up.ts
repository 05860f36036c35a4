import type { Exchange, Hold, Refusal, Reservation, ScopeRequest } from 'governed-gateway'
import type { BudgetOptions } from './limits.ts'
import { amountOf, completionFor, type Entry, type Plan } from './plan.ts'

/** Milliseconds before asking again after a refusal; others may settle meanwhile. */
const RETRY_MS = 100
/** Vendors count differently, by up to a third. So a provider that obeys a cap by its own count is not cut off. */
const TOLERANCE = 4 / 3
/** Share of the reservation; below it, more is requested. */
const LOW_SHARE = 0.2

export interface TopUpInit {
  readonly entries: readonly Entry[]
  readonly plan: Plan
  readonly options: BudgetOptions
  /** Maximum tokens of all choices together, set by the request's flag. */
  readonly cap: number | undefined
}

/** The limit that had no room. */
export interface Refused {
  readonly entry: Entry
  readonly refusal: Refusal
}

/**
 * Reserves more for a stream that outgrows its reservation. Runs beside the stream; the reply waits only if the last
 * token is used before the store answers.
 */
export class TopUp {
  readonly #x: Exchange
  readonly #hold: Hold
  readonly #init: TopUpInit
  readonly #overrun: () => void
  /** Maximum tokens of the reply, whatever the limits have left. */
  readonly #most: number
  #held: number
  #asking: Promise<void> | undefined = undefined
  #reportedTokens = 0
  #ended = false
  /** Reason why no more was granted. */
  refusal: Refused | undefined = undefined
  #deniedAt = 0

  constructor(x: Exchange, hold: Hold, init: TopUpInit, held: number, overrun: () => void) {
    this.#x = x
    this.#hold = hold
    this.#init = init
    this.#held = held
    this.#most = init.cap === undefined || !hold.enforced ? Number.POSITIVE_INFINITY : init.cap * TOLERANCE
    this.#overrun = overrun
  }

  /** @param tokens generated so far */
  grow(tokens: number): Promise<void> | undefined {
    if (this.#ended) return undefined
    this.#due(tokens)
    if (tokens > this.#most) return this.#end()
    if (tokens < this.#held * (1 - LOW_SHARE)) return undefined
    if (this.#isBounded && tokens <= this.#held) return undefined
    const asking = this.#askOnce(tokens)
    if (tokens < this.#held) return undefined
    return asking === undefined ? this.#end() : this.#outgrown(tokens, asking)
  }

  /** What runs already may have asked for fewer tokens. */
  async #outgrown(tokens: number, asking: Promise<void>): Promise<void> {
    await asking
    while (tokens >= this.#held && !this.#ended) {
      const held = this.#held
      await this.#askOnce(tokens)
      if (this.#held === held) return this.#end()
    }
  }

  #askOnce(tokens: number): Promise<void> | undefined {
    if (this.#asking === undefined && Date.now() - this.#deniedAt >= RETRY_MS) this.#asking = this.#ask(tokens)
    return this.#asking
  }

  /** Whether the provider itself stops at the reserved amount. */
  get #isBounded(): boolean {
    return this.#x.request.maxOutputTokens !== undefined || this.#held < this.#init.plan.most * this.#init.plan.choices
  }

  #end(): undefined {
    if (this.#ended) return
    this.#ended = true
    this.#overrun()
  }

  /** Updates the amount that is charged if this process dies. Not every change is stored. */
  #due(tokens: number): void {
    if (tokens - this.#reportedTokens < 64) return
    this.#reportedTokens = tokens
    const { rate, prompt } = this.#init.plan
    const seen = Math.ceil(tokens)
    const amounts = this.#init.entries.map(
      ({ limit, key }) => [key, amountOf(limit, rate, { prompt, completion: seen })] as const,
    )
    this.#hold.due(Object.fromEntries(amounts))
  }

  async #ask(tokens: number): Promise<void> {
    const over = Math.max(0, Math.ceil(tokens - this.#held))
    const { choices } = this.#init.plan
    const step = this.#init.options.default_completion_tokens * choices
    const more = over + Math.max(step, Math.ceil(tokens / 2))
    const scopes = this.#scopes(more, over + 1)
    try {
      if (scopes.length === 0) this.#held += more
      else this.#take(await this.#hold.topUp(scopes), more)
    } catch (error) {
      this.#deniedAt = Date.now()
      // When the client leaves, its reservation is settled while more of it is asked for.
      if (!this.#x.signal.aborted) this.#x.log.error({ err: error }, 'a running stream could not reserve more budget')
    } finally {
      this.#asking = undefined
    }
  }

  #scopes(more: number, least: number): ScopeRequest[] {
    const { entries, plan } = this.#init
    return entries.flatMap(({ limit, key }) => {
      if (limit.unit === 'requests') return []
      const amount = (tokens: number) => amountOf(limit, plan.rate, { prompt: 0, completion: tokens })
      return [{ key, window: limit.window, limit: limit.amount, amount: amount(more), least: amount(least) }]
    })
  }

  #take(reservation: Reservation, more: number): void {
    const { entries, plan } = this.#init
    if (!reservation.ok) {
      this.#deniedAt = Date.now()
      const entry = entries.find(({ key }) => key === reservation.key)
      if (entry !== undefined) this.refusal = { entry, refusal: reservation }
      return
    }
    let tokens = more
    for (const { key, granted } of reservation.scopes) {
      const entry = entries.find((one) => one.key === key)
      if (entry !== undefined) tokens = Math.min(tokens, completionFor(entry.limit, plan.rate, 0, granted))
    }
    this.#held += tokens
  }
}
