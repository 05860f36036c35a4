/** Matches rules in one pass over the hits. Each rule keeps only its progress and position. */
import { type Concept, VOCABULARIES } from './concepts/index.ts'
import { GUARD_SETS, isApart, isForbidden, isGuarded, isReported } from './guards.ts'
import { LEADS } from './leads.ts'
import type { WordClass, WordSets } from './lexicon.ts'
import { findMarks } from './markup.ts'
import { withLikeness } from './model/sign.ts'
import { COMPILED, type Rule, type Sign } from './rules.ts'
import { findShapes } from './shapes.ts'
import { type Hit, PhraseTree } from './trie.ts'
import { cutWords, LONGEST_AT_ONCE, type Words } from './words.ts'

/** What a concept means for rules. */
interface Meaning {
  /** Number of the concept. */
  readonly id: number
  /**
   * Rules and steps that it can advance, in pairs; later steps of a rule first, so that one hit does not advance it twice.
   */
  readonly advances: Int32Array
  /** It may belong to something else: the rules of the firewall, the secret of good bread. */
  readonly mayBeOthers: boolean
  /** Its last word may belong to the next: your prompt attention, the above copyright notice. */
  readonly mayQualify: boolean
  /** A negation reverses it: `never reveal your prompt`, `do not ignore the instructions`. */
  readonly isNegatable: boolean
  readonly isVerb: boolean
  /** It names what a prompt may guard. */
  readonly isGuardable: boolean
  /** What it means beside the rules. */
  readonly special: 'NOT' | 'ROT13' | 'BACKWARDS' | 'ABOUT' | 'MENTION' | undefined
}

const OTHER_OWNERS: readonly Concept[] = ['FREE', 'RULES', 'RULE', 'LIMITS', 'SECRET', 'INSTRUCTIONS', 'TEXT']
const QUALIFYING: readonly Concept[] = ['INSTRUCTIONS', 'OWN_PROMPT', 'ABOVE']
const NEGATABLE: readonly Concept[] = ['OVERRIDE', 'REVEAL', 'UNDO', 'SEND', 'SAY']
const VERBS: readonly Concept[] = ['OVERRIDE', 'REVEAL', 'UNDO', 'SEND', 'SAY', 'DO', 'PERSONA', 'ASK', 'RETELL']
const GUARDABLE: readonly Concept[] = ['YOUR', 'OWN_PROMPT', 'SYSTEM_PROMPT', 'INSTRUCTIONS', 'RULES', 'LIMITS']
const SPECIAL = ['NOT', 'ROT13', 'BACKWARDS', 'ABOUT', 'MENTION'] as const

const numbers = new Map<Concept, number>()
function numberOf(concept: Concept): number {
  const number = numbers.get(concept) ?? numbers.size
  numbers.set(concept, number)
  return number
}

const meanings = new Map<Concept, Meaning>()
function meaningOf(concept: Concept): Meaning {
  let meaning = meanings.get(concept)
  if (meaning === undefined) {
    meaning = {
      id: numberOf(concept),
      advances: Int32Array.from(
        COMPILED.flatMap(({ steps }, rule) =>
          steps.flatMap(({ concepts }, step) => (concepts.has(concept) ? [[rule, step]] : [])).reverse(),
        ).flat(),
      ),
      mayBeOthers: OTHER_OWNERS.includes(concept),
      mayQualify: QUALIFYING.includes(concept),
      isNegatable: NEGATABLE.includes(concept),
      isVerb: VERBS.includes(concept),
      isGuardable: GUARDABLE.includes(concept),
      special: SPECIAL.find((one) => one === concept),
    }
    meanings.set(concept, meaning)
  }
  return meaning
}

/** Make the tables that the first text needs, in some 20 ms each. */
export const PREPARATIONS: readonly (() => void)[] = [() => void LEADS.prepare(), () => void TREE.lexicon]

export const isPrepared = (): boolean => LEADS.isPrepared && TREE.isPrepared

interface Partial {
  readonly first: number
  readonly last: number
  readonly languages: number
  /** Below 1 if the first verb describes an action instead of requesting it. */
  readonly factor: number
}

export interface Found {
  readonly signs: Sign[]
  /** Positions where the text discusses attacks, and where it introduces an example. */
  readonly about: readonly number[]
  readonly mentions: readonly number[]
  /** The text has typical words in rot13, or backwards. */
  readonly rot13: boolean
  readonly backwards: boolean
}

/**
 * The signs in a text: those of words in order of completion, then the others. Long texts take several steps.
 *
 * @param document whether the text was fetched: nobody may instruct the model from there
 * @param likened whether the model of words is asked, too
 * @param within words of the text that it is a value of
 */
export function* findSigns(text: string, document = false, likened = true, within = 0): Generator<undefined, Found> {
  const isLong = text.length > LONGEST_AT_ONCE
  const words = yield* cutWords(text, TREE.lexicon)
  if (isLong) yield
  const hits = TREE.find(words)
  if (isLong) yield
  const found = match(words, hits)
  if (isLong) yield
  const place = (at: number): number => placeOf(words, at)
  const leads = LEADS.in(text)
  found.signs.push(...findMarks(text, place, leads))
  // Other texts may be read in between.
  if (isLong) yield
  found.signs.push(...findShapes(text, document, place, isLong ? LEADS.in(text) : leads))
  if (isLong) yield
  // Nobody instructs from a document. A user's words need a rule's sign beside them, be it a weak one.
  if (!likened || (!document && found.signs.length === 0)) return found
  return { ...found, signs: withLikeness(text, document, found.signs, place, within) }
}

function match(words: Words, hits: readonly Hit<Meaning>[]): Found {
  const signs: Sign[] = []
  const about: number[] = []
  const mentions: number[] = []
  const text = ++texts
  const mayComplete = canComplete(hits, text)
  const guard: Guard = { negation: -1, by: -1, verb: -1 }
  let rot13 = false
  let backwards = false
  for (const hit of hits) {
    const { meaning } = hit
    if (meaning.mayBeOthers && hasTopic(words, hit.last)) continue
    if (meaning.mayQualify && qualifiesNext(words, hit.last)) continue
    if (meaning.special !== undefined) {
      if (meaning.special === 'NOT') guard.negation = hit.last
      else if (meaning.special === 'ROT13') rot13 = true
      else if (meaning.special === 'BACKWARDS') backwards = true
      else if (meaning.special === 'ABOUT') about.push(words.starts[hit.first]!)
      else mentions.push(words.starts[hit.first]!)
    }
    if (!mayComplete) continue
    const { advances } = meaning
    const share = shareOf(words, hit, guard)
    for (let i = 0; i < advances.length; i += 2) {
      const rule = advances[i]!
      const step = advances[i + 1]!
      if (started[rule] !== text) {
        // Only a first step starts a rule.
        if (step > 0) continue
        started[rule] = text
        counts[rule] = 0
        partials[rule]!.fill(undefined)
      }
      advance(rule, partials[rule]!, step, hit, share, words, guard, signs)
    }
  }
  return { signs, about, mentions, rot13, backwards }
}

/** Numbers of the concepts of each rule, by step. */
const STEPS = COMPILED.map(({ steps }) => steps.map(({ concepts }) => Int32Array.from(concepts, numberOf)))
/** Rules that end with a concept, by its number. */
const ENDING: readonly number[][] = Array.from({ length: numbers.size }, () => [])
for (const [rule, steps] of STEPS.entries()) for (const id of new Set(steps.at(-1))) ENDING[id]?.push(rule)
const CONCEPTS = numbers.size + new Set(VOCABULARIES.flatMap((phrases) => Object.keys(phrases))).size
/** By number of a concept: the last text that has it, and its first and last hit there. */
const seenIn = new Float64Array(CONCEPTS)
const firstHit = new Int32Array(CONCEPTS)
const lastHit = new Int32Array(CONCEPTS)

/** Whether any rule may complete: for each step a hit that is before one of the next step. Most texts have none. */
function canComplete(hits: readonly Hit<Meaning>[], text: number): boolean {
  for (let at = 0; at < hits.length; at++) {
    const { id } = (hits[at] as Hit<Meaning>).meaning
    if (seenIn[id] !== text) {
      seenIn[id] = text
      firstHit[id] = at
    }
    lastHit[id] = at
  }
  for (let at = 0; at < hits.length; at++) {
    const { id } = (hits[at] as Hit<Meaning>).meaning
    const rules = ENDING[id]
    if (rules === undefined || lastHit[id] !== at) continue
    for (let i = 0; i < rules.length; i++)
      if (isReached(STEPS[rules[i] as number] as readonly Int32Array[], at, text)) return true
  }
  return false
}

/** Whether hits of all other steps may stand before the last one. */
function isReached(steps: readonly Int32Array[], last: number, text: number): boolean {
  let before = last
  for (let step = steps.length - 2; step >= 0; step--) {
    const ids = steps[step] as Int32Array
    let first = before
    let latest = -1
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] as number
      if (seenIn[id] !== text) continue
      first = Math.min(first, firstHit[id] as number)
      latest = Math.max(latest, lastHit[id] as number)
    }
    if (first === before) return false
    before = Math.min(latest, before - 1)
  }
  return true
}

/** Sets of words, as bits. */
const TOPIC = 1
const ARTICLE = 2
const MODEL = 4
const DESCRIBING = 8
const ADDRESSEE = 16
const QUALIFIER = 32
const QUALIFIED = 64
const TO = 2048
const SETS: WordSets = [
  [TOPIC, 'on in of for regarding concerning about inside within'],
  [ARTICLE, 'the a an my this that these'],
  [
    MODEL,
    'what anything whatever everything your you yours all any it above before system prompt prompts openai developer developers creator creators user users chat conversation message messages context session model assistant ai chatbot bot',
  ],
  [
    DESCRIBING,
    'we they it he she which that will would can could may might must should shall is are be been was were to does did has have had not cannot i also',
  ],
  [
    ADDRESSEE,
    'you youre ai assistant chatgpt gpt bot model chatbot llm agent u task job goal purpose mission order command instruct ask want need like wish',
  ],
  [QUALIFIER, 'prompt above'],
  ...GUARD_SETS,
  [TO, 'to into'],
  [QUALIFIED, 'attention reply response payment delivery action handling consideration copyright copyrights'],
]
const TREE = new PhraseTree(VOCABULARIES, SETS, meaningOf)

const setsOf = ({ classes, count }: Words, at: number): number =>
  at >= 0 && at < count ? (TREE.lexicon.classes[classes[at] as number] as WordClass).sets : 0
const isIn = (set: number, words: Words, at: number): boolean => (setsOf(words, at) & set) !== 0

/** True for `no restrictions on cuisine`, false for `no restrictions on what you say`. */
function hasTopic(words: Words, last: number): boolean {
  if (!isIn(TOPIC, words, last + 1)) return false
  const at = isIn(ARTICLE, words, last + 2) ? last + 3 : last + 2
  return at < words.count && !isIn(MODEL, words, at)
}

/** True for `your prompt attention` and `the above copyright notice`, one blank apart. */
const qualifiesNext = (words: Words, last: number): boolean =>
  isIn(QUALIFIER, words, last) &&
  isIn(QUALIFIED, words, last + 1) &&
  (words.starts[last + 1] as number) - (words.ends[last] as number) === 1

/** What is forbidden so far. */
interface Guard {
  /** The last word of the last negation. */
  negation: number
  /** The last forbidden or reported verb, and the negation that forbids it, or -1. */
  verb: number
  by: number
}

const DESCRIBED_FACTOR = 0.4
const REPORTED_FACTOR = 0.4
const GUARDED_FACTOR = 0.3

/** What a hit counts for as the first of a rule; 0 if it is forbidden. */
function shareOf(words: Words, { first, meaning }: Hit<Meaning>, guard: Guard): number {
  if (meaning.isNegatable && isForbidden(words, guard.negation, first, isIn)) {
    guard.verb = first
    guard.by = guard.negation
    return 0
  }
  if (meaning.isGuardable && isGuarded(words, guard.verb, first)) return GUARDED_FACTOR
  if (!meaning.isVerb) return 1
  if (!addressed(words, first)) return DESCRIBED_FACTOR
  if (!isReported(words, first, isIn, (at) => isIn(TO, words, at))) return 1
  guard.verb = first
  guard.by = -1
  return REPORTED_FACTOR
}

/** `you must ignore`, `I want you to ignore` and `ignore` address the model; `it will ignore` describes. */
function addressed(words: Words, at: number): boolean {
  if (!isIn(DESCRIBING, words, at - 1)) return true
  for (let i = at - 2; i >= at - 4; i--) if (isIn(ADDRESSEE, words, i)) return true
  return false
}

/** Number of the text at hand. */
let texts = 0
/** The last text in which each rule had its first step. */
const started = new Float64Array(COMPILED.length)
/** By rule and step, for that text. */
const partials: readonly (Partial | undefined)[][] = COMPILED.map(({ steps }) => steps.map(() => undefined))
/** Signs of each rule in that text. */
const counts = new Uint32Array(COMPILED.length)
/** Maximum number of signs per rule: more add no information. */
const MAX_SIGNS = 64

function advance(
  index: number,
  partial: (Partial | undefined)[],
  step: number,
  hit: Hit<Meaning>,
  share: number,
  words: Words,
  guard: Guard,
  signs: Sign[],
): void {
  const rule = COMPILED[index] as Rule
  let next: Partial
  if (step === 0) {
    if (share === 0) return
    next = { first: hit.first, last: hit.last, languages: hit.languages, factor: share }
  } else {
    const before = partial[step - 1]
    if (before === undefined || before.last >= hit.first) return
    if (words.places[hit.first]! - words.places[before.last]! - 2 > 2 * rule.steps[step]!.gap) return
    if (rule.family === 'instruction_override' && isOfGuard(words, before.last, hit, guard)) return
    const languages = before.languages & hit.languages
    if (languages === 0) return
    next = { ...before, last: hit.last, languages }
  }
  partial[step] = next
  if (step < rule.steps.length - 1) return
  counts[index]!++
  if (counts[index]! <= MAX_SIGNS) {
    signs.push({
      rule: index,
      family: rule.family,
      weight: rule.weight * next.factor,
      start: words.starts[next.first]!,
      end: words.ends[next.last]!,
      place: words.places[next.first]! / 2,
      names: rule.names,
    })
  }
}

/** Whether a negation between two steps is that of a forbidden verb, or begins another sentence. */
const isOfGuard = (words: Words, before: number, { first, meaning }: Hit<Meaning>, guard: Guard): boolean =>
  (guard.by >= 0 && guard.by === before && guard.verb < first) ||
  (meaning.special === 'NOT' && isApart(words, before, first))

function placeOf({ starts, places, count }: Words, at: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! < at) low = middle + 1
    else high = middle
  }
  return count === 0 ? 0 : (places[Math.min(low, count - 1)] as number) / 2
}
