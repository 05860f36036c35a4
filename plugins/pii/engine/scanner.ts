import { Automaton, DEAD } from './automaton.ts'
import { Candidate, OTHER_NUMBER } from './candidate.ts'
import type { Detector, Hit } from './detector.ts'
import { Keywords } from './keywords.ts'
import { OTHER_NUMBER_WORDS } from './other-number.ts'
import { IS_WORD } from './symbols.ts'

/** Longest match, and with it the longest suffix a stream waits for, characters. */
export const MAX_MATCH = 128
/** A match is certain only once this many characters after it are known. */
const LOOKAHEAD = 2
/** Ends of matches kept for one start; the longest ones. */
const MAX_ENDS = 16

const PLUS = 0x2b
const PAREN = 0x28
const UNDERSCORE = 0x5f

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
  readonly #ends = new Int32Array(MAX_ENDS)
  /** When each rule was last asked; a rule's longest match is its only one. */
  readonly #asked: Float64Array
  #asking = 0
  readonly #rules: (readonly number[])[] = new Array(MAX_ENDS).fill([])

  constructor(detectors: readonly Detector[], minScore = 0.5) {
    const rules = detectors.flatMap((detector) => detector.patterns.map((pattern) => ({ detector, pattern })))
    const keywords = new Keywords({
      [OTHER_NUMBER]: OTHER_NUMBER_WORDS,
      ...contextWords(detectors),
    })
    this.#automaton = new Automaton(rules.map((rule) => rule.pattern))
    this.#detectorOf = rules.map((rule) => rule.detector)
    this.#groupOf = rules.map((rule) => keywords.group(rule.detector.type))
    this.#asked = new Float64Array(rules.length)
    this.#minScore = minScore
    this.#candidate = new Candidate(keywords)
  }

  /** For diagnosis: how many states were needed so far. */
  get states(): number {
    return this.#automaton.states
  }

  /** Looks for values that begin at `from` or later; what stands before it is context. */
  scan(text: string, from: number, final: boolean): ScanResult {
    const hits: Hit[] = []
    const n = text.length
    this.#candidate.open(text, final)
    let hold = n
    let i = from
    while (i < n) {
      const c = text.charCodeAt(i)
      const word = IS_WORD[c] === 1
      if ((!word && c !== PLUS && c !== PAREN) || !this.#mayStart(text, i, c)) {
        i++
        continue
      }
      const end = this.#at(i, n, hits)
      if (end < 0) {
        hold = i
        break
      }
      i = end > 0 ? end : word ? wordEnd(text, i + 1, n) : i + 1
    }
    return { hits: hold === n ? hits : settle(hits, hold), hold: hold === n ? n : holdOf(hits, hold) }
  }

  #mayStart(text: string, i: number, c: number): boolean {
    if (i === 0) return true
    const previous = text.charCodeAt(i - 1)
    if (IS_WORD[previous] === 1) return false
    if (isInsideSpacedDigits(text, i, c)) return false
    // Inside snake_case only a number may begin: `order_id`, but `id_4111111111111111`.
    return previous !== UNDERSCORE || i < 2 || (c >= 48 && c <= 57) || IS_WORD[text.charCodeAt(i - 2)] === 0
  }

  /** Where the match at `start` ends; 0 if there is none, -1 if that depends on text to come. */
  #at(start: number, n: number, hits: Hit[]): number {
    const { text, final } = this.#candidate
    const automaton = this.#automaton
    const { classOf } = automaton
    const limit = Math.min(n, start + MAX_MATCH)
    let state = automaton.start
    let count = 0
    let i = start
    while (i < limit) {
      state = automaton.step(state, classOf[text.charCodeAt(i)]!)
      if (state === DEAD) break
      i++
      const rules = automaton.accepts[state]
      if (rules === undefined || (i < n && IS_WORD[text.charCodeAt(i)] === 1)) continue
      this.#ends[count % MAX_ENDS] = i
      this.#rules[count % MAX_ENDS] = rules
      count++
    }
    if (state !== DEAD && i === n && !final) return -1
    return count === 0 ? 0 : this.#judge(start, count, hits)
  }

  /** Asks the detectors about each end, longest first, and keeps the best answer. */
  #judge(start: number, count: number, hits: Hit[]): number {
    const candidate = this.#candidate
    let best: Hit | undefined
    candidate.begin(start, this.#ends[(count - 1) % MAX_ENDS]!)
    const asking = ++this.#asking
    for (let k = count - 1; k >= 0 && k >= count - MAX_ENDS; k--) {
      const end = this.#ends[k % MAX_ENDS]!
      candidate.shorten(end)
      let asked: Detector | undefined
      for (const rule of this.#rules[k % MAX_ENDS]!) {
        const detector = this.#detectorOf[rule]!
        if (detector === asked || (this.#asked[rule] === asking && detector.everyEnd === undefined)) continue
        this.#asked[rule] = asking
        asked = detector
        candidate.ask(this.#groupOf[rule]!)
        const score = detector.judge(candidate)
        if (score > (best?.score ?? 0) && score >= this.#minScore) best = { detector, start, end, score }
      }
    }
    if (best === undefined) return candidate.incomplete ? -1 : 0
    if (!candidate.final && best.end + LOOKAHEAD > candidate.text.length) return -1
    hits.push(best)
    return best.end
  }
}

/** Detectors of one type share their words. */
function contextWords(detectors: readonly Detector[]): Record<string, readonly string[]> {
  const groups: Record<string, readonly string[]> = {}
  for (const { type, context } of detectors) groups[type] = [...(groups[type] ?? []), ...(context ?? [])]
  return groups
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57

/** In `4 1 1 1 …` only the first digit begins a number: its digits are not numbers of their own. */
function isInsideSpacedDigits(text: string, i: number, c: number): boolean {
  if (!isDigit(c) || i < 2 || isDigit(text.charCodeAt(i + 1)) || !isDigit(text.charCodeAt(i - 2))) return false
  return i === 2 || !isDigit(text.charCodeAt(i - 3))
}

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
