/**
 * One deterministic automaton for the patterns of all detectors. A run visits each character once, however many
 * patterns there are. At the end of an unfinished text, its state says whether a pattern can still match, and so
 * what a stream must hold.
 *
 * States are built on first visit (after R. Cox, "Regular Expression Matching in the Wild", 2010). So start-up is
 * cheap, and memory holds only states that real texts need.
 */
import type { Positions } from './positions.ts'
import { FAR } from './reach.ts'
import { IS_APART, IS_WORD } from './symbols.ts'

/** Maximum number of match ends kept per run. */
export const MAX_ENDS = 16
/** No pattern can match. */
const DEAD = 0
const UNKNOWN = -1
const START = 1
/** No gap before a digit is long enough. */
const NEVER = 255
const ASCII = 128
/** Above this number of states the cache is emptied, so that hostile text costs time but no memory. */
const MAX_STATES = 12_000
/** Added to a state in the table that completes a rule. */
const ACCEPTS = 0x4000

export class Automaton {
  /** Input class of each UTF-16 unit. */
  readonly classOf: Uint8Array
  readonly classes: number
  /** Ends of the matches of {@link run}. Match `k` is at `k % MAX_ENDS`, so the longest ones are kept. */
  readonly ends = new Int32Array(MAX_ENDS)
  readonly rules: (readonly number[])[] = new Array(MAX_ENDS).fill([])
  count = 0
  alive = false
  /** State at the end of the last run. */
  #last = START
  /** For each state, the rules that can still match; computed on demand. */
  #open: (readonly number[] | undefined)[] = []
  /** For each state, the rules that it completes; usually undefined. */
  #accepts: (readonly number[] | undefined)[] = []
  #next: Int16Array
  readonly #positions: Positions
  readonly #first: Int32Array
  #members: Int32Array[] = []
  /** States by hash of their positions and rules. */
  readonly #ids = new Map<number, number[]>()
  /** Number of the set to which each position was last added, and of the current set. */
  readonly #stamps: Int32Array
  #stamp = 0
  readonly #scratch: Int32Array

  /** Of each state, at the end of the last run or within it. */
  #reach = new Uint8Array(64)

  /** By three letters of ASCII, see {@link gap}; 0 is unknown. */
  #gaps = new Uint8Array(0)

  /** @param isRead the rules whose matches it finds */
  constructor(positions: Positions, isRead: (rule: number) => boolean = () => true) {
    this.#positions = positions
    this.#first = Int32Array.from(new Set(positions.firstOf.filter((_, rule) => isRead(rule)).flat())).sort()
    this.classOf = positions.classOf
    this.classes = positions.rowLength
    this.#stamps = new Int32Array(positions.count)
    this.#scratch = new Int32Array(positions.count)
    this.#next = new Int16Array(0)
    this.#reset()
  }

  get states(): number {
    return this.#members.length
  }

  /**
   * Reads `units` from `start` until no pattern can match, at most to `limit`. Sets `count`, `ends` and `rules` to
   * the matches that end at a word's end. Sets `alive` if it reached the limit first.
   *
   * @param units of a text, and after them one that is part of no word
   */
  run(units: Uint16Array, start: number, limit: number): void {
    this.#continue(units, start, limit, START)
  }

  /**
   * Like `run`, for a word without a digit: stops within it when no match can reach the next digit.
   *
   * @param wordEnd end of the word
   * @param digit position of the next digit
   */
  runFromWord(units: Uint16Array, start: number, limit: number, wordEnd: number, digit: number): void {
    const { classOf, classes } = this
    let state = START
    let i = start
    const end = Math.min(wordEnd, limit)
    while (i < end) {
      const k = classOf[units[i]!]!
      let target = this.#next[state * classes + k]!
      if (target === UNKNOWN) target = this.#build(state, k)
      // A match at the end of the word is read again below.
      if (target >= ACCEPTS && i + 1 === wordEnd) break
      state = target & ~ACCEPTS
      i++
      const reach = this.#reach[state]!
      if (i + reach <= digit && reach < FAR) {
        this.count = 0
        this.alive = false
        return
      }
    }
    this.#continue(units, i, limit, state)
  }

  /**
   * Where a word without a digit begins with these characters, or has only the first one or two of them: if the next digit
   * is at least so far from its start, {@link runFromWord} finds nothing. 255 if that takes more of the word.
   */
  gap(first: number, second: number, third: number): number {
    if ((first | second | third) >= ASCII) return NEVER
    const at = (CODE[first]! << 12) | (CODE[second]! << 6) | CODE[third]!
    return this.#gaps[at] || this.#measureGap(at, first, second, third)
  }

  #measureGap(at: number, ...units: readonly number[]): number {
    if (this.#gaps.length === 0) this.#gaps = new Uint8Array(1 << 18)
    let gap = NEVER
    let state = START
    for (const [i, unit] of units.entries()) {
      if (CODE[unit] === 0) break
      const k = this.classOf[unit]!
      const known = this.#next[state * this.classes + k]!
      const target = known === UNKNOWN ? this.#build(state, k) : known
      // A match may end here, with the word.
      if (target >= ACCEPTS) break
      state = target
      const reach = this.#reach[state]!
      // At least 2: a letter may be joined to the number after it.
      if (reach < FAR) gap = Math.min(gap, Math.max(2, i + 1 + reach))
    }
    this.#gaps[at] = gap
    return gap
  }

  #continue(units: Uint16Array, start: number, limit: number, from: number): void {
    const { classOf, classes } = this
    let next = this.#next
    let state = from
    let count = 0
    let i = start
    while (i < limit) {
      const k = classOf[units[i]!]!
      let target = next[state * classes + k]!
      if (target === UNKNOWN) {
        target = this.#build(state, k)
        next = this.#next
      }
      state = target & ~ACCEPTS
      if (state === DEAD) break
      i++
      if (target === state || (IS_WORD[units[i]!] === 1 && !isApart(units[i - 1]!, units[i]!))) continue
      this.ends[count % MAX_ENDS] = i
      this.rules[count % MAX_ENDS] = this.#accepts[state]!
      count++
    }
    this.count = count
    this.alive = state !== DEAD
    this.#last = state
  }

  /** Rules that can still match where the last run stopped. */
  get open(): readonly number[] {
    const state = this.#last
    let open = this.#open[state]
    if (open === undefined) {
      open = [...new Set(Array.from(this.#members[state]!, (p) => this.#positions.ownerOf[p]!))]
      this.#open[state] = open
    }
    return open
  }

  #reset(): void {
    this.#members = [new Int32Array(0), this.#first]
    this.#accepts = [undefined, undefined]
    this.#open = []
    this.#reach = new Uint8Array(64)
    this.#reach[START] = FAR
    this.#ids.clear()
    this.#next = new Int16Array(64 * this.classes).fill(UNKNOWN)
    this.#next.fill(DEAD, 0, this.classes)
  }

  #build(state: number, k: number): number {
    if (this.#members.length >= MAX_STATES) {
      const from = this.#members[state]!
      this.#reset()
      // The caller's run continues, so rebuild its state under a new number.
      return this.#build(this.#state(from, []), k)
    }
    const { ruleOf, follow, followAt, setOf } = this.#positions
    const takes = this.#positions.takes[k]!
    const stamp = ++this.#stamp
    let count = 0
    const rules: number[] = []
    for (const p of this.#members[state]!) {
      if (takes[setOf[p]!] === 0) continue
      const rule = ruleOf[p]!
      if (rule >= 0 && !rules.includes(rule)) rules.push(rule)
      for (let i = followAt[p]!; i < followAt[p + 1]!; i++) {
        const q = follow[i]!
        if (this.#stamps[q] === stamp) continue
        this.#stamps[q] = stamp
        this.#scratch[count++] = q
      }
    }
    const members = this.#scratch.slice(0, count).sort()
    const id = count === 0 && rules.length === 0 ? DEAD : this.#state(members, rules.sort(ascending))
    const target = rules.length === 0 ? id : id | ACCEPTS
    this.#next[state * this.classes + k] = target
    return target
  }

  #state(members: Int32Array, rules: readonly number[]): number {
    let hash = 17
    for (const p of members) hash = (Math.imul(hash, 31) + p) | 0
    for (const rule of rules) hash = (Math.imul(hash, 37) + rule) | 0
    const known = this.#ids.get(hash) ?? []
    for (const id of known) if (same(this.#members[id]!, members) && same(this.#accepts[id] ?? [], rules)) return id
    const id = this.#members.push(members) - 1
    if (id >= this.#reach.length) this.#reach = grown(this.#reach)
    const { reachOf } = this.#positions
    for (const p of members) this.#reach[id] = Math.max(this.#reach[id]!, reachOf[p]!)
    this.#accepts.push(rules.length === 0 ? undefined : rules)
    known.push(id)
    this.#ids.set(hash, known)
    if ((id + 1) * this.classes > this.#next.length) {
      const larger = new Int16Array(this.#next.length * 2).fill(UNKNOWN)
      larger.set(this.#next)
      this.#next = larger
    }
    return id
  }
}

/** Whether a word of one script ends before a letter of another. */
const isApart = (last: number, next: number): boolean => IS_WORD[last] === 1 && IS_APART[last] !== IS_APART[next]

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function grown(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(array.length * 2)
  larger.set(array)
  return larger
}

/** Letters of ASCII from 1 to 52; 0 for all others. */
const CODE = new Uint8Array(ASCII)
for (let letter = 0; letter < 26; letter++) {
  CODE[65 + letter] = 1 + letter
  CODE[97 + letter] = 27 + letter
}

const ascending = (a: number, b: number): number => a - b
