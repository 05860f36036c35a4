import type { Target } from 'governed-gateway'
import { limitsModel, RecentMap } from 'governed-gateway/kit'
import type { BudgetOptions } from './limits.ts'
import type { Rate } from './plan.ts'
import { TABLE } from './price-table.ts'

interface Price {
  readonly model: string
  readonly upstream: string | undefined
  readonly rate: Rate
}

/** Prices of models: the operator's own, otherwise the table. */
export class Prices {
  readonly #own: readonly Price[]
  /** By model and upstream. Clients choose the names, so the size is limited. */
  readonly #known = new Map<string, Rate | undefined>()

  constructor(options: BudgetOptions) {
    this.#own = options.prices.map(({ model, upstream, ...price }) => ({ model, upstream, rate: rateOf(price) }))
  }

  /** The rate of a target; undefined if unknown. */
  of({ model, upstream }: Target): Rate | undefined {
    const key = `${upstream}\0${model}`
    if (this.#known.has(key)) return this.#known.get(key)
    const rate = this.#find(model, upstream)
    if (this.#known.size < 1000) this.#known.set(key, rate)
    return rate
  }

  #find(model: string, upstream: string): Rate | undefined {
    const own = this.#own.find(
      (price) => (price.upstream === undefined || price.upstream === upstream) && limitsModel(price.model, model),
    )
    if (own !== undefined) return own.rate
    const row = rowOf(model)
    return row && rateOf({ input: row[1], cached_input: row[2], output: row[3] })
  }
}

/** Router names such as `openai/gpt-4o` (OpenRouter) are the same model. */
const rowOf = (model: string) => {
  const bare = model.slice(model.lastIndexOf('/') + 1)
  return TABLE.find(([glob]) => limitsModel(glob, bare))
}

/** By model. Clients choose the names, so the size is limited. */
const ceilings = new RecentMap<string, number | null>(1000)

/** Longest reply of a model, tokens; undefined if unknown. */
export function ceilingOf(model: string): number | undefined {
  let ceiling = ceilings.get(model)
  if (ceiling === undefined) {
    ceiling = rowOf(model)?.[4] ?? null
    ceilings.set(model, ceiling)
  }
  return ceiling ?? undefined
}

/** Writing to a cache costs what Anthropic takes for it, unless the operator says otherwise. */
function rateOf({ input, output, ...price }: Omit<BudgetOptions['prices'][number], 'model'>): Rate {
  const {
    cached_input: cached = input,
    cache_write_input: cacheWrite = 1.25 * input,
    cache_write_1h_input: cacheWriteHour = 2 * input,
  } = price
  return { input, cached, cacheWrite, cacheWriteHour, output }
}

/** The highest of each price, so that no provider that answers can cost more. */
export function dearest(rates: readonly Rate[]): Rate {
  const highest = (price: keyof Rate) => Math.max(0, ...rates.map((rate) => rate[price]))
  return {
    input: highest('input'),
    cached: highest('cached'),
    cacheWrite: highest('cacheWrite'),
    cacheWriteHour: highest('cacheWriteHour'),
    output: highest('output'),
  }
}
