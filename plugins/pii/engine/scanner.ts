import { Automaton, MAX_ENDS } from './automaton.ts'
import { Candidate, OTHER_NUMBER } from './candidate.ts'
import type { Detector, Hit } from './detector.ts'
import { Keywords } from './keywords.ts'
import { OTHER_NUMBER_WORDS } from './other-number.ts'
import { IS_WORD } from './symbols.ts'

/** Longest match, and with it the longest suffix a stream waits for, characters; but see {@link MAX_ADDRESS}. */
export const MAX_MATCH = 128
/** Longest match of what has an at sign among its first {@link MAX_MATCH} characters: the longest e-mail address there is. */
export const MAX_ADDRESS = 254
/** A match is certain only once this many characters after it are known. */
const LOOKAHEAD = 2
/** Digits of cards that are known beside a letter. */
const SHORTEST_CARD = 15
const LONGEST_CARD = 16
/** No words after a value make a better one of it. */
const CERTAIN = 0.9

const PLUS = 0x2b
const PAREN = 0x28
const UNDERSCORE = 0x5f
const DOT = 0x2e
const HYPHEN = 0x2d
const ZERO = 0x30
const SPACE = 0x20
/** Millions are written like this, identifiers are not. */
const ZEROS = ' 000 000'

const NO = 0
const YES = 1
const UNKNOWN = 2

export interface ScanResult {
  readonly hits: readonly Hit[]
  /** What stands from here on may still grow into a match; the length of the text if nothing can. */
  readonly hold: number
}

/**
 * Finds all values in one pass. From each place where a word, a number, a plus sign or a parenthesis begins, the
 * automaton reads until no pattern can match any more; the detectors then judge what it saw. What is found at a place
 * depends on the 64 characters before it and what follows, never on how the text was cut: that is why a stream finds
 * what a whole text shows.
 */
export class Scanner {
  readonly #automaton: Automaton
  readonly #detectorOf: readonly Detector[]
  readonly #groupOf: readonly number[]
  readonly #minScore: number
  readonly #candidate: Candidate
  /** A rule of the cards, or -1. */
  readonly #card: number
  /** When each rule was last asked; a rule's longest match is its only one. */
  readonly #asked: Float64Array
  #asking = 0

  constructor(detectors: readonly Detector[], minScore = 0.5) {
    const { automaton, keywords, detectorOf } = compile(detectors)
    this.#automaton = automaton
    this.#detectorOf = detectorOf
    this.#groupOf = detectorOf.map((detector) => keywords.group(detector.type))
    this.#asked = new Float64Array(detectorOf.length)
    this.#card = detectorOf.findIndex((detector) => detector.type === 'credit_card')
    this.#minScore = minScore
    this.#candidate = new Candidate(keywords)
  }

  /** For diagnosis: how many states were needed so far. */
  get states(): number {
    return this.#automaton.states
  }

  /** Looks for values that begin at `from` or later; earlier text is context. */
  scan(text: string, from: number, final: boolean): ScanResult {
    const hits: Hit[] = []
    const n = text.length
    this.#candidate.open(text, final)
    let hold = n
    let i = from
    while (i < n) {
      const c = text.charCodeAt(i)
      const word = IS_WORD[c] === 1
      const begins = word || c === PLUS || c === PAREN ? this.#begins(text, i, c) : NO
      if (begins === NO) {
        i++
        continue
      }
      if (begins === UNKNOWN) {
        hold = i
        break
      }
      const past = isDigit(c) ? this.#pastCount(text, i) : i
      if (past > i) {
        i = past
        continue
      }
      let end = this.#at(i, n, hits)
      if (end === 0 && (isDigit(c) || (word && isDigit(text.charCodeAt(i + 1))))) end = this.#glued(i, n, hits)
      if (end < 0) {
        hold = i
        break
      }
      i = end > 0 ? end : word ? wordEnd(text, i + 1, n) : i + 1
    }
    return { hits: hold === n ? hits : settle(hits, hold), hold: hold === n ? n : holdOf(hits, hold) }
  }

  /** Where the second group of zeros of a count such as `12 000 000` ends, unless words before call it something; else `i`. */
  #pastCount(text: string, i: number): number {
    let end = i + 1
    while (end < i + 3 && isDigit(text.charCodeAt(end))) end++
    if (!text.startsWith(ZEROS, end) || text.charCodeAt(i) === ZERO) return i
    return this.#candidate.hasAnyContext(i) ? i : end + ZEROS.length
  }

  /** Whether a word or number may begin at `i`; what follows may be needed to tell. */
  #begins(text: string, i: number, c: number): number {
    if (i === 0) return YES
    const previous = text.charCodeAt(i - 1)
    if (IS_WORD[previous] === 1) return NO
    // Line breaks and tabs.
    if (previous < SPACE || i === 1 || IS_WORD[text.charCodeAt(i - 2)] === 0) return YES
    const digit = isDigit(c)
    // Inside snake_case only a number may begin: `order_id`, but `id_4111111111111111`.
    if (previous === UNDERSCORE && !digit) return NO
    const afterDigit = digit && isDigit(text.charCodeAt(i - 2))
    if (afterDigit && previous === DOT) return NO // decimals
    if (afterDigit && previous === HYPHEN) {
      // Parts of a code; but an address may follow the hyphen of a range.
      const end = wordEnd(text, i, Math.min(text.length, i + 4))
      if (end === text.length && !this.#candidate.final) return UNKNOWN
      if (text.charCodeAt(end) !== DOT) return NO
    }
    // In `4 1 1 1` and `a.b.c` only the first character begins something.
    if (!digit && previous !== DOT && previous !== HYPHEN) return YES
    if (i > 2 && IS_WORD[text.charCodeAt(i - 3)] === 1) return YES
    if (i + 1 === text.length && !this.#candidate.final) return UNKNOWN
    return IS_WORD[text.charCodeAt(i + 1)] === 1 ? YES : NO
  }

  /** Where the match at `start` ends; 0 if there is none, -1 if that depends on text to come. */
  #at(start: number, n: number, hits: Hit[]): number {
    const { text, final } = this.#candidate
    const automaton = this.#automaton
    let limit = Math.min(n, start + MAX_MATCH)
    automaton.run(text, start, limit)
    if (automaton.alive && limit < n && text.slice(start, limit).includes('@')) {
      limit = Math.min(n, start + MAX_ADDRESS)
      automaton.run(text, start, limit)
    }
    if (automaton.alive && limit === n && !final) return this.#isHopeless(start, n) ? 0 : -1
    return automaton.count === 0 ? 0 : this.#judge(start, automaton.count, hits)
  }

  /** As `#at`, for a card number with one letter glued to it: `x4111111111111111`. More letters make it a code. */
  #glued(i: number, n: number, hits: Hit[]): number {
    const candidate = this.#candidate
    const { text, final } = candidate
    const start = isDigit(text.charCodeAt(i)) ? i : i + 1
    let end = start
    while (end < n && end - start <= LONGEST_CARD && isDigit(text.charCodeAt(end))) end++
    if (end === start || end - start > LONGEST_CARD || this.#card < 0) return 0
    if (end === n && !final) return -1
    const after = start > i ? end : end + 1
    if (end - start < SHORTEST_CARD || (start === i && IS_WORD[text.charCodeAt(end)] !== 1)) return 0
    if (after >= n && !final) return -1
    if (IS_WORD[text.charCodeAt(after)] === 1) return 0
    const detector = this.#detectorOf[this.#card]!
    candidate.begin(start, end)
    candidate.ask(this.#groupOf[this.#card]!)
    const score = detector.judge(candidate)
    if (score === 0 || score < this.#minScore) return 0
    hits.push({ detector, start, end, score })
    return end
  }

  /** Nothing ended yet, and each detector that could go on refuses what there is: as if the automaton had died. */
  #isHopeless(start: number, n: number): boolean {
    const automaton = this.#automaton
    const candidate = this.#candidate
    if (automaton.count > 0) return false
    candidate.begin(start, n)
    for (const rule of automaton.open) {
      const detector = this.#detectorOf[rule]!
      candidate.ask(this.#groupOf[rule]!)
      if (detector.onlyInContext === true && !candidate.hasContext) continue
      if (detector.refuses?.(candidate) !== true) return false
    }
    return true
  }

  /** Asks the detectors about each end, longest first, and keeps the best answer. */
  #judge(start: number, count: number, hits: Hit[]): number {
    const candidate = this.#candidate
    let best: Hit | undefined
    candidate.begin(start, this.#automaton.ends[(count - 1) % MAX_ENDS]!)
    const asking = ++this.#asking
    for (let k = count - 1; k >= 0 && k >= count - MAX_ENDS; k--) {
      const end = this.#automaton.ends[k % MAX_ENDS]!
      candidate.shorten(end)
      let asked: Detector | undefined
      for (const rule of this.#automaton.rules[k % MAX_ENDS]!) {
        const detector = this.#detectorOf[rule]!
        if (detector === asked) continue
        candidate.ask(this.#groupOf[rule]!)
        if (this.#asked[rule] === asking && !mayBeShorter(detector, candidate)) continue
        if (detector.onlyInContext === true && !candidate.hasContext) continue
        this.#asked[rule] = asking
        asked = detector
        const score = detector.judge(candidate)
        if (score > (best?.score ?? 0) && score >= this.#minScore) best = { detector, start, end, score }
      }
    }
    // What is still to come may show a value, a better one, or that this is none.
    if (candidate.unsettled || (candidate.incomplete && (best === undefined || best.score < CERTAIN))) return -1
    if (best === undefined) return 0
    if (!candidate.final && best.end + LOOKAHEAD > candidate.text.length) return -1
    hits.push(best)
    return best.end
  }
}

const mayBeShorter = ({ everyEnd }: Detector, candidate: Candidate): boolean =>
  everyEnd === true || (everyEnd === 'in context' && candidate.hasContext)

interface Compiled {
  readonly detectors: readonly Detector[]
  readonly automaton: Automaton
  readonly keywords: Keywords
  /** The detector of each rule. */
  readonly detectorOf: readonly Detector[]
}

/** The last sets of detectors: what one of them has learnt about texts outlives a reload of the options. */
const compiled: Compiled[] = []
const KEPT = 4

function compile(detectors: readonly Detector[]): Compiled {
  const known = compiled.find(
    (one) => one.detectors.length === detectors.length && detectors.every((d, i) => one.detectors[i] === d),
  )
  if (known !== undefined) return known
  const rules = detectors.flatMap((detector) => detector.patterns.map((pattern) => ({ detector, pattern })))
  const fresh = {
    detectors,
    automaton: new Automaton(rules.map((rule) => rule.pattern)),
    keywords: new Keywords({ [OTHER_NUMBER]: OTHER_NUMBER_WORDS, ...contextWords(detectors) }),
    detectorOf: rules.map((rule) => rule.detector),
  }
  compiled.unshift(fresh)
  compiled.length = Math.min(compiled.length, KEPT)
  return fresh
}

/** Detectors of one type share their words. */
function contextWords(detectors: readonly Detector[]): Record<string, readonly string[]> {
  const groups: Record<string, readonly string[]> = {}
  for (const { type, context } of detectors) groups[type] = [...(groups[type] ?? []), ...(context ?? [])]
  return groups
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57

function wordEnd(text: string, from: number, n: number): number {
  let i = from
  while (i < n && IS_WORD[text.charCodeAt(i)] === 1) i++
  return i
}

/** A match that reaches into what is held is not certain yet either; matches stand in order and do not overlap. */
function holdOf(hits: readonly Hit[], hold: number): number {
  const last = hits.at(-1)
  return last !== undefined && last.end > hold ? last.start : hold
}

function settle(hits: Hit[], hold: number): readonly Hit[] {
  const last = hits.at(-1)
  return last !== undefined && last.end > hold ? hits.slice(0, -1) : hits
}
