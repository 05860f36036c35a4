/** Card numbers that are joined to letters. */
import type { Candidate } from './candidate.ts'
import type { Detector, Hit } from './detector.ts'
import { namesCard } from './glued-names.ts'
import { IS_WORD } from './symbols.ts'

/** The only type that may be glued to its name. */
export const CARD = 'credit_card'
/** Names of cards: near one, a number may be joined to any letters. */
export const CARD_NAMES = 'credit_card/name'
const SHORTEST = 13
const LONGEST = 19
/** Digits of a number that is joined to a letter where nothing names it. */
const SHORTEST_UNNAMED = 15
const LONGEST_UNNAMED = 16
const GROUP = 4

export const NO = 0
export const YES = 1
export const UNKNOWN = 2

export class GluedCards {
  readonly #candidate: Candidate
  readonly #detector: Detector | undefined
  readonly #group: number
  /** The group of their names, or -1. */
  readonly #names: number
  readonly #minScore: number

  constructor(candidate: Candidate, detectorOf: readonly Detector[], groupOf: readonly number[], minScore: number) {
    const card = detectorOf.findIndex((detector) => detector.type === CARD)
    this.#candidate = candidate
    this.#detector = detectorOf[card]
    this.#group = groupOf[card] ?? -1
    this.#names = groupOf[detectorOf.findIndex(({ contextGroup }) => contextGroup === CARD_NAMES)] ?? -1
    this.#minScore = minScore
  }

  /** Whether digits after letters begin a number: `Visa4111 1111…`, and near the name of a card `abc4111 1111…`. */
  begins(at: number): typeof NO | typeof YES | typeof UNKNOWN {
    const { text, units, final } = this.#candidate
    if (namesCard(text, at)) return YES
    let end = at + 1
    while (end < at + GROUP && isDigit(units[end]!)) end++
    const isWhole = end === at + GROUP
    if (!isWhole && (end < text.length || final)) return NO
    if (!this.#isNear(at)) return NO
    return isWhole ? YES : UNKNOWN
  }

  /**
   * Reads an undivided number, joined to one letter anywhere, to more of them only if it is named.
   *
   * @param begin start of the word
   * @param start its first digit
   * @returns end of the number; 0 for none, -1 if it depends on further text
   */
  read(begin: number, start: number, hits: Hit[]): number {
    const candidate = this.#candidate
    const detector = this.#detector
    const { text, units, final } = candidate
    const n = text.length
    let end = start
    while (end < n && end - start <= LONGEST && isDigit(units[end]!)) end++
    const length = end - start
    if (length > LONGEST || detector === undefined) return 0
    const isOpen = end === n && !final
    if (!isOpen && (length < SHORTEST || (start === begin && IS_WORD[units[end]!] !== 1))) return 0
    if (namesCard(text, start) || this.#isNear(start)) {
      if (isOpen) return -1
    } else {
      if (start > begin + 1 || length > LONGEST_UNNAMED || (!isOpen && length < SHORTEST_UNNAMED)) return 0
      const after = start > begin ? end : end + 1
      if (after >= n && !final) return -1
      if (IS_WORD[units[after]!] === 1) return 0
    }
    candidate.begin(start, end)
    candidate.ask(this.#group)
    const score = detector.judge(candidate)
    if (score === 0 || score < this.#minScore) return 0
    hits.push({ detector, start, end, score })
    return end
  }

  #isNear(start: number): boolean {
    const candidate = this.#candidate
    if (this.#names < 0) return false
    candidate.start = start
    candidate.ask(this.#names)
    return candidate.contextBefore() > 0
  }
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57
