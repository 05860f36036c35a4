import type { ScopeRequest, Usage } from 'governed-gateway'
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
  /** Prompt tokens that the provider writes to its cache, for five minutes and for an hour. */
  readonly cacheWrite: number
  readonly cacheWriteHour: number
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

/** Tokens to pay for. */
export type Tokens = Omit<Usage, 'estimated'>

/** Converts tokens into the unit of a limit; rounds up once. */
export function amountOf(limit: Limit, rate: Rate, tokens: Tokens): number {
  if (limit.unit === 'requests') return 1
  if (limit.unit === 'tokens') return tokens.prompt + tokens.completion
  return Math.ceil(millionths(rate, tokens))
}

/** Cost of tokens in US dollars. */
export const dollarsOf = (rate: Rate, tokens: Tokens): number => Math.round(millionths(rate, tokens) * 1e6) / 1e12

/** A provider may report more tokens of its cache than the prompt has: those it has are paid once. */
function millionths(
  rate: Rate,
  { prompt, completion, cached = 0, cacheWrite = 0, cacheWriteHour = 0 }: Tokens,
): number {
  const read = Math.min(cached, prompt)
  const written = Math.min(cacheWrite, prompt - read)
  const hour = Math.min(cacheWriteHour, written)
  const input =
    (prompt - read - written) * rate.input +
    read * rate.cached +
    (written - hour) * rate.cacheWrite +
    hour * rate.cacheWriteHour
  return rounded(input + completion * rate.output)
}

/** Number of completion tokens that an amount pays for, after the prompt. */
export function completionFor(limit: Limit, rate: Rate, prompt: number, amount: number): number {
  if (limit.unit === 'requests') return Number.POSITIVE_INFINITY
  if (limit.unit === 'tokens') return Math.max(0, amount - prompt)
  if (rate.output === 0) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor(rounded((amount - prompt * rate.input) / rate.output)))
}

export function scopeOf({ limit, key }: Entry, plan: Plan, stream: boolean): ScopeRequest {
  const { rate, prompt, choices, most, least } = plan
  const amount = amountOf(limit, rate, { prompt, completion: most * choices })
  return {
    key,
    window: limit.window,
    limit: limit.amount,
    amount,
    least: amountOf(limit, rate, { prompt, completion: least * choices }),
    // If this process dies, a stream ends; the progress of a buffered answer is unknown.
    due: stream ? amountOf(limit, rate, { prompt, completion: 0 }) : amount,
  }
}

/** Removes floating-point errors of sums such as 0.1 + 0.2. */
const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6
