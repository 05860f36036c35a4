import type { Detector, Hit } from '../engine/detector.ts'
import { organisationName, personName, placeName } from './kinds.ts'
import { trainedWeights } from './model.ts'
import { isIntroduced, LINK, mayIntroduce } from './private.ts'
import type { Run } from './runs.ts'
import { CONTEXT, LINK_REACH, type Name, Tagger } from './tagger.ts'

/** What of the names is looked for. */
export type Scope = 'personal' | 'all'

/** Characters before a text on which its names depend. */
export const NAME_CONTEXT = CONTEXT
/** Taken from the score of ordinary words, so that more names are found than missed. */
export const CAUTION = 0.5
/** Confidence of a name: the tagger is right in nine of ten. */
const SCORE = 0.85
const KIND: Readonly<Record<Name['kind'], Detector>> = { PER: personName, LOC: placeName, ORG: organisationName }
/** Kinds of values beside which a name is private. Dates, ages and places are beside the names of famous people, too. */
const IMPERSONAL: ReadonlySet<string> = new Set(['date_of_birth', 'age', 'ip_address', 'coordinates', 'mac_address'])
/** Longest sentence in which another value makes a name private, characters. */
const SENTENCE = 200

let tagger: Tagger | undefined

/** Finds names of persons, places and organisations. */
export class NameFinder {
  readonly #scope: Scope
  readonly #tagger: Tagger

  constructor(scope: Scope) {
    this.#scope = scope
    tagger ??= new Tagger(trainedWeights())
    this.#tagger = tagger
  }

  /**
   * Finds names that begin at `from` or later and touch none of the other values.
   *
   * @param whole whether all of the text is here, so that what follows in the sentence counts, too
   * @returns start of the text on whose continuation a result depends
   */
  find(text: string, from: number, final: boolean, others: readonly Hit[], whole: boolean, hits: Hit[]): number {
    const recent: Name[] = []
    let next = 0
    const take = (name: Name) => {
      if (this.#scope === 'personal') {
        if (name.kind !== 'PER') return
        recent.push(name)
        if (name.start < from || !(isPrivate(text, recent) || (whole && isBeside(text, name, others)))) return
      }
      while (next < others.length && others[next]!.end <= name.start) next++
      if (name.start < from || (next < others.length && others[next]!.start < name.end)) return
      hits.push({ detector: KIND[name.kind], start: name.start, end: name.end, score: SCORE })
    }
    if (this.#scope === 'all') return this.#tagger.find(text, from, final, CAUTION, take)
    /** Where the last run ends that may be introduced: a list may continue with further names. */
    let introduced = Number.NEGATIVE_INFINITY
    return this.#tagger.find(text, from, final, CAUTION, take, (run) => {
      if (mayIntroduce(text, run, final)) {
        introduced = run.end
        return true
      }
      return run.start - introduced <= LINK_REACH || (whole && isNear(run, others))
    })
  }
}

/** Whether a value that makes names private is near enough to do so. */
const isNear = ({ start, end }: Run, others: readonly Hit[]): boolean =>
  others.some(
    (other) => other.end >= start - SENTENCE && other.start <= end + SENTENCE && !IMPERSONAL.has(other.detector.type),
  )

/** Whether the last of these names, or one that a list joins to it, is introduced as somebody private. */
function isPrivate(text: string, names: readonly Name[]): boolean {
  const { start } = names.at(-1)!
  for (let i = names.length - 1; ; i--) {
    const name = names[i]!
    if (isIntroduced(text, name.start, name.end)) return true
    const before = names[i - 1]
    if (before === undefined || before.start < start - LINK_REACH || !LINK.test(text.slice(before.end, name.start)))
      return false
  }
}

/** Whether another value of a person is in the same sentence. */
function isBeside(text: string, { start, end }: Name, others: readonly Hit[]): boolean {
  for (const other of others) {
    if (IMPERSONAL.has(other.detector.type)) continue
    if (other.end < start - SENTENCE) continue
    if (other.start > end + SENTENCE) return false
    const between = other.end <= start ? text.slice(other.end, start) : text.slice(end, other.start)
    if (!/[.!?](?=\s)|\n/.test(between)) return true
  }
  return false
}
