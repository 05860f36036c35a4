/** Order statistics for the report, and a seeded shuffle for the order of a round. */

/** The `q`-quantile (0 to 1) with linear interpolation; NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const low = sorted[Math.floor(at)]
  const high = sorted[Math.ceil(at)]
  if (low === undefined || high === undefined) return Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export interface Spread {
  median: number
  min: number
  max: number
  q1: number
  q3: number
}

export function spread(values: readonly number[]): Spread {
  return {
    median: median(values),
    min: quantile(values, 0),
    max: quantile(values, 1),
    q1: quantile(values, 0.25),
    q3: quantile(values, 0.75),
  }
}

/** A Fisher-Yates shuffle whose order depends only on the seed. */
export function shuffler(seed: number): <T>(items: readonly T[]) => T[] {
  let state = seed >>> 0
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return (items) => {
    const out = [...items]
    for (let i = out.length - 1; i > 0; i--) {
      const j = random(i + 1)
      const swapped = out[i]!
      out[i] = out[j]!
      out[j] = swapped
    }
    return out
  }
}
