/** Which of the upstreams that may answer a request it asks first. */
import { exceeds, type Level } from '../contract/labels.ts'
import type { Candidate } from './candidate.ts'

export interface Preferred {
  /** By priority. */
  readonly candidates: readonly Candidate[]
  /** Why, such as `label:RESTRICTED` or `cost`; undefined if the route decides alone. */
  readonly reason: string | undefined
}

/** @param candidates of one route, by priority, that the label admits */
export function prefer(candidates: readonly Candidate[], label: Level): Preferred {
  const plan = candidates[0]?.plan
  if (plan === undefined || (plan.prefer === undefined && !plan.cheapest)) return { candidates, reason: undefined }
  const rule = ruleFor(plan.prefer ?? [], label)
  const named = rule?.upstreams.filter((name) => candidates.some(({ upstream }) => upstream.name === name)) ?? []
  if (rule === undefined || named.length === 0) {
    return plan.cheapest
      ? { candidates: ranked(candidates, byCost), reason: 'cost' }
      : { candidates, reason: undefined }
  }
  const placeOf = ({ upstream: { name } }: Candidate) => (named.includes(name) ? named.indexOf(name) : named.length)
  const order: Order = (a, b) => placeOf(a) - placeOf(b) || (plan.cheapest ? byCost(a, b) : a.priority - b.priority)
  return { candidates: ranked(candidates, order), reason: `label:${rule.label}` }
}

type Rule = NonNullable<Candidate['plan']['prefer']>[number]
type Order = (a: Candidate, b: Candidate) => number

const ruleFor = (rules: readonly Rule[], label: Level): Rule | undefined =>
  rules
    .filter((rule) => !exceeds(rule.label, label))
    .reduce<Rule | undefined>(
      (best, rule) => (best === undefined || exceeds(rule.label, best.label) ? rule : best),
      undefined,
    )

const byCost: Order = (a, b) => a.priority - b.priority || compare(costOf(a), costOf(b))
const costOf = ({ upstream }: Candidate): number => upstream.config.cost ?? Number.POSITIVE_INFINITY
/** Infinity minus itself is no number. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b)

/** New priorities in this order; equal ones share a priority. */
function ranked(candidates: readonly Candidate[], order: Order): Candidate[] {
  let priority = -1
  let last: Candidate | undefined
  return candidates.toSorted(order).map((candidate) => {
    if (last === undefined || order(last, candidate) !== 0) priority++
    last = candidate
    return { ...candidate, priority }
  })
}
