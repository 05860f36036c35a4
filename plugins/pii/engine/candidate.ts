import type { Keywords, WindowReader } from './keywords.ts'
import { IS_WORD } from './symbols.ts'

/** How far left of a value its context words may stand, characters. */
export const CONTEXT_BEFORE = 64
/** How far right. A stream waits for them when a value needs context and had none before it. */
export const CONTEXT_AFTER = 32
/** How far left of a word its address may begin, characters. */
const LONGEST_URL = 256
/** Group of words that say that a number is something else: an order, a version, a ticket. */
export const OTHER_NUMBER = 'other_number'

/** A place where a pattern matched, as the detector sees it. One object serves all: never keep it. */
export class Candidate {
  text = ''
  start = 0
  end = 0
  /** Nothing will follow the text. */
  final = true
  /** Set when text that has not come yet may turn a no into a yes. */
  incomplete = false
  /** Set when the answer looked at text that has not come yet, whatever it was. */
  unsettled = false
  readonly #left: WindowReader
  readonly #right: WindowReader
  readonly #other: number
  #group = 0
  #leftAt = -1
  #rightAt = -1
  /** Digits and letters of the longest span at this start; those of a shorter one are the first of them. */
  #longest = -1
  #digits = ''
  #compact = ''
  #digitCount = 0
  #compactCount = 0

  constructor(keywords: Keywords) {
    this.#left = keywords.reader()
    this.#right = keywords.reader()
    this.#other = keywords.group(OTHER_NUMBER)
  }

  /** Starts a new text: nothing known of the last one holds. */
  open(text: string, final: boolean): void {
    this.text = text
    this.final = final
    this.start = this.end = this.#leftAt = this.#rightAt = -1
    this.#left.reset()
  }

  /** Moves to a new start; `longest` is the furthest end it will be asked about. */
  begin(start: number, longest: number): void {
    this.start = start
    this.end = this.#longest = longest
    this.incomplete = this.unsettled = false
    this.#digits = this.#compact = ''
    this.#digitCount = this.#compactCount = 0
    for (let i = start; i < longest; i++) {
      const c = this.text.charCodeAt(i)
      if (c >= 48 && c <= 57) this.#digitCount++
      if (isAsciiAlnum(c)) this.#compactCount++
    }
  }

  /** Moves the end to the left. */
  shorten(end: number): void {
    for (let i = end; i < this.end; i++) {
      const c = this.text.charCodeAt(i)
      if (c >= 48 && c <= 57) this.#digitCount--
      if (isAsciiAlnum(c)) this.#compactCount--
    }
    this.end = end
  }

  /** The group of context words of the detector that is asked next. */
  ask(group: number): void {
    this.#group = group
  }

  get value(): string {
    return this.text.slice(this.start, this.end)
  }

  /** How many ASCII digits it has: ask this first, it costs nothing. */
  get digitCount(): number {
    return this.#digitCount
  }

  /** How many ASCII letters and digits it has. */
  get compactCount(): number {
    return this.#compactCount
  }

  /** Only its ASCII digits. */
  get digits(): string {
    if (this.#digits === '') this.#digits = this.text.slice(this.start, this.#longest).replace(/[^0-9]+/g, '')
    return this.#digits.slice(0, this.#digitCount)
  }

  /** Only its ASCII letters and digits, in upper case. */
  get compact(): string {
    if (this.#compact === '') {
      this.#compact = this.text
        .slice(this.start, this.#longest)
        .replace(/[^0-9A-Za-z]+/g, '')
        .toUpperCase()
    }
    return this.#compact.slice(0, this.#compactCount)
  }

  /** The character `n` left of the span, 1 for the next one; '' beyond the text. */
  before(n: number): string {
    return this.text.charAt(this.start - n)
  }

  /** The character `n` right of the span, 1 for the next one; '' beyond the text or not there yet. */
  after(n: number): string {
    return this.text.charAt(this.end - 1 + n)
  }

  /** Whether any of the detector's context words stands before the span. */
  get hasContext(): boolean {
    this.#readLeft()
    return this.#left.end(this.#group) >= 0
  }

  /** Whether a context word of any detector stands before `start`, to which the span moves. */
  hasAnyContext(start: number): boolean {
    this.start = start
    this.#readLeft()
    return this.#left.any
  }

  /**
   * 0 when none of the detector's context words stands before the span, else 0.5 (far) to 1 (right beside). A word that
   * says the number is something else cancels what stands further away.
   */
  contextBefore(): number {
    this.#readLeft()
    const end = this.#left.end(this.#group)
    if (end < 0 || this.#left.end(this.#other) > end) return 0
    return 1 - (this.start - end) / (2 * CONTEXT_BEFORE)
  }

  /** Like {@link contextBefore}, and looks right of the span if there was none. */
  context(): number {
    const before = this.contextBefore()
    if (before > 0) return before
    const to = this.end + CONTEXT_AFTER
    if (to > this.text.length && !this.final) this.incomplete = true
    if (this.#rightAt !== this.end) {
      this.#rightAt = this.end
      this.#right.reset()
      this.#right.read(this.text, this.end, Math.min(to, this.text.length))
    }
    const end = this.#right.end(this.#group)
    // At the end of what has come, a word may be the beginning of another.
    return end > 0 && (this.final || end < this.text.length) ? 0.5 : 0
  }

  /** True when the words right before the span call it something else. A word of an address calls nothing. */
  get isOtherNumber(): boolean {
    this.#readLeft()
    const end = this.#left.end(this.#other)
    return end >= 0 && this.start - end <= 14 && !isInUrl(this.text, end)
  }

  /** The next `n` characters right of the span; when fewer have come, the answer waits for them. */
  following(n: number): string {
    if (!this.final && this.end + n > this.text.length) this.unsettled = true
    return this.text.slice(this.end, this.end + n)
  }

  /**
   * For values whose check digits are wrong: 0.55 when the words right before call it by its name, else 0. People mistype
   * their numbers, and what they call a number is personal either way.
   */
  named(): number {
    return this.contextBefore() > 0.8 && !this.isJoined ? 0.55 : 0
  }

  /** True when a group of digits stands right before or after: the span is a part of a longer run, such as a bad IBAN. */
  get isInRun(): boolean {
    if (this.after(1) === ' ' && isDigitChar(this.after(2))) return true
    if (this.before(1) !== ' ') return false
    const before = this.before(2)
    return isDigitChar(before) || (before >= 'A' && before <= 'Z' && !isLetterRun(this.text, this.start - 2))
  }

  /** True when another number is joined to the span on a side: it is a part of something longer. */
  get isJoined(): boolean {
    return (
      (isJoint(this.before(1)) && isWordChar(this.before(2)) && !isLetterRun(this.text, this.start - 2)) ||
      (isJoint(this.after(1)) && isDigitChar(this.after(2)))
    )
  }

  #readLeft(): void {
    if (this.#leftAt === this.start) return
    this.#leftAt = this.start
    this.#left.read(this.text, Math.max(0, this.start - CONTEXT_BEFORE), this.start)
  }
}

/** True when the word that ends at `end` is a part of `https://example.org/page`. */
function isInUrl(text: string, end: number): boolean {
  let start = end
  while (start > 0 && end - start < LONGEST_URL && text.charCodeAt(start - 1) > 0x20) start--
  return text.slice(start, end).includes('://')
}

const isAsciiAlnum = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122)
const isJoint = (char: string): boolean => char === '-' || char === '.' || char === '/'
const isDigitChar = (char: string): boolean => char >= '0' && char <= '9'
const isWordChar = (char: string): boolean => char !== '' && IS_WORD[char.charCodeAt(0)] === 1

/** True when the word that ends at `last` has no digit: "No.-123" is not a longer number. */
function isLetterRun(text: string, last: number): boolean {
  for (let i = last; i >= 0 && i > last - 24; i--) {
    const c = text.charCodeAt(i)
    if (c >= 48 && c <= 57) return false
    if (IS_WORD[c] === 0) return true
  }
  return true
}
