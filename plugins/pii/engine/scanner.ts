import { type Automaton, MAX_ENDS } from './automaton.ts'
import { Candidate, OTHER_NUMBER } from './candidate.ts'
import { Columns } from './columns.ts'
import { compile, groupOf } from './compile.ts'
import type { Detector, Hit } from './detector.ts'
import { CARD, GluedCards, LOOKAHEAD, NO, UNKNOWN, YES } from './glued-cards.ts'
import { Heads } from './heads.ts'
import { Marks } from './marks.ts'
import { nextQuoted, startOfQuoted } from './quoted.ts'
import { type ScanResult, settle, startOutside } from './settled.ts'
import { Signs } from './signs.ts'
import { areJoined, IS_APART, IS_WORD } from './symbols.ts'
import { readTwice, type Twice, withTwice } from './twice.ts'
import { nextUnspacedAt, startOfRun } from './unspaced.ts'

/** Longest match, and longest suffix that a stream waits for, characters; see also {@link MAX_ADDRESS}. */
export const MAX_MATCH = 128
/** Longest match with an at sign in its first {@link MAX_MATCH} characters: the maximum length of an e-mail address. */
export const MAX_ADDRESS = 254
/** Context after the value cannot raise scores from here on. */
const CERTAIN = 0.9

/** Digits farther away than any match, or none at all. */
const FARTHEST = MAX_ADDRESS
const UNDERSCORE = 0x5f
const DOT = 0x2e
const HYPHEN = 0x2d
const ZERO = 0x30
const SPACE = 0x20
/** A value that begins with letters has its first digit here: `RSSMRA85T10A562S`. */
const LETTERS_BEFORE_DIGIT = 7
/** So near the end of unfinished text, what follows may decide. */
const UNSETTLED = MAX_ADDRESS + 64
/** Usual in millions, not in identifiers. */
const ZEROS = ' 000 000'

/**
 * Finds all values in one pass. Wherever a word, number, plus sign or parenthesis begins, the automaton reads until
 * no pattern can match; then the detectors judge the matches. The result depends on the 64 characters before a place
 * and on the text after it, not on how the text was cut. So a stream finds the same values as a whole text.
 */
export class Scanner {
  /** Of all patterns. */
  readonly #full: Automaton
  /** Of the patterns that need no sign. */
  readonly #unsigned: Automaton
  /** Of those that need no digit either. */
  readonly #digitless: Automaton
  /** Of the patterns around an at sign, if there are any. */
  readonly #aroundAt: Automaton | undefined
  readonly #signs: Signs
  /** The one that read last. */
  #automaton: Automaton
  readonly #detectorOf: readonly Detector[]
  readonly #groupOf: readonly number[]
  readonly #fewestDigits: Uint8Array
  /** 1 where a sentence may name the value after it. */
  readonly #behind: Uint8Array
  /** 1 where only words before the value may name it, and one must. */
  readonly #named: Uint8Array
  readonly #minScore: number
  readonly #heads: Heads
  readonly #candidate: Candidate
  readonly #glued: GluedCards
  /** When each rule was last judged; usually only its longest match counts. */
  readonly #asked: Float64Array
  readonly #marks = new Marks()
  #asking = 0

  constructor(detectors: readonly Detector[], minScore = 0.5) {
    const { full, unsigned, digitless, aroundAt, signs, keywords, detectorOf } = compile(detectors)
    this.#full = full
    this.#unsigned = unsigned
    this.#digitless = digitless
    this.#aroundAt = aroundAt
    this.#automaton = full
    this.#signs = new Signs(signs, MAX_MATCH, MAX_ADDRESS)
    this.#detectorOf = detectorOf
    this.#groupOf = detectorOf.map((detector) => keywords.group(groupOf(detector)))
    this.#fewestDigits = Uint8Array.from(detectorOf, (detector) => detector.fewestDigits ?? 0)
    this.#behind = Uint8Array.from(detectorOf, (detector) => (isNamedBehind(detector) ? 1 : 0))
    this.#named = Uint8Array.from(detectorOf, (one) => (one.onlyInContext === true && !isNamedBehind(one) ? 1 : 0))
    this.#asked = new Float64Array(detectorOf.length)
    this.#minScore = minScore
    this.#heads = new Heads(keywords, keywords.group(OTHER_NUMBER))
    this.#candidate = new Candidate(keywords)
    this.#glued = new GluedCards(this.#candidate, detectorOf, this.#groupOf, minScore)
  }

  /** A question up to the name of the value that it asks for; '' if there is none. */
  askedIn(question: string): string {
    return this.#candidate.askedIn(question)
  }

  /** What will be known of the tables and lists in a text that begins at an absolute position. */
  columnsFrom(at: number): Columns {
    return new Columns(this.#heads, at)
  }

  /**
   * Finds values that begin at `from` or later. Earlier text is context.
   *
   * @param columns have read the text
   */
  scan(source: string, from: number, final: boolean, columns?: Columns): ScanResult {
    const text = withBlanks(source)
    const hits: Hit[] = []
    const twice: Twice[] = []
    const n = text.length
    this.#candidate.open(text, final, columns)
    const { units } = this.#candidate
    const marks = this.#marks
    marks.read(units, from, n)
    this.#signs.open(text)
    // Near the end of unfinished text, what may still become a match matters, too.
    const settled = final ? n : n - UNSETTLED
    let digit = -1
    let hold = n
    /** Text before is in matches, or counts. */
    let done = from
    let at = this.#aroundAt === undefined ? n : nextUnspacedAt(text, units, from)
    let quoted = this.#aroundAt === undefined ? n : nextQuoted(text, units, from)
    for (let i = marks.beginning(from); i < n || at < n || quoted < n; i = marks.beginning(i)) {
      if (at < i || quoted < i) {
        const isQuoted = quoted < at
        const start = isQuoted ? quoted : startOfRun(units, at, done)
        const end = (isQuoted ? start >= done : start < at) ? this.#around(this.#aroundAt!, start, n, hits) : 0
        if (end < 0) {
          hold = start
          break
        }
        if (end > 0) i = done = end
        if (isQuoted) quoted = nextQuoted(text, units, Math.max(done, quoted + 1))
        else at = nextUnspacedAt(text, units, at + 1)
        continue
      }
      const c = units[i]!
      if (i < settled) {
        if (digit < i) digit = marks.digit(i)
        const near = Math.min(at, quoted, digit < n ? digit - MAX_MATCH + 1 : n, this.#signs.nearFrom(i))
        const past =
          i < near
            ? this.#pastWords(units, i, Math.min(settled, near))
            : this.#pastWord(units, i, digit < n ? digit : n + FARTHEST)
        if (past > i) {
          i = past
          continue
        }
      }
      const begins = this.#begins(units, n, i, c)
      if (begins === NO) {
        i++
        continue
      }
      if (begins === UNKNOWN) {
        hold = i
        break
      }
      const past = isDigit(c) ? this.#pastCount(text, units, i) : i
      if (past > i) {
        i = done = past
        continue
      }
      if (digit < i) digit = marks.digit(i)
      const wordEnd = IS_APART[c] === 1 ? apartEnd(units, i, n) : IS_WORD[c] === 1 ? marks.wordEnd(i) : i
      let end = isDigit(c) ? this.#glued.readGroups(i, hits) : 0
      const isRead = end === 0 ? this.#glued.mayMatch(i) : NO
      if (isRead === UNKNOWN) end = -1
      if (isRead === YES) end = this.#at(i, wordEnd, n, hits, i < settled, digit)
      if (end === 0 && isDigit(c)) end = this.#glued.read(i, hits)
      const mayBeTwice = end === 0 || (end > 0 && end < n && goesOn(units, end))
      if (mayBeTwice && isRead === YES && digit < Math.min(n, i + 3) && readTwice(units, i, n, final, twice)) end = -1
      if (end < 0) {
        hold = i
        break
      }
      if (end > 0) i = done = end
      else i = wordEnd > i ? this.#nextInside(units, i, wordEnd) : i + 1
    }
    // It may continue, up to an at sign.
    if (!final && this.#aroundAt !== undefined)
      hold = Math.min(hold, startOfRun(units, n, done), startOutside(hits, startOfQuoted(units, n, from), n))
    const found =
      twice.length === 0 ? hits : withTwice(text, hits, twice, (value, at) => this.scan(value, at, true).hits)
    return settle(found, hold)
  }

  /**
   * End of the second group of zeros in a count such as `12 000 000`; `i` if there is none, or if the words before
   * name a value.
   */
  #pastCount(text: string, units: Uint16Array, i: number): number {
    let end = i + 1
    while (end < i + 3 && isDigit(units[end]!)) end++
    if (!text.startsWith(ZEROS, end) || units[i]! === ZERO) return i
    this.#candidate.start = i
    return this.#candidate.hasAnyContext ? i : end + ZEROS.length
  }

  /** Passes over words that begin no match, where no digit and no sign is before `until` or within a match from there. */
  #pastWords(units: Uint16Array, i: number, until: number): number {
    const marks = this.#marks
    const digitless = this.#digitless
    let at = i
    while (at < until && digitless.gap(units[at]!, units[at + 1]!, units[at + 2]!) <= FARTHEST) {
      const end = marks.wordEnd(at)
      // A long word may have a card at its end.
      if (end > until) break
      at = marks.beginning(end)
    }
    return at
  }

  /** The same for one word, by the next digit. */
  #pastWord(units: Uint16Array, i: number, digit: number): number {
    const distance = Math.min(digit - i, FARTHEST)
    if (this.#unsigned.gap(units[i]!, units[i + 1]!, units[i + 2]!) > distance || this.#signs.isNear(i)) return i
    const end = this.#marks.wordEnd(i)
    return end <= digit ? end : i
  }

  /** Whether a word or number may begin at `i`; may need the text after it. */
  #begins(units: Uint16Array, n: number, i: number, c: number): number {
    if (i === 0) return YES
    const previous = units[i - 1]!
    if (IS_WORD[previous] === 1) {
      if (IS_APART[previous] === 1 && IS_APART[c] === 0) return YES
      return isDigit(c) && !isDigit(previous) ? YES : NO
    }
    // After a line break, a tab or a character that is no part of a word.
    if (previous < SPACE || i === 1 || IS_WORD[units[i - 2]!] === 0) return YES
    const digit = isDigit(c)
    const { final } = this.#candidate
    // Inside snake_case a number may begin, and what has one soon: `id_4111111111111111`, not `order_id`.
    if (previous === UNDERSCORE && !digit && IS_WORD[c] === 1) return hasDigit(units, n, i, final)
    const afterDigit = digit && isDigit(units[i - 2]!)
    if (afterDigit && previous === DOT) return NO // decimals
    if (afterDigit && previous === HYPHEN) {
      // Parts of a code; but an address may follow the hyphen of a range.
      const end = wordEnd(units, i, Math.min(n, i + 4))
      if (end === n && !final) return UNKNOWN
      if (units[end]! !== DOT) return NO
    }
    // In `4 1 1 1` and `a.b.c` only the first character can begin a value.
    if (!digit && previous !== DOT && previous !== HYPHEN) return YES
    if (i > 2 && IS_WORD[units[i - 3]!] === 1) return YES
    // `it's 4-1020-…`, `à 1 85 …`
    if (digit && previous === SPACE && !isDigit(units[i - 2]!)) return YES
    if (i + 1 === n && !final) return UNKNOWN
    return IS_WORD[units[i + 1]!] === 1 ? YES : NO
  }

  /** The next digit after a letter in the word that ends at `wordEnd`, or its end: a card may be joined to letters. */
  #nextInside(units: Uint16Array, from: number, wordEnd: number): number {
    let i = from
    while (i < wordEnd && isDigit(units[i]!)) i++
    return i < wordEnd ? Math.min(this.#marks.digit(i), wordEnd) : wordEnd
  }

  /** End of the match at `start`; 0 for none, -1 if it depends on further text. */
  #at(start: number, wordEnd: number, n: number, hits: Hit[], isSettled: boolean, digit: number): number {
    const { text, units, final } = this.#candidate
    let limit = Math.min(n, start + MAX_MATCH)
    const unsigned = digit < limit ? this.#unsigned : this.#digitless
    const automaton = isSettled && !this.#signs.isNear(start) ? unsigned : this.#full
    this.#automaton = automaton
    if (automaton === this.#unsigned && wordEnd > start && wordEnd <= digit)
      automaton.runFromWord(units, start, limit, wordEnd, digit < n ? digit : n + MAX_ADDRESS)
    else automaton.run(units, start, limit)
    if (automaton.alive && limit < n && text.slice(start, limit).includes('@')) {
      limit = Math.min(n, start + MAX_ADDRESS)
      automaton.run(units, start, limit)
    }
    if (automaton.alive && limit === n && !final) return this.#canNoLongerMatch(start, n) ? 0 : -1
    return automaton.count === 0 ? 0 : this.#judge(start, automaton.count, hits)
  }

  /** Like {@link #at}, for a match whose at sign is known. */
  #around(automaton: Automaton, start: number, n: number, hits: Hit[]): number {
    const { units, final } = this.#candidate
    this.#automaton = automaton
    const limit = Math.min(n, start + MAX_ADDRESS)
    automaton.run(units, start, limit)
    if (automaton.alive && limit === n && !final && !this.#canNoLongerMatch(start, n)) return -1
    return automaton.count === 0 ? 0 : this.#judge(start, automaton.count, hits)
  }

  /** Whether nothing that counts matched yet, and every detector that could continue rejects the span. */
  #canNoLongerMatch(start: number, n: number): boolean {
    const automaton = this.#automaton
    const candidate = this.#candidate
    if (automaton.count > 0 && this.#mayCount(start, n)) return false
    candidate.begin(start, n)
    for (const rule of automaton.open) {
      const detector = this.#detectorOf[rule]!
      candidate.ask(this.#groupOf[rule]!, this.#behind[rule] === 1)
      if (detector.onlyInContext === true && !candidate.hasContext && !candidate.unsettled) continue
      if (detector.refuses?.(candidate) !== true) return false
    }
    return true
  }

  /** Whether any of the matches in unfinished text is a value, or may be one with further text. */
  #mayCount(start: number, n: number): boolean {
    const candidate = this.#candidate
    const { count, ends, rules } = this.#automaton
    if (count > MAX_ENDS) return true
    candidate.begin(start, ends[count - 1]!)
    for (let k = count - 1; k >= 0; k--) {
      candidate.shorten(ends[k]!)
      for (const rule of rules[k]!) {
        if (candidate.digitCount < this.#fewestDigits[rule]!) continue
        const detector = this.#detectorOf[rule]!
        candidate.ask(this.#groupOf[rule]!, this.#behind[rule] === 1)
        if (detector.onlyInContext === true && !candidate.hasContext && !candidate.unsettled) continue
        if (ends[k]! + LOOKAHEAD > n) {
          if (detector.refuses?.(candidate) !== true) return true
        } else if (detector.judge(candidate) > 0 || candidate.incomplete || candidate.unsettled) return true
      }
    }
    return false
  }

  /** Judges each end, longest first, and keeps the best match. */
  #judge(start: number, count: number, hits: Hit[]): number {
    const candidate = this.#candidate
    let best: Hit | undefined
    candidate.begin(start, this.#automaton.ends[(count - 1) % MAX_ENDS]!)
    const asking = ++this.#asking
    const isGlued = start > 0 && areJoined(candidate.units[start - 1]!, candidate.units[start]!)
    const { mayBeNamed } = candidate
    for (let k = count - 1; k >= 0 && k >= count - MAX_ENDS; k--) {
      const end = this.#automaton.ends[k % MAX_ENDS]!
      candidate.shorten(end)
      let asked: Detector | undefined
      for (const rule of this.#automaton.rules[k % MAX_ENDS]!) {
        if (candidate.digitCount < this.#fewestDigits[rule]! || (this.#named[rule] === 1 && !mayBeNamed)) continue
        const detector = this.#detectorOf[rule]!
        if (detector === asked || (isGlued && detector.type !== CARD)) continue
        candidate.ask(this.#groupOf[rule]!, this.#behind[rule] === 1)
        if (detector.onlyInContext === true && !mayBeNamed && !candidate.mayBeNamedBehind) continue
        if (this.#asked[rule] === asking && !mayBeShorter(detector, candidate)) continue
        if (detector.onlyInContext === true && !candidate.hasContext) continue
        this.#asked[rule] = asking
        asked = detector
        const score = detector.judge(candidate)
        if (score > (best?.score ?? 0) && score >= this.#minScore) best = { detector, start, end, score }
      }
    }
    // Further text may show a value, a better one, or that this is none.
    if (candidate.unsettled || (candidate.incomplete && (best === undefined || best.score < CERTAIN))) return -1
    if (best === undefined) return 0
    if (!candidate.final && best.end + LOOKAHEAD > candidate.text.length) return -1
    hits.push(best)
    return best.end
  }
}

const isNamedBehind = ({ region, namedBehind }: Detector): boolean => region !== undefined || namedBehind === true

const mayBeShorter = ({ everyEnd }: Detector, candidate: Candidate): boolean =>
  everyEnd === true || (everyEnd === 'in context' && candidate.hasContext)

const isDigit = (c: number): boolean => c >= 48 && c <= 57

/** Vertical tabs and form feeds are read as blanks. */
const withBlanks = (text: string): string =>
  text.includes('\v') || text.includes('\f') ? text.replace(/[\v\f]/g, ' ') : text

function wordEnd(units: Uint16Array, from: number, n: number): number {
  let i = from
  while (i < n && IS_WORD[units[i]!] === 1) i++
  return i
}

/**
 * Whether the word at `i`, inside snake_case, has a digit where values have one: `iban_DE89370400440532013000`, not `order_id`.
 * May need the text after it.
 */
function hasDigit(units: Uint16Array, n: number, i: number, final: boolean): number {
  for (let at = i + 1; at < i + LETTERS_BEFORE_DIGIT; at++) {
    if (at >= n) return final ? NO : UNKNOWN
    if (isDigit(units[at]!)) return YES
    if (IS_WORD[units[at]!] === 0) return NO
  }
  return NO
}

/** Whether a word inside snake_case begins at `start`, where only some detectors find values. */
function apartEnd(units: Uint16Array, from: number, n: number): number {
  let i = from
  while (i < n && IS_APART[units[i]!] === 1) i++
  return i
}

/** Whether a hit ends within what may be a longer value: `93.120` in `93.120.181.188`. */
const goesOn = (units: Uint16Array, end: number): boolean =>
  IS_WORD[units[end]!] === 1 || IS_WORD[units[end + 1]!] === 1
