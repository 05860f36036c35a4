import { type Family, isPhrase, type Sign } from '../rules.ts'
import { shapeId } from '../shapes.ts'
import { likeness, trainedWeights } from './model.ts'

/** Number of the rule. */
const LIKENESS_RULE = 20_000
/** Weight of words that are certain by themselves, in a message and in a document, where signs count for more; and the most. */
const CERTAIN = [0.5, 0.44] as const
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
const IN_DOCUMENT: Ordinary = { from: 2.5, fall: 0.4, least: 0.4 }
/** Of what manuals of models and prompts in code say, too. */
const IN_MANUAL: Ordinary = { from: 2, fall: 0.4, least: 0.25 }
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
const FORM = /^(?:mail|document)\/(?!call-the-tool)/
/** A rule's sign in a document counts for more among words that are surely those of attacks. */
const SURE = { from: 3.5, rise: 0.2, most: 1.6 } as const
/** No sign is certain. */
const MOST_OF_SIGN = 0.95

/** Syntax between the words of a phrase: a call, a name, a block, a member, a paragraph. Sentences have none. */
const SYNTAX = /\w\(|\w_\w|[={}]|":|\n\s*\n/
/** What such a phrase counts for, and the empty place of a template. */
const IN_SYNTAX = 0.3
const SLOT = 'message/prompt-slot'

/** What a rule's sign in a document counts for, by the words around it. */
function shareInDocument(text: string, sign: Sign, around: number): number {
  const sure = Math.max(1, Math.min(SURE.most, 1 + SURE.rise * (around - SURE.from)))
  if (sign.weight >= EXPLICIT) return sure
  const id = shapeId(sign.rule)
  // Their words are ordinary.
  if (id !== undefined && FORM.test(id)) return sure
  const isSyntax = id === SLOT || (isPhrase(sign.rule) && SYNTAX.test(text.slice(sign.start, sign.end)))
  return sure * shareOf(around, OF_MANUALS.has(sign.family) ? IN_MANUAL : IN_DOCUMENT) * (isSyntax ? IN_SYNTAX : 1)
}

/**
 * Adds the window whose words are most like those of attacks, as a sign among others. A rule's sign counts less among words
 * that are those of ordinary texts, and in a document more among words that are surely those of attacks; words that the model
 * does not know change little. Forms of orders in documents and mails never count less: their words are ordinary. Not so the
 * call of a tool by its name, of which manuals are full.
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
  const weighed = signs.map((sign) => {
    if (document)
      return {
        ...sign,
        weight: Math.min(MOST_OF_SIGN, sign.weight * shareInDocument(text, sign, like.best(sign.start))),
      }
    return FORM.test(shapeId(sign.rule) ?? '')
      ? sign
      : { ...sign, weight: sign.weight * shareOf(like.around(sign.start), IN_MESSAGE) }
  })
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
