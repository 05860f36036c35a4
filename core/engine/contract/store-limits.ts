/** Types of metering: scopes, windows, reservations. `store.ts` says what the calls promise. */

/**
 * How long use counts against a limit.
 * - `calendar`: the current minute, hour, day, week (from Monday) or month, UTC; starts again at zero.
 * - `rolling`: the last `rolling` milliseconds, 1 s to 400 days. Kept in 60 slices: a use counts for the window and at
 *   most one slice (1/60) more, never less.
 * - `total`: forever. With reservations that settle to zero it limits concurrency.
 */
export type Window = { readonly calendar: Calendar } | { readonly rolling: number } | 'total'
export type Calendar = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** One limit that a reservation must fit. Amounts are whole numbers from 0 to 2^53 − 1 of the caller's unit. */
export interface ScopeRequest {
  /** Names the meter; one key may carry several windows, but not within one request. */
  readonly key: string
  readonly window: Window
  readonly limit: number
  /** What is wanted. */
  readonly amount: number
  /** What must fit at the least; default `amount`. */
  readonly least?: number | undefined
  /** What is charged if the lease runs out unsettled; default: all that was granted. */
  readonly due?: number | undefined
}

export interface ScopeRef {
  readonly key: string
  readonly window: Window
}

/** State of one meter right after the call. */
export interface ScopeState {
  readonly key: string
  readonly spent: number
  /** Held by open reservations. */
  readonly reserved: number
  /**
   * Unix milliseconds. Calendar: the end of the window. Rolling: when the oldest use leaves, null if there is none.
   * Total: null.
   */
  readonly resetsAt: number | null
}

export interface GrantedScope extends ScopeState {
  /** Between `least` and `amount`; every scope is cut by the same share of what it could lose. */
  readonly granted: number
  readonly left: number
}

export type Reservation = { readonly ok: true; readonly scopes: readonly GrantedScope[] } | Refusal

export interface Refusal {
  readonly ok: false
  /** The first scope, in the order given, that did not fit. */
  readonly key: string
  readonly limit: number
  readonly spent: number
  readonly reserved: number
  /** What is left of the limit, never below 0. */
  readonly left: number
  /** When `least` fits at the latest if nothing else is used; null if never. */
  readonly resetsAt: number | null
}

/** Amount by scope key. */
export type Amounts = Readonly<Record<string, number>>
