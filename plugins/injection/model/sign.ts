import { type Family, isPhrase, type Sign } from '../rules.ts'
import { shapeId } from '../shapes.ts'
import { isWithin, promptLiterals } from './literals.ts'
import { type Likeness, likeness, trainedWeights } from './model.ts'

/** Number of the rule. */
const LIKENESS_RULE = 20_000
/** Weight of words that are certain by themselves, in a message and in a document, where signs count for more; and the most. */
const CERTAIN = [0.5, 0.44] as const
const MOST = 0.8

/** What words lose in log-odds that no rule's sign is near: people ask each other for much that attacks ask for, too. */
const ALONE = 2.5

/** How a rule's sign counts less among words that are those of ordinary texts. */
interface Ordinary {
  /** Log-odds of the words around the sign from which on it counts in full, in a text of any length. */
  readonly from: number
  /** What `from` is in a text of a few sentences, and rises by as its length doubles: of many windows some one has a sign. */
  readonly short?: number
  readonly rise?: number
  /** What the sign loses for each of log-odds below. */
  readonly fall: number
  /** What stays at least. */
  readonly least: number
}
const IN_MESSAGE: Ordinary = { short: -4, rise: 2, from: 0, fall: 0.2, least: 0.3 }
const IN_DOCUMENT: Ordinary = { from: 2.5, fall: 0.4, least: 0.4 }
/** Of what manuals of models and prompts in code say, too. */
const IN_MANUAL: Ordinary = { short: 1, rise: 0.5, from: 3, fall: 0.4, least: 0.25 }
/** Of forms of orders: their words are ordinary, so they count in full sooner. */
const OF_FORM: Ordinary = { short: -2, rise: 1, from: 2, fall: 0.2, least: 0.4 }
const OF_MANUALS: ReadonlySet<Family> = new Set([
  'prompt_extraction',
  'instruction_override',
  'persona_jailbreak',
  'refusal_suppression',
  'role_spoofing',
  'task_hijack',
])
/** Weight from which a sign counts in full: an order to set instructions aside is one among any words. */
const EXPLICIT = 0.75
const FORM = /^(?:mail|document)\/(?!call-the-tool)/
/** A rule's sign in a document counts for more among words that are surely those of attacks. */
const SURE = { from: 3.5, rise: 0.2, most: 1.6 } as const
/** No sign is certain. */
const MOST_OF_SIGN = 0.95

/** Syntax between the words of a phrase: a call, a name, a block, a member, a paragraph. Sentences have none. */
const SYNTAX = /\w\(|\w_\w|[={}]|":|\n\s*\n/
/** What such a phrase counts for, and the empty place of a template; in a message some more. */
const IN_SYNTAX = { message: 0.4, document: 0.3 } as const
const SLOT = 'message/prompt-slot'
/** A sentence does not continue in another paragraph, not even an explicit order. */
const PARAGRAPH = /\n\s*\n/
const OVER_PARAGRAPHS = 0.5

/** What counts within the prompts of a program: they are orders to a model, but to its own. */
const IN_LITERAL = { sign: 0.6, likeness: 0.3 } as const

/** Words of a sign and the words of a message that are like those of attacks are this near, and the sign has this weight. */
const NEAR = 160
const LEAST_BESIDE = 0.2

/** What a rule's sign counts for, by its form and the words around it. */
function shareOf(text: string, sign: Sign, document: boolean, like: Likeness, literals: () => Literals): number {
  const around = like.best(sign.start)
  const rise = document ? Math.max(1, Math.min(SURE.most, 1 + SURE.rise * (around - SURE.from))) : 1
  const phrase = isPhrase(sign.rule) ? text.slice(sign.start, sign.end) : ''
  if (sign.weight >= EXPLICIT) return rise * (PARAGRAPH.test(phrase) ? OVER_PARAGRAPHS : 1)
  const id = shapeId(sign.rule)
  const inLiteral = document && isWithin(literals(), sign.start, sign.end) ? IN_LITERAL.sign : 1
  if (id !== undefined && FORM.test(id)) {
    if (!document || id.startsWith('mail/')) return rise
    return rise * inLiteral * ordinary(around, like, OF_FORM)
  }
  const inSyntax = id === SLOT || SYNTAX.test(phrase) ? IN_SYNTAX[document ? 'document' : 'message'] : 1
  if (!document) return inSyntax * ordinary(around, like, IN_MESSAGE)
  const isOfManuals = OF_MANUALS.has(sign.family)
  // Manuals about prompts have the words of attacks on prompts.
  return (
    (isOfManuals ? ordinary(around, like, IN_MANUAL) : rise * ordinary(around, like, IN_DOCUMENT)) *
    inSyntax *
    inLiteral
  )
}

type Literals = ReturnType<typeof promptLiterals>

/**
 * Adds the window whose words are most like those of attacks, as a sign among others; in a message only near a rule's sign. A
 * rule's sign counts less among words that are those of ordinary texts, and in a document more among words that are surely
 * those of attacks; words that the model does not know change little. What is in the prompts of a program counts less.
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
  let found: Literals | undefined
  const literals = (): Literals => {
    found ??= promptLiterals(text)
    return found
  }
  const weighed = signs.map((sign) => ({
    ...sign,
    weight: Math.min(MOST_OF_SIGN, sign.weight * shareOf(text, sign, document, like, literals)),
  }))
  if (like.score <= weights.least) return weighed
  const { start, end, score } = like
  const place = placeOf(start)
  const isBeside = (sign: Sign): boolean => sign.weight >= LEAST_BESIDE && Math.abs(sign.place - place) <= NEAR
  const isAlone = !weighed.some(isBeside)
  if (!document && isAlone) return weighed
  const above = score - (isAlone ? ALONE : 0) - weights.least
  if (above <= 0) return weighed
  const share = isWithin(literals(), start, end) ? IN_LITERAL.likeness : 1
  const certainty = (CERTAIN[kind] * above) / (weights.sure - weights.least)
  const weight = share * Math.min(MOST, certainty)
  return [...weighed, { rule: LIKENESS_RULE + kind, family: 'likeness', weight, start, end, place }]
}

function ordinary(around: number, like: Likeness, { from, short = from, rise = 0, fall, least }: Ordinary): number {
  const full = Math.min(from, short + rise * like.doublings)
  return Math.max(least, Math.min(1, 1 + fall * (around - full)))
}

/** Name of the rule, for events. */
export const likenessId = (rule: number): string | undefined =>
  rule === LIKENESS_RULE ? 'words/message' : rule === LIKENESS_RULE + 1 ? 'words/document' : undefined
