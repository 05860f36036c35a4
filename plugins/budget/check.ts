import type { CheckTools, OptionProblem } from 'governed-gateway'
import { matchesGlob, unknownName } from 'governed-gateway/kit'
import type { BudgetOptions } from './limits.ts'

/** Reports limits and prices for names that the config lacks, because they would never apply. */
export function unknownSelectors(
  { limits, prices }: Pick<BudgetOptions, 'limits' | 'prices'>,
  { keys, teams, upstreams }: CheckTools,
): OptionProblem[] {
  const known = { key: keys, team: teams, model: undefined, global: undefined }
  const ofLimits = limits.flatMap(({ scope, match = [] }, i) =>
    match.flatMap((name, n) => unknownName(`limits[${i}].match[${n}]`, scope, name, known[scope], matchesGlob)),
  )
  const ofPrices = prices.flatMap(({ upstream }, i) =>
    upstream === undefined ? [] : unknownName(`prices[${i}].upstream`, 'upstream', upstream, upstreams),
  )
  return [...ofLimits, ...ofPrices]
}
