import type { CheckTools, OptionProblem } from 'governed-gateway'
import { limitsModel, matchesGlob, unknownName } from 'governed-gateway/kit'
import type { BudgetOptions } from './limits.ts'
import { Prices } from './prices.ts'

export const check = (options: BudgetOptions, tools: CheckTools): OptionProblem[] => [
  ...unknownSelectors(options, tools),
  ...unknownPrices(options, tools),
]

/** Models of routes that a limit in dollars would refuse, because nobody said what they cost. */
function unknownPrices(options: BudgetOptions, { targets }: CheckTools): OptionProblem[] {
  if (options.unknown_price === 'allow') return []
  const prices = new Prices(options)
  const unknown = new Map(targets.filter((target) => prices.of(target) === undefined).map((one) => [one.model, one]))
  return options.limits.flatMap(({ unit, scope, match }, i) => {
    // Keys and teams of a `match` may use none of these models.
    if (unit !== 'usd' || (match !== undefined && scope !== 'model')) return []
    return [...unknown.values()]
      .filter(({ model }) => match === undefined || match.some((glob) => limitsModel(glob, model)))
      .map(({ model, upstream }) => {
        unknown.delete(model)
        const message = `no price is known of the model '${model}' at the upstream '${upstream}', so its requests are refused. Add it to prices`
        return { option: `limits[${i}].unit`, message, severity: 'warning' as const }
      })
  })
}

/** Reports limits and prices for names that the config lacks, because they would never apply. */
function unknownSelectors(
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
