import type { ScopeRequest } from 'governed-gateway'
import type { Limit } from './limits.ts'

/** A limit that concerns one request, and the meter it falls on. */
export interface Entry {
  readonly limit: Limit
  readonly subject: string
  readonly key: string
}

/** Millionths of a dollar for one token; the number that is dollars for a million. */
export interface Rate {
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** What a request may use at most and at least, before anything is known of the reply. */
export interface Plan {
  /** Estimated tokens of the prompt. */
  readonly prompt: number
  readonly choices: number
  /** Tokens each choice may have at most. */
  readonly most: number
  /** Tokens each choice must have at the least for the request to be worth sending. */
  readonly least: number
  /** The dearest of all models that may answer. */
  readonly rate: Rate
}

/** What tokens come to in the unit of a limit; fractions are rounded up, once. */
export function amountOf(limit: Limit, rate: Rate, prompt: number, completion: number, cached = 0): number {
  if (limit.unit === 'requests') return 1
  if (limit.unit === 'tokens') return prompt + completion
  return Math.ceil(millionths(rate, prompt, completion, cached))
}

/** What tokens cost, US dollars. */
export const dollarsOf = (rate: Rate, prompt: number, completion: number, cached: number): number =>
  Math.round(millionths(rate, prompt, completion, cached) * 1e6) / 1e12

const millionths = (rate: Rate, prompt: number, completion: number, cached: number): number =>
  rounded((prompt - cached) * rate.input + cached * rate.cached + completion * rate.output)

/** How many completion tokens an amount pays for, after the prompt. */
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
    // A stream that dies with this process is cut off; the progress of a buffered answer is unknown.
    due: stream ? amountOf(limit, rate, prompt, 0) : amount,
  }
}

/** Sums of prices such as 0.1 + 0.2 are not taken for more than they are. */
const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6
