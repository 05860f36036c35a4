import { Apart } from './apart.ts'
import { Behind } from './behind.ts'
import { endsCalled } from './called.ts'
import type { Columns } from './columns.ts'
import { endsFormula } from './emphasis.ts'
import { beginsTwin, isDigitChar, isInPath, isJoint, isLetterRun, isTwin, isWordChar, WIDE_BEFORE } from './joints.ts'
import type { Keywords, WindowReader } from './keywords.ts'
import { AMOUNT, endsSentence, isInUrl, isOfMeeting } from './other-number.ts'
import { askedIn } from './question.ts'
import { isResult } from './sum.ts'
import { isAsciiAlnum, unitsOf } from './units.ts'

/** Maximum distance of context words before a value, characters. */
export const CONTEXT_BEFORE = 64
/** The same after a value: a stream waits for them if a value needs context and has none before it. */
const CONTEXT_AFTER = 32
/** Like a name right before the value, but for one word. */
const NAMED = 0.9
/** Like a name and a colon. */
const NAMED_BY_HEAD = 1 - 2 / (2 * CONTEXT_BEFORE)
/** Group of words that mark another number: an order, a version, a ticket. */
export const OTHER_NUMBER = 'other_number'

const NO_UNITS = new Uint16Array(0)

/** A possible value, as detectors see it. One object is reused for all of them, so never keep a reference. */
export class Candidate {
  text = ''
  /** Of the text. */
  units: Uint16Array = NO_UNITS
  start = 0
  end = 0
  /** True at the end of the text. */
  final = true
  /** Set if further text could turn a rejection into a match. */
  incomplete = false
  /** Set if the answer depends on text that has not arrived. */
  unsettled = false
  readonly #left: WindowReader
  readonly #right: WindowReader
  readonly #behind: Behind
  readonly #apart: Apart
  readonly #other: number
  #columns: Columns | undefined
  #group = 0
  #behindCounts = false
  #leftAt = -1
  #rightAt = -1
  /** End of the longest span at this start. Its digits and letters are cached; a shorter span has the first of them. */
  #longest = -1
  #digits = ''
  #compact = ''
  #digitCount = 0
  #compactCount = 0

  constructor(keywords: Keywords) {
    this.#left = keywords.reader()
    this.#right = keywords.reader()
    this.#apart = new Apart(keywords.reader())
    this.#other = keywords.group(OTHER_NUMBER)
    this.#behind = new Behind(keywords.reader(), this.#other)
  }

  /**
   * Starts a new text and clears the caches.
   *
   * @param columns the tables and lists in it
   */
  open(text: string, final: boolean, columns?: Columns): void {
    this.text = text
    this.#columns = columns
    this.units = unitsOf(text)
    this.final = final
    this.start = this.end = this.#leftAt = this.#rightAt = -1
    this.#apart.open(text, this.units)
    this.#left.reset()
  }

  /** See `askedIn`. */
  askedIn(question: string): string {
    this.open(question, true)
    return askedIn(question, this.units, this.#left, this.#other)
  }

  /**
   * Moves to a new start.
   *
   * @param longest the largest end that will be used
   */
  begin(start: number, longest: number): void {
    this.start = start
    this.end = this.#longest = longest
    this.#behind.begin()
    this.incomplete = this.unsettled = false
    this.#digits = this.#compact = ''
    this.#digitCount = this.#compactCount = 0
    for (let i = start; i < longest; i++) {
      const c = this.units[i]!
      if (c >= 48 && c <= 57) this.#digitCount++
      if (isAsciiAlnum(c)) this.#compactCount++
    }
  }

  shorten(end: number): void {
    for (let i = end; i < this.end; i++) {
      const c = this.units[i]!
      if (c >= 48 && c <= 57) this.#digitCount--
      if (isAsciiAlnum(c)) this.#compactCount--
    }
    this.end = end
  }

  /**
   * Selects the detector's group of context words.
   *
   * @param after whether a sentence may have them after the value
   */
  ask(group: number, behind = false): void {
    this.#group = group
    this.#behindCounts = behind
  }

  get value(): string {
    return this.text.slice(this.start, this.end)
  }

  /** Number of ASCII digits. Already computed, so check it first. */
  get digitCount(): number {
    return this.#digitCount
  }

  /** Number of ASCII letters and digits. */
  get compactCount(): number {
    return this.#compactCount
  }

  /** Only the ASCII digits. */
  get digits(): string {
    if (this.#digits === '') this.#digits = this.text.slice(this.start, this.#longest).replace(/[^0-9]+/g, '')
    return this.#digits.slice(0, this.#digitCount)
  }

  /** Only the ASCII letters and digits, in upper case. */
  get compact(): string {
    if (this.#compact === '') {
      this.#compact = this.text
        .slice(this.start, this.#longest)
        .replace(/[^0-9A-Za-z]+/g, '')
        .toUpperCase()
    }
    return this.#compact.slice(0, this.#compactCount)
  }

  /** The `n`th character left of the span, from 1; '' beyond the text. */
  before(n: number): string {
    return this.text.charAt(this.start - n)
  }

  /** The `n`th character right of the span, from 1; '' beyond the text, or if it has not arrived. */
  after(n: number): string {
    return this.text.charAt(this.end - 1 + n)
  }

  /** Whether a context word of the detector is before the span, or a sentence names it after the span. */
  get hasContext(): boolean {
    this.#readLeft()
    return this.#left.end(this.#group) >= 0 || this.#isInColumn() || this.#isApart() || this.#isNamedBehind()
  }

  /** False if no context word of any detector is before the span. */
  get mayBeNamed(): boolean {
    this.#readLeft()
    return this.#left.mayHaveAny || this.#apart.mayBe(this.start) || this.#columns?.hasCell(this.start) === true
  }

  /** Whether a sentence may name the span after it, for a detector that is named so. */
  get mayBeNamedBehind(): boolean {
    return this.#behindCounts && this.#behind.read(this)
  }

  /** Whether a context word of any detector is before the span, or one that marks another number. */
  get hasAnyContext(): boolean {
    this.#readLeft()
    return this.#left.any
  }

  /**
   * Strength of the context before the span: 0 for none, otherwise from 0.5 (far) to 1 (adjacent). A word for
   * another kind of number cancels context that is farther away. A sentence may have the word after the span.
   */
  contextBefore(): number {
    this.#readLeft()
    const end = this.#left.end(this.#group)
    if (this.#isInColumn()) return NAMED_BY_HEAD
    if (this.#isApart()) return NAMED
    if (end < 0 || this.#left.end(this.#other) > end) return this.#isNamedBehind() ? NAMED : 0
    return 1 - (this.start - end) / (2 * CONTEXT_BEFORE)
  }

  /** What is between the last context word before the span and the span; '' without one. */
  get sinceContext(): string {
    this.#readLeft()
    const end = this.#left.end(this.#group)
    return end < 0 ? '' : this.text.slice(end, this.start)
  }

  /** Whether right before the span is `number: ` or the like: `{"kind": "Reisepass", "number": "`. */
  get isCalledNumber(): boolean {
    return endsCalled(this.text, this.start)
  }

  /** The head of the table or list that names the cell which the span fills; '' if none does. */
  get head(): string {
    return this.#columns?.headOf(this)?.head.text ?? ''
  }

  #isInColumn(): boolean {
    const found = this.#columns?.headOf(this)
    if (found?.head.names[this.#group] !== 1) return false
    if (found.open) this.unsettled = true
    return true
  }

  #isApart(): boolean {
    return this.#apart.is(this.start, this.#group, this.#left.end(this.#group))
  }

  /** Whether a name of the detector is after the span: `46 454 286 is my SIN`. */
  #isNamedBehind(): boolean {
    return this.#behindCounts && this.#behind.is(this, this.#group)
  }

  /** Like {@link contextBefore}, but looks right of the span if there is none. */
  context(): number {
    const before = this.contextBefore()
    if (before > 0) return before
    const to = this.end + CONTEXT_AFTER
    if (to > this.text.length && !this.final) this.incomplete = true
    if (this.#rightAt !== this.end) {
      this.#rightAt = this.end
      this.#right.reset()
      this.#right.read(this.units, this.end, Math.min(to, this.text.length))
    }
    const end = this.#right.end(this.#group)
    // A word at the end of unfinished text may continue.
    return end > 0 && (this.final || end < this.text.length) ? 0.5 : 0
  }

  /** Whether the words before the span mark another kind of number. Of URLs only those of meetings count. */
  get isOtherNumber(): boolean {
    return this.isOtherWithin(14) || (this.digitCount < 12 && isOfMeeting(this.text, this.start))
  }

  /** The same, with at most so many characters between the word and the span. */
  isOtherWithin(distance: number): boolean {
    this.#readLeft()
    if (this.before(1) === '=' || this.before(2) === '=') {
      if (isResult(this.text.slice(Math.max(0, this.start - CONTEXT_BEFORE), this.start), this.value)) return true
    }
    const end = this.#left.end(this.#other)
    if (end < 0 || this.start - end > distance || endsSentence(this.text, end) || isInUrl(this.text, end)) return false
    return !this.#isApart() && !this.#isInColumn()
  }

  /** Whether a unit or currency follows the number. */
  get isAmount(): boolean {
    return AMOUNT.test(this.following(9)) && !endsFormula(this) && !(this.after(1) === '%' && this.before(1) === '%')
  }

  /** The next `n` characters right of the span. If they have not all arrived, the answer waits for them. */
  following(n: number): string {
    if (!this.final && this.end + n > this.text.length) this.unsettled = true
    return this.text.slice(this.end, this.end + n)
  }

  /**
   * Score for values with wrong check digits: 0.55 if the words before name this type, otherwise 0. People mistype
   * their numbers, and a number that they name is personal anyway.
   */
  named(): number {
    return this.contextBefore() > 0.8 && !this.isJoined ? 0.55 : 0
  }

  /** Whether a group of digits is adjacent: the span is part of a longer run, such as an invalid IBAN. */
  get isInRun(): boolean {
    if (this.after(1) === ' ' && isDigitChar(this.after(2))) return true
    if (WIDE_BEFORE.test(this.text.slice(Math.max(0, this.start - 4), this.start))) return true
    if (this.before(1) !== ' ') return false
    const before = this.before(2)
    return isDigitChar(before) || (before >= 'A' && before <= 'Z' && !isLetterRun(this.text, this.start - 2))
  }

  /** Whether another number is joined to the span. */
  get isJoined(): boolean {
    return (
      this.isJoinedBefore ||
      (isJoint(this.after(1)) &&
        isDigitChar(this.after(2)) &&
        !this.isTwinAfter &&
        !(this.after(1) === '/' && (this.hasHyphen || this.before(1) === '/')))
    )
  }

  /** Whether a number is joined to the beginning of the span. */
  get isJoinedBefore(): boolean {
    return (
      isJoint(this.before(1)) &&
      isWordChar(this.before(2)) &&
      !isLetterRun(this.text, this.start - 2) &&
      !this.isTwinBefore &&
      !(this.before(1) === '/' && (this.hasHyphen || isInPath(this.text, this.start)))
    )
  }

  /** The groups are joined by another sign than a slash, which is a border then: `2023/212-55-1234`. */
  get hasHyphen(): boolean {
    return this.text.charAt(this.start + 3) === '-' || this.text.charAt(this.start + 4) === '-'
  }

  /** Whether the number before the sign left of the span has the same form, as in `212-55-1234/323-66-2345`: two in a list. */
  get isTwinBefore(): boolean {
    return isTwin(this.text, this.start, this.end, 2 * this.start - this.end - 1)
  }

  /** The same, behind the sign right of the span. */
  get isTwinAfter(): boolean {
    const { text, start, end } = this
    if (!beginsTwin(text, start, end, end + 1)) return false
    this.following(end - start + 2)
    return isTwin(text, start, end, end + 1)
  }

  #readLeft(): void {
    if (this.#leftAt === this.start) return
    this.#leftAt = this.start
    this.#left.read(this.units, Math.max(0, this.start - CONTEXT_BEFORE), this.start)
  }
}
