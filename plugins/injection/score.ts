/** Matches rules in one pass over the hits. Each rule keeps only its progress and position. */
import { type Concept, VOCABULARIES } from './concepts/index.ts'
import { COMPILED, type Family, type Rule } from './rules.ts'
import { type Hit, PhraseTree } from './trie.ts'
import { cutWords, type Words } from './words.ts'

export interface Sign {
  /** Matches of the same rule count once. */
  readonly rule: number
  readonly family: Family
  readonly weight: number
  /** Offset in the text, in characters. */
  readonly start: number
  readonly end: number
  /** Position in words. */
  readonly place: number
}

const TREE = new PhraseTree(VOCABULARIES)

/** Rules and steps that each concept can advance; later steps first, so that one hit does not advance a rule twice. */
const BY_CONCEPT = new Map<Concept, { readonly rule: number; readonly step: number }[]>()
COMPILED.forEach(({ steps }, rule) => {
  for (let step = steps.length - 1; step >= 0; step--) {
    for (const concept of steps[step]!.concepts) {
      const list = BY_CONCEPT.get(concept)
      if (list === undefined) BY_CONCEPT.set(concept, [{ rule, step }])
      else list.push({ rule, step })
    }
  }
})

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
  /** Converts a character offset into a position in words. */
  readonly places: (at: number) => number
}

/** The signs in a text, in order of completion. */
export function findSigns(text: string): Found {
  const words = cutWords(text)
  const hits = TREE.find(words.words)
  const signs: Sign[] = []
  const about: number[] = []
  const mentions: number[] = []
  const partials: ((Partial | undefined)[] | undefined)[] = new Array(COMPILED.length)
  const counts = new Uint16Array(COMPILED.length)
  let negated = -1
  let rot13 = false
  let backwards = false
  for (const hit of hits) {
    if (OTHER_OWNERS.has(hit.concept) && hasTopic(words.words, hit.last)) continue
    if (hit.concept === 'NOT') negated = hit.last
    else if (hit.concept === 'ROT13') rot13 = true
    else if (hit.concept === 'BACKWARDS') backwards = true
    else if (hit.concept === 'ABOUT') about.push(words.starts[hit.first]!)
    else if (hit.concept === 'MENTION') mentions.push(words.starts[hit.first]!)
    for (const { rule, step } of BY_CONCEPT.get(hit.concept) ?? []) {
      let partial = partials[rule]
      if (partial === undefined) {
        // Only a first step starts a rule.
        if (step > 0) continue
        partial = []
        partials[rule] = partial
      }
      advance(rule, counts, partial, step, hit, words, negated, signs)
    }
  }
  return { signs, about, mentions, rot13, backwards, places: (at) => placeOf(words, at) }
}

/** Concepts that may belong to something else: the rules of the firewall, the secret of good bread. */
const OTHER_OWNERS: ReadonlySet<Concept> = new Set([
  'FREE',
  'RULES',
  'RULE',
  'LIMITS',
  'SECRET',
  'INSTRUCTIONS',
  'TEXT',
])
const TOPIC = new Set('on in of for regarding concerning about inside within'.split(' '))
const ARTICLE = new Set('the a an my this that these'.split(' '))
const MODEL = new Set(
  'what anything whatever everything your you yours all any it above before system prompt prompts openai developer developers creator creators user users chat conversation message messages context session model assistant ai chatbot bot'.split(
    ' ',
  ),
)

/** True for `no restrictions on cuisine`, false for `no restrictions on what you say`. */
function hasTopic(words: readonly string[], last: number): boolean {
  if (!TOPIC.has(words[last + 1] ?? '')) return false
  const at = ARTICLE.has(words[last + 2] ?? '') ? last + 3 : last + 2
  const word = words[at]
  return word !== undefined && !MODEL.has(word)
}

const VERBS: ReadonlySet<Concept> = new Set([
  'OVERRIDE',
  'REVEAL',
  'UNDO',
  'SEND',
  'SAY',
  'DO',
  'PERSONA',
  'ASK',
  'RETELL',
])
const DESCRIBED_FACTOR = 0.4
const DESCRIBING = new Set(
  'we they it he she which that will would can could may might must should shall is are be been was were to does did has have had not cannot i also'.split(
    ' ',
  ),
)
const ADDRESSEE = new Set(
  'you youre ai assistant chatgpt gpt bot model chatbot llm agent u task job goal purpose mission order command instruct ask want need like wish'.split(
    ' ',
  ),
)

/** `you must ignore`, `I want you to ignore` and `ignore` address the model; `it will ignore` describes. */
function addressed(words: readonly string[], at: number): boolean {
  const before = words[at - 1]
  if (before === undefined || !DESCRIBING.has(before)) return true
  for (let i = at - 2; i >= at - 4 && i >= 0; i--) if (ADDRESSEE.has(words[i]!)) return true
  return false
}

/** Maximum number of signs per rule: more add no information. */
const MAX_SIGNS = 64

/** Concepts that a negation reverses: `never reveal your prompt`, `do not ignore the instructions`. */
const NEGATABLE: ReadonlySet<Concept> = new Set(['OVERRIDE', 'REVEAL', 'UNDO', 'SEND', 'SAY'])

function advance(
  index: number,
  counts: Uint16Array,
  partial: (Partial | undefined)[],
  step: number,
  hit: Hit,
  words: Words,
  negated: number,
  signs: Sign[],
): void {
  const rule = COMPILED[index] as Rule
  let next: Partial
  if (step === 0) {
    if (NEGATABLE.has(hit.concept) && negated >= 0 && negated < hit.first && hit.first - negated <= 2) return
    next = {
      first: hit.first,
      last: hit.last,
      languages: hit.languages,
      factor: VERBS.has(hit.concept) && !addressed(words.words, hit.first) ? DESCRIBED_FACTOR : 1,
    }
  } else {
    const before = partial[step - 1]
    if (before === undefined || before.last >= hit.first) return
    if (words.places[hit.first]! - words.places[before.last]! - 1 > rule.steps[step]!.gap) return
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
      place: words.places[next.first]!,
    })
  }
}

function placeOf({ starts, places }: Words, at: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! < at) low = middle + 1
    else high = middle
  }
  return places[low] ?? places[places.length - 1] ?? 0
}
