/** Basic types of the contract. */
import type { ErrorCode } from './errors.ts'

export type Mode = 'off' | 'monitor' | 'enforce' | 'strict'
export type Severity = 'info' | 'detection' | 'action' | 'block'
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Awaitable<T> = T | Promise<T>

/** A policy's refusal: 403 `policy_block`. In mode `monitor` it only causes the event `policy.would_block`. */
export interface Verdict {
  reason: string
  policy?: string
  /** `error.code`; default `permission_denied`. */
  code?: string
  status?: 403 | 402 | 429
  /** `error.type`; default `policy_block`. */
  type?: 'policy_block' | 'insufficient_quota'
  details?: { [key: string]: Json }
}

/**
 * An invalid or excessive request; applies in every mode. `error` is a code of the gateway's catalogue, such as
 * `GW_RATE_LIMITED`, or one that the plugin declares in `errors`.
 */
export interface Rejection {
  error: ErrorCode | (string & {})
  message: string
  param?: string
  /** Whole seconds. */
  retryAfter?: number
}

/** Payloads of the events a plugin may emit. Plugins add theirs by declaration merging. */
export interface EventPayloads {
  'policy.would_block': { policy: string; reason: string }
}

/** One governance event. Never contains prompt text, values or keys. */
export interface GovernanceEvent {
  readonly id: string
  readonly type: string
  readonly severity: Severity
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string
  readonly [key: string]: Json | undefined
}

/** An event as JSON, serialized on first read; the log and all observers share it. */
export interface EventText {
  readonly json: string
}

export interface Log {
  debug(fields: object, message?: string): void
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** Emits an event that the plugin declared. */
export type Emit = <E extends keyof EventPayloads>(type: E, payload: EventPayloads[E]) => void

/** A limit of one caller, in addition to those in the config. */
export interface CallerLimit {
  /** Which requests share the meter: those of the caller's key or of its team. */
  readonly scope: 'key' | 'team'
  readonly unit: 'requests' | 'tokens' | 'usd'
  readonly limit: number
  readonly window: 'minute' | 'hour' | 'day' | 'week' | 'month' | { readonly rolling: string }
}

export interface FlagSpec {
  /** Loosest first; `'integer'` accepts a positive whole number. */
  values: readonly string[] | 'integer'
  /** With listed `values`: also accepts a positive whole number, which is tighter than every listed value. */
  integer?: boolean
  /**
   * Value if neither operator nor request set the flag; anything looser is a loosening. Default: the tightest listed
   * value. A flag with only numbers has no cap by default.
   */
  default?: string | number
  /** Name of the plugin option that overrides `default`, such as `action`. */
  option?: string
  aliases?: Readonly<Record<string, string>>
}
