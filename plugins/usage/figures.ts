import type { Json } from 'governed-gateway'

/** What one exchange adds. */
export interface Used {
  readonly key: string
  readonly team: string
  readonly model: string
  readonly served: boolean
  /** A copy of a request, which counts tokens and dollars only. */
  readonly copied: boolean
  readonly prompt: number
  readonly completion: number
  /** Micro-dollars, rounded up for each exchange as budgets do. */
  readonly micros: number
  readonly blocked: boolean
  readonly redacted: boolean
  readonly failed: boolean
  /** Milliseconds. */
  readonly latency: number
}

/** Sums, and the latencies as a histogram. A short array, because the store holds many. */
export class Figures {
  readonly sums: number[]
  /** Number of exchanges by class of latency. */
  readonly latencies: Map<number, number>

  constructor(sums: readonly number[] = [], latencies: Iterable<readonly [number, number]> = []) {
    this.sums = SUMS.map((_, i) => sums[i] ?? 0)
    this.latencies = new Map(latencies)
  }

  /** @param numbers see `numbersOf` */
  add(numbers: readonly number[]): void {
    for (let i = 0; i < SUMS.length; i++) this.sums[i] = (this.sums[i] as number) + (numbers[i] as number)
    const at = numbers[SUMS.length]
    if (at !== undefined) this.latencies.set(at, (this.latencies.get(at) ?? 0) + 1)
  }

  merge(other: Figures): void {
    for (let i = 0; i < SUMS.length; i++) this.sums[i] = (this.sums[i] as number) + (other.sums[i] as number)
    for (const [at, count] of other.latencies) this.latencies.set(at, (this.latencies.get(at) ?? 0) + count)
  }

  toJson(): Json {
    return [this.sums, [...this.latencies].flat()]
  }

  static of(value: Json): Figures {
    const [sums, flat] = value as [number[], number[]]
    return new Figures(
      sums,
      Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!] as const),
    )
  }

  shown(): Record<(typeof SUMS)[number] | 'usd' | 'p50_ms' | 'p95_ms', number | null> {
    const named = Object.fromEntries(SUMS.map((name, i) => [name, this.sums[i]])) as Record<string, number>
    const { micro_usd = 0, ...rest } = named
    return {
      ...(rest as Record<(typeof SUMS)[number], number>),
      usd: micro_usd / 1e6,
      p50_ms: this.#percentile(0.5),
      p95_ms: this.#percentile(0.95),
    } as ReturnType<Figures['shown']>
  }

  #percentile(share: number): number | null {
    const classes = [...this.latencies].sort(([a], [b]) => a - b)
    const total = classes.reduce((sum, [, count]) => sum + count, 0)
    let left = Math.ceil(total * share)
    for (const [at, count] of classes) {
      left -= count
      if (left <= 0) return Math.round(GROWTH ** (at + 0.5))
    }
    return null
  }
}

export const SUMS = [
  ...['requests', 'served', 'prompt_tokens', 'completion_tokens', 'micro_usd', 'blocked', 'redacted', 'failed'],
] as const

/** What an exchange adds to each sum, then the class of its latency; a copy has none. */
export function numbersOf(used: Used): number[] {
  const { copied, served, prompt, completion, micros, blocked, redacted, failed, latency } = used
  const sums = [copied ? 0 : 1, served ? 1 : 0, prompt, completion, micros]
  sums.push(blocked ? 1 : 0, redacted ? 1 : 0, failed ? 1 : 0)
  if (!copied) sums.push(classOf(latency))
  return sums
}

/** Each class of latency is 10 % wider than the one before, so that a percentile is at most 5 % off. */
const GROWTH = 1.1
const LOG_GROWTH = Math.log(GROWTH)
const classOf = (ms: number): number => (ms <= 1 ? 0 : Math.floor(Math.log(ms) / LOG_GROWTH))
