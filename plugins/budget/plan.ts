import type { ScopeRequest } from 'governed-gateway'
import type { Limit } from './limits.ts'

/** A limit that applies to a request, and its meter. */
export interface Entry {
  readonly limit: Limit
  readonly subject: string
  readonly key: string
}

/** Micro-dollars per token, which equals dollars per million tokens. */
export interface Rate {
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** Most and least that a request may use, before its reply is known. */
export interface Plan {
  /** Estimated prompt tokens. */
  readonly prompt: number
  readonly choices: number
  /** Maximum tokens per choice. */
  readonly most: number
  /** Minimum tokens per choice; below it, sending the request is pointless. */
  readonly least: number
  /** The most expensive rate of all models that may answer. */
  readonly rate: Rate
}

/** Converts tokens into the unit of a limit; rounds up once. */
export function amountOf(limit: Limit, rate: Rate, prompt: number, completion: number, cached = 0): number {
  if (limit.unit === 'requests') return 1
  if (limit.unit === 'tokens') return prompt + completion
  return Math.ceil(millionths(rate, prompt, completion, cached))
}

/** Cost of tokens in US dollars. */
export const dollarsOf = (rate: Rate, prompt: number, completion: number, cached: number): number =>
  Math.round(millionths(rate, prompt, completion, cached) * 1e6) / 1e12

const millionths = (rate: Rate, prompt: number, completion: number, cached: number): number =>
  rounded((prompt - cached) * rate.input + cached * rate.cached + completion * rate.output)

/** Number of completion tokens that an amount pays for, after the prompt. */
export function completionFor(limit: Limit, rate: Rate, prompt: number, amount: number): number {
  if (limit.unit === 'requests') return Number.POSITIVE_INFINITY
  if (limit.unit === 'tokens') return Math.max(0, amount - prompt)
  if (rate.output === 0) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor(rounded((amount - prompt * rate.input) / rate.output)))
}

export function scopeOf({ limit, key }: Entry, plan: Plan, stream: boolean): ScopeRequest {
  const { rate, prompt, choices, most, least } = plan
  const amount = amountOf(limit, rate, prompt, most * choices)
  return {
    key,
    window: limit.window,
    limit: limit.amount,
    amount,
    least: amountOf(limit, rate, prompt, least * choices),
    // If this process dies, a stream ends; the progress of a buffered answer is unknown.
    due: stream ? amountOf(limit, rate, prompt, 0) : amount,
  }
}

/** Removes floating-point errors of sums such as 0.1 + 0.2. */
const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6
