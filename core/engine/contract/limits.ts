/** Limits: the part of the contract for metering plugins; see `plugin.ts`. */
import type { Rejection, Verdict } from './basics.ts'
import type { Amounts, GrantedScope, Refusal, Reservation, ScopeRequest, ScopeState } from './store-limits.ts'

/** One plugin's share of limits in one exchange. Scope keys are the plugin's own. */
export interface Hold {
  /** False if nothing is ever refused: set by the want, or by `mode: monitor` in the plugin's entry. */
  readonly enforced: boolean
  /** Undefined until granted. */
  readonly scopes: readonly GrantedScope[] | undefined
  /** While the reply runs: takes more for reserved scopes, all or nothing above `least`. */
  topUp(scopes: readonly ScopeRequest[]): Promise<Reservation>
  /** Amounts to charge if this process dies from here on; written with the next lease renewal. */
  due(amounts: Amounts): void
  /**
   * In `postResponse`: the amounts actually used. An omitted scope keeps its whole grant. `then` gets the state of the
   * meters after the exchange's last write.
   */
  settle(used: Amounts, then?: (states: readonly ScopeState[]) => void): void
}

export interface LimitWant {
  readonly scopes: readonly ScopeRequest[]
  /** False: never refuses; `refused` only supplies the text of `policy.would_block`. Default true. */
  readonly enforce?: boolean
  /**
   * Called if one of `scopes` does not fit, while the client waits. Settles with new amounts to request once they may
   * fit, or with undefined to refuse. Keys and limits stay the same.
   */
  again?(refusal: Refusal): Promise<readonly ScopeRequest[] | undefined> | undefined
  /** The answer if one of `scopes` does not fit. */
  refused(refusal: Refusal): Verdict | Rejection
  /** Called before the model: the last chance to cap, and to set headers and `service` members. */
  granted?(scopes: readonly GrantedScope[]): void
}
