/** Limits, the part of the contract in `plugin.ts` that meters see. */
import type { Rejection, Verdict } from './basics.ts'
import type { Amounts, GrantedScope, Refusal, Reservation, ScopeRequest, ScopeState } from './store-limits.ts'

/** What one plugin holds of limits for one exchange. Scope keys are the plugin's own. */
export interface Hold {
  /** False when nothing is ever refused: the want says so, or the plugin's entry has `mode: monitor`. */
  readonly enforced: boolean
  /** Undefined until it was granted. */
  readonly scopes: readonly GrantedScope[] | undefined
  /** While the reply runs: takes more for scopes that were reserved, all or nothing above `least`. */
  topUp(scopes: readonly ScopeRequest[]): Promise<Reservation>
  /** What these scopes are charged if this process dies from here on; written with the next renewal of the lease. */
  due(amounts: Amounts): void
  /**
   * In `postResponse`: what was really used. A scope that nobody names keeps all that was granted. `then` gets the
   * state of the meters after the exchange's last write.
   */
  settle(used: Amounts, then?: (states: readonly ScopeState[]) => void): void
}

export interface LimitWant {
  readonly scopes: readonly ScopeRequest[]
  /** False: never refused, `refused` only says what `policy.would_block` records. Default true. */
  readonly enforce?: boolean
  /**
   * One of `scopes` does not fit: settles with what to ask for instead, once that may fit, or with undefined when it is
   * refused after all. The client waits meanwhile. Keys and limits stay as they are.
   */
  again?(refusal: Refusal): Promise<readonly ScopeRequest[] | undefined> | undefined
  /** The answer when one of `scopes` does not fit. */
  refused(refusal: Refusal): Verdict | Rejection
  /** Before the model is called: the last chance to cap, and to set headers and `service` members. */
  granted?(scopes: readonly GrantedScope[]): void
}
