import type { Sign } from '../rules.ts'
import { shapeId } from '../shapes.ts'
import { likeness, trainedWeights } from './model.ts'

/** Number of the rule. */
const LIKENESS_RULE = 20_000
/** Weight of words that are certain by themselves, in a message and in a document, where signs count for more; and the most. */
const CERTAIN = [0.5, 0.42] as const
const MOST = 0.8

/** Log-odds of the words around a rule's sign from which on the sign counts in full, in a message and in a document. */
const ORDINARY = [-5, 0] as const
/** What it loses for each of log-odds below, and what stays at least. */
const FALL = [0.2, 0.3] as const
const LEAST_SHARE = 0.4

/**
 * Adds the window whose words are most like those of attacks, as a sign among others. A rule's sign counts less among words
 * that are those of ordinary texts; words that the model does not know change little. Forms of orders in
 * documents and mails count in full: their words are ordinary. Not so the call of a tool by its name, of which manuals are full.
 */
export function withLikeness(
  text: string,
  document: boolean,
  signs: readonly Sign[],
  placeOf: (at: number) => number,
): Sign[] {
  const kind = document ? 1 : 0
  const weights = trainedWeights()[kind]
  const like = likeness(text, weights)
  if (like === undefined) return [...signs]
  const weighed = signs.map((sign) =>
    /^(?:mail|document)\/(?!call-the-tool)/.test(shapeId(sign.rule) ?? '')
      ? sign
      : { ...sign, weight: sign.weight * shareOf(like.around(sign.start), kind) },
  )
  if (like.score <= weights.least) return weighed
  const { start, end, score } = like
  const weight = Math.min(MOST, (CERTAIN[kind] * (score - weights.least)) / (weights.sure - weights.least))
  return [...weighed, { rule: LIKENESS_RULE + kind, family: 'likeness', weight, start, end, place: placeOf(start) }]
}

const shareOf = (score: number, kind: 0 | 1): number =>
  Math.max(LEAST_SHARE, Math.min(1, 1 + FALL[kind] * (score - ORDINARY[kind])))

/** Name of the rule, for events. */
export const likenessId = (rule: number): string | undefined =>
  rule === LIKENESS_RULE ? 'words/message' : rule === LIKENESS_RULE + 1 ? 'words/document' : undefined
