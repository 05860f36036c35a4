/** What all parts of the contract are made of. */
import type { ErrorCode } from './errors.ts'

export type Mode = 'off' | 'monitor' | 'enforce' | 'strict'
export type Severity = 'info' | 'detection' | 'action' | 'block'
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Awaitable<T> = T | Promise<T>

/** A policy says no: 403 `policy_block`. Under `monitor` it becomes the event `policy.would_block` and nothing else. */
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
 * The request is wrong or too much: applies in every mode. `error` is a code of the gateway's catalogue, such as
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

/** One governance event. It never holds prompt text, values or keys. */
export interface GovernanceEvent {
  readonly id: string
  readonly type: string
  readonly severity: Severity
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string
  readonly [key: string]: Json | undefined
}

export interface Log {
  debug(fields: object, message?: string): void
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** Emits an event that the plugin declared. */
export type Emit = <E extends keyof EventPayloads>(type: E, payload: EventPayloads[E]) => void

export interface FlagSpec {
  /** Loosest first; `'integer'` takes a positive whole number. */
  values: readonly string[] | 'integer'
  /** With `values` listed: also takes a positive whole number, tighter than every listed value. */
  integer?: boolean
  /**
   * What holds when neither operator nor request set the flag, so that less than it is a loosening. Without one, it is
   * the tightest of the listed values; a flag of numbers alone is a cap that nobody set.
   */
  default?: string | number
  /** Name of the plugin's option that takes the place of `default`, such as `action`. */
  option?: string
  aliases?: Readonly<Record<string, string>>
}
