import type { Family, Sign } from '../rules.ts'
import { shapeId } from '../shapes.ts'
import { likeness, trainedWeights } from './model.ts'

/** Number of the rule. */
const LIKENESS_RULE = 20_000
/** Weight of words that are certain by themselves, in a message and in a document, where signs count for more; and the most. */
const CERTAIN = [0.5, 0.42] as const
const MOST = 0.8

/** How a rule's sign counts less among words that are those of ordinary texts. */
interface Ordinary {
  /** Log-odds of the words around the sign from which on it counts in full. */
  readonly from: number
  /** What it loses for each of log-odds below. */
  readonly fall: number
  /** What stays at least. */
  readonly least: number
}
const IN_MESSAGE: Ordinary = { from: -5, fall: 0.2, least: 0.4 }
const IN_DOCUMENT: Ordinary = { from: 0, fall: 0.3, least: 0.4 }
/** Of what manuals of models and prompts in code say, too. */
const IN_MANUAL: Ordinary = { from: 0.5, fall: 0.5, least: 0.25 }
const OF_MANUALS: ReadonlySet<Family> = new Set([
  'prompt_extraction',
  'instruction_override',
  'persona_jailbreak',
  'refusal_suppression',
  'role_spoofing',
  'task_hijack',
])
/** Weight from which a sign in a document counts in full: an order to set instructions aside is one among any words. */
const EXPLICIT = 0.75

const rangeOf = ({ family }: Sign, document: boolean): Ordinary =>
  document ? (OF_MANUALS.has(family) ? IN_MANUAL : IN_DOCUMENT) : IN_MESSAGE

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
  within = 0,
): Sign[] {
  const kind = document ? 1 : 0
  const weights = trainedWeights()[kind]
  const like = likeness(text, weights, within)
  if (like === undefined) return [...signs]
  const weighed = signs.map((sign) =>
    (document && sign.weight >= EXPLICIT) || /^(?:mail|document)\/(?!call-the-tool)/.test(shapeId(sign.rule) ?? '')
      ? sign
      : { ...sign, weight: sign.weight * shareOf(like.around(sign.start), rangeOf(sign, document)) },
  )
  if (like.score <= weights.least) return weighed
  const { start, end, score } = like
  const weight = Math.min(MOST, (CERTAIN[kind] * (score - weights.least)) / (weights.sure - weights.least))
  return [...weighed, { rule: LIKENESS_RULE + kind, family: 'likeness', weight, start, end, place: placeOf(start) }]
}

const shareOf = (score: number, { from, fall, least }: Ordinary): number =>
  Math.max(least, Math.min(1, 1 + fall * (score - from)))

/** Name of the rule, for events. */
export const likenessId = (rule: number): string | undefined =>
  rule === LIKENESS_RULE ? 'words/message' : rule === LIKENESS_RULE + 1 ? 'words/document' : undefined
