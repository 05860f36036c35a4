import type { Exchange, Hold, Refusal, Reservation, ScopeRequest } from 'governed-gateway'
import type { BudgetOptions } from './limits.ts'
import { amountOf, completionFor, type Entry, type Plan } from './plan.ts'

/** After a refusal others may settle meanwhile; milliseconds until it is worth asking again. */
const AGAIN_MS = 100
/** Vendors count differently, by up to a third: a provider that keeps to a cap by its own count is not cut off. */
const LENIENCE = 4 / 3
/** More is asked for when less than this share of what is held is left. */
const LOW = 0.2

export interface TopUpInit {
  readonly entries: readonly Entry[]
  readonly plan: Plan
  readonly options: BudgetOptions
  /** Tokens that all choices together may have, when the request says so by its flag. */
  readonly cap: number | undefined
}

/** Which limit had no room. */
export interface Refused {
  readonly entry: Entry
  readonly refusal: Refusal
}

/**
 * Takes more of the limits for a stream that outgrows what it holds: beside the chunks, and only when the last token is
 * used up before the store has answered does the reply wait.
 */
export class TopUp {
  readonly #x: Exchange
  readonly #hold: Hold
  readonly #init: TopUpInit
  readonly #overrun: () => void
  /** Where the reply ends, whatever the limits have left. */
  readonly #most: number
  #held: number
  #asking: Promise<void> | undefined = undefined
  #told = 0
  #ended = false
  /** Why nothing more was granted. */
  refusal: Refused | undefined = undefined
  #deniedAt = 0

  constructor(x: Exchange, hold: Hold, init: TopUpInit, held: number, overrun: () => void) {
    this.#x = x
    this.#hold = hold
    this.#init = init
    this.#held = held
    this.#most = init.cap === undefined || !hold.enforced ? Number.POSITIVE_INFINITY : init.cap * LENIENCE
    this.#overrun = overrun
  }

  /** @param tokens written so far */
  grow(tokens: number): Promise<void> | undefined {
    if (this.#ended) return undefined
    this.#due(tokens)
    if (tokens > this.#most) return this.#end()
    if (tokens < this.#held * (1 - LOW)) return undefined
    if (this.#isBounded && tokens <= this.#held) return undefined
    if (this.#asking === undefined && Date.now() - this.#deniedAt >= AGAIN_MS) this.#asking = this.#ask(tokens)
    if (tokens < this.#held) return undefined
    if (this.#asking === undefined) return this.#end()
    return this.#asking.then(() => (tokens >= this.#held ? this.#end() : undefined))
  }

  /** The provider stops by itself at what is held. */
  get #isBounded(): boolean {
    return this.#x.request.maxOutputTokens !== undefined || this.#held < this.#init.plan.most * this.#init.plan.choices
  }

  #end(): undefined {
    if (this.#ended) return
    this.#ended = true
    this.#overrun()
  }

  /** What is charged if this process dies; now and then is enough. */
  #due(tokens: number): void {
    if (tokens - this.#told < 64) return
    this.#told = tokens
    const { rate, prompt } = this.#init.plan
    const seen = Math.ceil(tokens)
    const amounts = this.#init.entries.map(({ limit, key }) => [key, amountOf(limit, rate, prompt, seen)] as const)
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
      this.#x.log.error({ err: error }, 'the budget could not be raised')
    } finally {
      this.#asking = undefined
    }
  }

  #scopes(more: number, least: number): ScopeRequest[] {
    const { entries, plan } = this.#init
    return entries.flatMap(({ limit, key }) => {
      if (limit.unit === 'requests') return []
      const amount = (tokens: number) => amountOf(limit, plan.rate, 0, tokens)
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
