/** Types of metering: scopes, windows, reservations. `store.ts` documents the calls. */

/**
 * How long use counts against a limit.
 * - `calendar`: the current minute, hour, day, week (from Monday) or month, UTC; starts again at zero.
 * - `rolling`: the last `rolling` milliseconds, 1 s to 400 days. Kept in 60 slices: a use counts for the window and at
 *   most one slice (1/60) more, never less.
 * - `total`: forever. With reservations that settle to zero it limits concurrency.
 */
export type Window = { readonly calendar: Calendar } | { readonly rolling: number } | 'total'
export type Calendar = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** One limit of a reservation. Amounts are whole numbers from 0 to 2^53 − 1 of the caller's unit. */
export interface ScopeRequest {
  /** Name of the meter; a key may have several windows, but not within one request. */
  readonly key: string
  readonly window: Window
  readonly limit: number
  /** The desired amount. */
  readonly amount: number
  /** The minimum that must fit; default `amount`. */
  readonly least?: number | undefined
  /** Charged if the lease expires unsettled; default: the whole grant. */
  readonly due?: number | undefined
}

export interface ScopeRef {
  readonly key: string
  readonly window: Window
}

/** State of a meter right after the call. */
export interface ScopeState {
  readonly key: string
  readonly spent: number
  /** Held by open reservations. */
  readonly reserved: number
  /**
   * Unix milliseconds. Calendar: the end of the window. Rolling: when the oldest use expires, null if there is none.
   * Total: null.
   */
  readonly resetsAt: number | null
}

export interface GrantedScope extends ScopeState {
  /** Between `least` and `amount`; all scopes are cut by the same proportion of that range. */
  readonly granted: number
  readonly left: number
}

export type Reservation = { readonly ok: true; readonly scopes: readonly GrantedScope[] } | Refusal

export interface Refusal {
  readonly ok: false
  /** The first scope, in the given order, that did not fit. */
  readonly key: string
  readonly limit: number
  readonly spent: number
  readonly reserved: number
  /** Remaining amount of the limit, never below 0. */
  readonly left: number
  /** Latest time when `least` fits if nothing else is used; null if never. */
  readonly resetsAt: number | null
}

/** Amount by scope key. */
export type Amounts = Readonly<Record<string, number>>
