/** Which upstreams may get a request of its label. */
import type { Verdict } from '../contract/plugin.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { Candidate } from '../upstreams/candidate.ts'
import { allowed } from '../upstreams/model-routes.ts'

/** Judged again for every attempt: the label may have risen. */
export const isAdmitted = (x: ChatExchange, candidate: Candidate): boolean =>
  allowed(candidate, candidate.afterRedaction ? x.residualLabel : x.label)

/** The candidates whose ceiling admits the request's label. */
export const admitted = (x: ChatExchange, candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter((candidate) => isAdmitted(x, candidate))

/** The verdict if no candidate admits the label. */
export function aboveCeiling(x: ChatExchange, candidates: readonly Candidate[]): Verdict {
  const ceilings = candidates.map(({ upstream, ceiling }) => `${upstream.name}: ${ceiling}`).join(', ')
  return {
    policy: 'max_classification',
    reason: `The request is classified ${x.label}, above what may leave for this model (${ceilings}).`,
  }
}
