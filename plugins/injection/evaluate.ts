/** Combines signs into a score from 0 to 1, and discounts texts about attacks. */
import { type Hidden, hiddenTexts } from './decode.ts'
import { likenessId } from './model/sign.ts'
import type { Family, Sign } from './rules.ts'
import { type Found, findSigns } from './score.ts'
import { shapeId } from './shapes.ts'
import { valuesOf } from './values.ts'
import { LONGEST_AT_ONCE } from './words.ts'

export interface Assessment {
  readonly score: number
  /** The family with the highest weight. */
  readonly family: Family
  /** Families in the window, highest weight first. */
  readonly families: readonly Family[]
  /** Ids of the rules in the window that have one. */
  readonly rules: readonly string[]
  readonly start: number
  readonly end: number
}

/** Signs within this many words count together. */
const WINDOW = 160
/** Factor for each further rule of a family: it confirms the first more than it adds. */
const REPEATED_FACTOR = 0.35
/** Factors for signs in a text about attacks: inside quotes, and outside. */
const QUOTED_FACTOR = 0.15
const DISCUSSED_FACTOR = 0.6
const MIN_HIDDEN_SCORE = 0.45
/** Most that the names of a model, its prompt and its roles weigh in a fetched or long text, all together: manuals are full of them. */
const MOST_OF_NAMES = 0.3
/** Characters from which on a message is long: it has pages of a manual, or code. */
const LONG = 1500
/** Below this weight of its origin a text is judged by rules alone: an operator's message is full of instructions. */
const LEAST_SUSPICION = 0.5

/** Factor for the weight of an origin in one value of many, of which some one looks like an attack. */
const VALUE_FACTOR = 0.75
/** Characters that the values of a record are taken to have at least, together: a short one alone is no evidence. */
const LEAST_OF_VALUES = 600
const CHARACTERS_OF_WORD = 6
/** Share of a text from which on a value is nearly all of it, and judged with it. */
const NEARLY_ALL = 7 / 8

/** Where a text comes from. */
export interface Origin {
  /** How suspicious that is; 1 keeps the weights of the rules. */
  readonly weight: number
  /** Whether signs count less that are normal for users, such as requests to use tools or send data. Default true. */
  readonly isUser?: boolean
  /** Whether it is the end of one text and the start of another. Their words together are nobody's wording. Default false. */
  readonly isBorder?: boolean
}

export function evaluate(text: string, origin: Origin): Assessment | undefined {
  const steps = evaluateInSteps(text, origin)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** As `evaluate`, for long texts: a step takes a millisecond or two for 100,000 characters. */
export function* evaluateInSteps(
  text: string,
  { weight, isUser = true, isBorder = false }: Origin,
): Generator<undefined, Assessment | undefined> {
  const found = yield* findSigns(text, !isUser, !isBorder && weight >= LEAST_SUSPICION)
  const weighed = weigh(text, found)
  const signs = isUser ? weighed.map(asUser) : weighed
  yield
  for (const hidden of hiddenTexts(text, found)) {
    yield
    const inner = strongest(weigh(hidden.text, yield* findSigns(hidden.text, false, false)), 1, false)
    if (inner === undefined || inner.score < MIN_HIDDEN_SCORE || isPlain(text, hidden, inner)) continue
    signs.push({
      rule: -1,
      family: 'obfuscation',
      weight: Math.min(0.95, inner.score + 0.1),
      start: hidden.start,
      end: hidden.end,
      place: 0,
    })
  }
  const whole = strongest(signs, weight, !isUser || text.length > LONG)
  return isUser || isBorder ? whole : yield* withValues(text, weight, whole)
}

/** Whether the words that were found stand in the text itself, without the signs for letters that make others of it. */
const isPlain = (text: string, hidden: Hidden, { start, end }: Assessment): boolean =>
  hidden.isRespelt === true && hidden.text.slice(start, end) === text.slice(start, end)

/** The strongest of what was found in a fetched text and in each value of its records. */
function* withValues(
  text: string,
  weight: number,
  whole: Assessment | undefined,
): Generator<undefined, Assessment | undefined> {
  let best = whole
  let room = LONGEST_AT_ONCE
  const values = valuesOf(text)
  const length = values.reduce((sum, value) => sum + value.text.length, 0)
  const words = Math.max(LEAST_OF_VALUES, length) / CHARACTERS_OF_WORD
  for (const value of values) {
    if (value.text.length > text.length * NEARLY_ALL) continue
    room -= value.text.length
    if (room < 0) {
      yield
      room = LONGEST_AT_ONCE
    }
    const found = yield* findSigns(value.text, true, weight >= LEAST_SUSPICION, words)
    const own = strongest(weigh(value.text, found), weight * VALUE_FACTOR, true)
    if (own !== undefined && own.score > (best?.score ?? 0))
      best = { ...own, start: own.start + value.start, end: own.end + value.start }
  }
  return best
}

const USER_MAY: ReadonlySet<Family> = new Set(['indirect_instruction', 'tool_abuse', 'data_exfiltration'])
const asUser = (sign: Sign): Sign => (USER_MAY.has(sign.family) ? { ...sign, weight: sign.weight * 0.75 } : sign)

function weigh(text: string, { signs, about, mentions }: Found): Sign[] {
  const all = signs.sort((a, b) => a.start - b.start)
  if (all.length === 0 || (about.length === 0 && mentions.length === 0)) return all
  const quotes = quotedSpans(text)
  return all.map((sign) => ({ ...sign, weight: sign.weight * discount(sign, quotes, about, mentions) }))
}

/** Lowers the weight of signs in texts that quote or discuss prompt injection. */
function discount(
  sign: Sign,
  quotes: readonly (readonly [number, number])[],
  about: readonly number[],
  mentions: readonly number[],
): number {
  const quoted = quotes.some(([start, end]) => sign.start >= start && sign.end <= end)
  if (quoted && (about.length > 0 || mentions.some((at) => at < sign.start && sign.start - at < 160)))
    return QUOTED_FACTOR
  return about.length > 0 ? DISCUSSED_FACTOR : 1
}

const QUOTES =
  /"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”\n]{1,400}[“”]|「[^」\n]{1,400}」|`[^`\n]{1,400}`|(?<![\p{L}\p{N}])'[^'\n]{1,400}'(?![\p{L}\p{N}])/gu

const quotedSpans = (text: string): (readonly [number, number])[] =>
  [...text.matchAll(QUOTES)].map((match) => [match.index, match.index + match[0].length] as const)

/** The window with the highest score. */
function strongest(signs: readonly Sign[], factor: number, isOfManuals: boolean): Assessment | undefined {
  let best: Assessment | undefined
  for (let i = 0; i < signs.length; i++) {
    // Skip windows that begin close after the previous sign: an earlier window has their signs.
    if (i > 0 && signs[i]!.place - signs[i - 1]!.place < WINDOW / 8 && i % 8 !== 0) continue
    const window = []
    for (let j = i; j < signs.length && window.length < 64 && signs[j]!.place - signs[i]!.place <= WINDOW; j++)
      window.push(signs[j]!)
    const assessment = combine(isOfManuals ? withoutNames(window) : window, factor)
    if (assessment !== undefined && (best === undefined || assessment.score > best.score)) best = assessment
  }
  return best
}

/** Of signs that only name something the strongest, and that not in full. */
function withoutNames(window: readonly Sign[]): readonly Sign[] {
  let named: Sign | undefined
  for (const sign of window) if (sign.names === true && sign.weight > (named?.weight ?? 0)) named = sign
  if (named === undefined) return window
  const others = window.filter(({ names }) => names !== true)
  return [...others, { ...named, weight: Math.min(MOST_OF_NAMES, named.weight) }]
}

function combine(window: readonly Sign[], factor: number): Assessment | undefined {
  const byFamily = new Map<Family, Map<number, number>>()
  for (const { family, rule, weight } of window) {
    const rules = byFamily.get(family) ?? new Map<number, number>()
    byFamily.set(family, rules)
    rules.set(rule, Math.max(weight, rules.get(rule) ?? 0))
  }
  const ranked = [...byFamily]
    .map(([family, rules]) => ({ family, weight: familyWeight([...rules.values()]) }))
    // What a rule found says more than that words are alike.
    .sort((a, b) => Number(a.family === 'likeness') - Number(b.family === 'likeness') || b.weight - a.weight)
  const top = ranked[0]
  if (top === undefined) return undefined
  let miss = 1
  for (const { weight } of ranked) miss *= 1 - weight
  const lead = window.filter(({ family }) => family === top.family).sort((a, b) => b.weight - a.weight)[0]!
  return {
    score: 1 - miss ** factor,
    family: top.family,
    families: ranked.map(({ family }) => family),
    rules: [...new Set(window.flatMap(({ rule }) => shapeId(rule) ?? likenessId(rule) ?? []))],
    start: lead.start,
    end: lead.end,
  }
}

function familyWeight(weights: readonly number[]): number {
  const sorted = [...weights].sort((a, b) => b - a)
  let miss = 1 - sorted[0]!
  for (let i = 1; i < Math.min(sorted.length, 4); i++) miss *= 1 - sorted[i]! * REPEATED_FACTOR ** i
  return 1 - miss
}
