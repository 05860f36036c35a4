/** Card numbers that are joined to letters. */
import type { Candidate } from './candidate.ts'
import type { Detector, Hit } from './detector.ts'
import { namesCard, namesIdentifier } from './glued-names.ts'
import { areJoined, IS_APART, IS_WORD } from './symbols.ts'

/** The only type that may be joined to letters. */
export const CARD = 'credit_card'
/** Names of cards: near one, a number may be joined to any letters and digits. */
export const CARD_NAMES = 'credit_card/name'
const SHORTEST = 13
const LONGEST = 19
/** Digits of an undivided number that is joined to a word where nothing names it. */
const SHORTEST_UNNAMED = 14
const GROUP = 4
const FIVE = 0x35
const SMALL = 0x20
const SMALL_A = 0x61
/** Letters that are looked at on either side. */
const MOST_LETTERS = 24
/** More letters from a to f, and no others, are of a hash. */
const MOST_HEX = 4
const HEX = /^[a-f]*$/i
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const ANY_UUID = '00000000-0000-0000-0000-000000000000'
/** Where four groups begin in it that are joined to more: its first half of eight, or the second group. */
const IN_UUID = [4, 9]

/** Groups as cards have them, with the same sign between; the longest forms first. */
const FORMS = [
  '\\d{4}([ \\-./_])\\d{4}\\1\\d{4}\\1\\d{4}\\1\\d{1,3}',
  '\\d{4}([ \\-./_])\\d{4}\\1\\d{4}\\1\\d{4}',
  '3\\d{3}([ \\-./_])\\d{6}\\1\\d{4,5}',
]
const FORMS_HERE = FORMS.map((form) => new RegExp(`${form}(?!\\d)`, 'y'))
const WHOLE_FORMS = FORMS.map((form) => new RegExp(`^${form}$`))
/** What may become one of them with further text. */
const OPENING = /^(?:\d{1,4}|\d{4}([ \-./_])\d{0,6}(?:\1\d{0,5}){0,3})$/
const LONGEST_FORM = 23

/** Whether digits are in groups as cards have them: `4111 1111 1111 1111`. */
export const isInGroups = (value: string): boolean => WHOLE_FORMS.some((form) => form.test(value))

/** After the number on a magnetic stripe, ISO 7813: expiry and service code, as in `4111111111111111D25121011234F`. */
const TRACK_2 = /^D\d\d(?:0[1-9]|1[0-2])\d{3}/i
const OPEN_TRACK = /^D\d*$/i
const LONGEST_TRACK = 8

/** A match is final only if this many characters after it are known. */
export const LOOKAHEAD = 2

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

  /**
   * Whether a value may match from here: not inside a word, unless that is a card's name as in `Visa4111:1111…`, or near the
   * name of a card, as in `abc4111:1111…`.
   */
  mayMatch(at: number): typeof NO | typeof YES | typeof UNKNOWN {
    const { text, units, final } = this.#candidate
    if (!this.#isInside(at) || namesCard(text, at)) return YES
    let end = at + 1
    while (end < at + GROUP && isDigit(units[end]!)) end++
    const isWhole = end === at + GROUP
    if (!isWhole && (end < text.length || final)) return NO
    if (!this.#isNear(at)) return NO
    return isWhole ? YES : UNKNOWN
  }

  /**
   * Reads a number in groups that is joined to letters before or after it, whichever these are.
   *
   * @param start its first digit
   * @returns end of the number; 0 for none, -1 if it depends on further text
   */
  readGroups(start: number, hits: Hit[]): number {
    const { text, units, final } = this.#candidate
    const n = text.length
    const isInside = this.#isInside(start)
    // Without letters before it, what is unfinished may still match a pattern.
    if (isInside && !final && n - start <= LONGEST_FORM && OPENING.test(text.slice(start))) return -1
    if (!mayHaveForm(units, start)) return 0
    for (const form of FORMS_HERE) {
      form.lastIndex = start
      if (!form.test(text)) continue
      const end = form.lastIndex
      if (!isInside && (end === n || !this.#isInside(end))) continue
      const isOfUuid = this.#isOfUuid(start)
      if (isOfUuid !== NO) return isOfUuid === YES ? 0 : -1
      const judged = this.#judge(start, end, hits)
      if (judged !== 0) return judged
    }
    return 0
  }

  /**
   * Reads an undivided number that is joined to letters: to a word that has no other digits, or near the name of a card to
   * any letters and digits.
   *
   * @param start its first digit
   * @returns end of the number; 0 for none, -1 if it depends on further text
   */
  read(start: number, hits: Hit[]): number {
    const field = this.#readField(start, hits)
    if (field !== 0) return field
    const { text, units, final } = this.#candidate
    const n = text.length
    let end = start
    while (end < n && end - start <= LONGEST && isDigit(units[end]!)) end++
    const length = end - start
    if (length > LONGEST) return 0
    const isOpen = end === n && !final
    if (!isOpen && (length < SHORTEST || !(this.#isInside(start) || (end < n && this.#isInside(end))))) return 0
    const isNamed = namesCard(text, start) || this.#isNear(start)
    if (!isNamed && ((!isOpen && length < SHORTEST_UNNAMED) || !this.#isAfterWord(start))) return 0
    if (isOpen) return -1
    const found = hits.length
    const judged = this.#judge(start, end, hits)
    if (judged <= 0) return judged
    const isCard = isNamed ? YES : this.#isOfWord(start, end)
    if (isCard === YES) return end
    hits.length = found
    return isCard === UNKNOWN ? -1 : 0
  }

  /** The number in the field of a chip card: `5A084111111111111111`, with its length in bytes and an F that fills the last. */
  #readField(start: number, hits: Hit[]): number {
    const { text, units, final } = this.#candidate
    if (start < 2 || units[start - 2]! !== FIVE || (units[start - 1]! | SMALL) !== SMALL_A) return 0
    const first = start + 2
    const length = 2 * Number.parseInt(text.slice(start, first), 16)
    if (!final && text.length < first) return -1
    if (!(length >= SHORTEST && length <= LONGEST + 1)) return 0
    const number = text.slice(first, first + length)
    if (!/^\d*F?$/i.test(number)) return 0
    if (number.length < length) return final ? 0 : -1
    return this.#judge(first, first + number.replace(/f$/i, '').length, hits)
  }

  #judge(start: number, end: number, hits: Hit[]): number {
    const candidate = this.#candidate
    const detector = this.#detector
    if (detector === undefined) return 0
    if (!candidate.final && end + LOOKAHEAD > candidate.text.length) return -1
    candidate.begin(start, end)
    candidate.ask(this.#group)
    const score = detector.judge(candidate)
    if (candidate.unsettled) return -1
    if (score === 0 || score < this.#minScore) return 0
    hits.push({ detector, start, end, score })
    return end
  }

  /** Whether a place is within a word. */
  #isInside(at: number): boolean {
    const { units } = this.#candidate
    return at > 0 && areJoined(units[at - 1]!, units[at]!)
  }

  #isOfUuid(start: number): typeof NO | typeof YES | typeof UNKNOWN {
    const { text, final } = this.#candidate
    for (const offset of IN_UUID) {
      const begin = start - offset
      if (begin < 0) continue
      const known = text.slice(begin, begin + ANY_UUID.length)
      if (UUID.test(known)) return YES
      if (!final && UUID.test(known + ANY_UUID.slice(known.length))) return UNKNOWN
    }
    return NO
  }

  /** Whether only letters are before the number in its word. */
  #isAfterWord(start: number): boolean {
    const { units } = this.#candidate
    const at = start - 1 - this.#lettersBefore(start)
    return at < 0 || start - at > MOST_LETTERS || !isDigit(units[at]!)
  }

  /** The same on either side, unless they are those of a hash, or begin an identifier. May need the text after it. */
  #isOfWord(start: number, end: number): typeof NO | typeof YES | typeof UNKNOWN {
    const { text, units, final } = this.#candidate
    if (namesIdentifier(text, start)) return NO
    const track = text.slice(end, end + LONGEST_TRACK)
    if (TRACK_2.test(track)) return YES
    if (!final && end + LONGEST_TRACK > text.length && OPEN_TRACK.test(track)) return UNKNOWN
    let after = end
    while (after < text.length && after < end + MOST_LETTERS && isLetter(units[after]!)) after++
    if (after === text.length && !final && after < end + MOST_LETTERS) return UNKNOWN
    if (isDigit(units[after]!)) return NO
    const letters = text.slice(start - this.#lettersBefore(start), start) + text.slice(end, after)
    return letters.length > MOST_HEX && HEX.test(letters) ? NO : YES
  }

  #lettersBefore(start: number): number {
    const { units } = this.#candidate
    let at = start
    while (at > 0 && start - at < MOST_LETTERS && isLetter(units[at - 1]!)) at--
    return start - at
  }

  #isNear(start: number): boolean {
    const candidate = this.#candidate
    if (this.#names < 0) return false
    candidate.start = start
    candidate.ask(this.#names)
    return candidate.contextBefore() > 0
  }
}

/** Whether one of `FORMS` may begin here, by two of its signs: a quick look. */
function mayHaveForm(units: Uint16Array, start: number): boolean {
  const sign = units[start + GROUP]!
  return !isDigit(sign) && (units[start + 2 * GROUP + 1] === sign || units[start + 2 * GROUP + 3] === sign)
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57
const isLetter = (c: number): boolean => IS_WORD[c] === 1 && IS_APART[c] === 0 && !isDigit(c)
