import type { Amounts, Exchange, GrantedScope, Hold, Refusal, ScopeState, Verdict } from 'governed-gateway'
import type { BudgetOptions } from './limits.ts'
import { amountOf, completionFor, type Entry, type Plan, type Rate, scopeOf } from './plan.ts'
import { refusalVerdict, tell } from './told.ts'

/** What one exchange holds of its limits, from the reservation to the settlement. */
export class Account {
  readonly #x: Exchange
  readonly #entries: readonly Entry[]
  readonly #plan: Plan
  readonly #status: BudgetOptions['status']
  readonly #hold: Hold
  /** Why the exchange was refused; a warning only, once something was granted after all. */
  refusal: { readonly entry: Entry; readonly refusal: Refusal } | undefined = undefined

  constructor(x: Exchange, entries: readonly Entry[], plan: Plan, options: BudgetOptions, enforce: boolean) {
    this.#x = x
    this.#entries = entries
    this.#plan = plan
    this.#status = options.status
    this.#hold = x.reserve({
      scopes: entries.map((entry) => scopeOf(entry, plan, x.request.stream)),
      enforce,
      refused: (refusal) => this.#refused(refusal),
      granted: (scopes) => this.#granted(scopes),
    })
  }

  #refused(refusal: Refusal): Verdict {
    const entry = this.#entries.find(({ key }) => key === refusal.key) as Entry
    this.refusal = { entry, refusal }
    return refusalVerdict(this.#x, entry, refusal, this.#status)
  }

  #granted(scopes: readonly GrantedScope[]): void {
    this.refusal = undefined
    tell(this.#x, this.#entries, scopes)
    const { rate, prompt, choices, most } = this.#plan
    let tokens = most * choices
    for (const { limit, key } of this.#entries) {
      const granted = scopes.find((scope) => scope.key === key)?.granted ?? 0
      tokens = Math.min(tokens, completionFor(limit, rate, prompt, granted))
    }
    const each = Math.floor(tokens / choices)
    if (each < most) this.#x.request.capOutputTokens(Math.max(1, each))
  }

  /** Books what was really used. */
  settle(
    prompt: number,
    completion: number,
    cached: number,
    rate: Rate,
    then: (states: readonly ScopeState[]) => void,
  ): void {
    this.#settle((entry) => amountOf(entry.limit, rate, prompt, completion, cached), then)
  }

  release(): void {
    this.#settle(() => 0)
  }

  #settle(amount: (entry: Entry) => number, then?: (states: readonly ScopeState[]) => void): void {
    const used: Record<string, number> = {}
    for (const entry of this.#entries) used[entry.key] = amount(entry)
    this.#hold.settle(used satisfies Amounts, (states) => {
      if (this.refusal === undefined) tell(this.#x, this.#entries, states)
      then?.(states)
    })
  }
}
