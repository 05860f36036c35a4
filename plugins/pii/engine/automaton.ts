/**
 * One deterministic automaton for the patterns of all detectors. A run visits each character once, however many
 * patterns there are. At the end of an unfinished text, its state says whether a pattern can still match, and so
 * what a stream must hold.
 *
 * States are built on first visit (after R. Cox, "Regular Expression Matching in the Wild", 2010). So start-up is
 * cheap, and memory holds only states that real texts need.
 */
import { type Node, parsePattern } from './pattern.ts'
import { FAR, type Position, reaches } from './reach.ts'
import { IS_WORD, SYMBOL_OF, SYMBOLS } from './symbols.ts'

/** Maximum number of match ends kept per run. */
export const MAX_ENDS = 16
/** No pattern can match. */
const DEAD = 0
const UNKNOWN = -1
const START = 1
/** Above this number of states the cache is emptied, so that hostile text costs time but no memory. */
const MAX_STATES = 12_000
/** Added to a state in the table that completes a rule. */
const ACCEPTS = 0x4000
/** Classes of the most usual characters come first, so that a state's usual targets share a line of cache. */
const USUAL = ' etaoinshrdlucmfwypvbgkjxqz,.0123456789-:/ETAOINSHRDLUCMFWYPVBGKJXQZ'
/** Rows are so many lines of cache, an odd number: they share none, and spread over all sets. */
const LINE = 32

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
  readonly #positions: Position[] = []
  /** `#positions[p].follow`, sorted, once all patterns are added. */
  readonly #follow: Int32Array[]
  readonly #first: Int32Array
  /** Number of the set of each position. */
  readonly #setOf: Uint16Array
  /** One row per class, with one bit per set: whether the set has the class. */
  readonly #takes: Uint8Array[]
  #members: Int32Array[] = []
  /** States by hash of their positions and rules. */
  readonly #ids = new Map<number, number[]>()
  /** Number of the set to which each position was last added, and of the current set. */
  readonly #stamps: Int32Array
  #stamp = 0
  readonly #scratch: Int32Array

  /** Of each position, see `reach.ts`. */
  readonly #reachOf: Uint8Array
  /** Of each state, at the end of the last run or within it. */
  #reach = new Uint8Array(64)

  /**
   * @param patterns `patterns[i]` is the source of rule `i`; those without are not in the automaton
   * @param needDigit rules whose matches count only with a digit
   */
  constructor(patterns: readonly (string | undefined)[], needDigit: (rule: number) => boolean = () => false) {
    const first = new Set<number>()
    for (const [rule, source] of patterns.entries())
      if (source !== undefined) for (const p of this.#add(source, rule)) first.add(p)
    this.#reachOf = reaches(this.#positions, needDigit)
    this.#first = Int32Array.from(first).sort()
    this.#follow = this.#positions.map((position) => Int32Array.from(position.follow).sort())
    for (const position of this.#positions) position.follow = NOBODY
    const sets = [...new Set(this.#positions.map((p) => p.set))]
    const { classOf, sample } = partition(sets)
    this.classOf = classOf
    this.classes = (Math.ceil(sample.length / LINE) * LINE) | LINE
    const numberOf = new Map(sets.map((set, number) => [set, number]))
    this.#setOf = Uint16Array.from(this.#positions, (p) => numberOf.get(p.set)!)
    this.#takes = Array.from(sample, (symbol) => Uint8Array.from(sets, (set) => set[symbol]!))
    this.#stamps = new Int32Array(this.#positions.length)
    this.#scratch = new Int32Array(this.#positions.length)
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
   * @param units of a text, and behind them one that is part of no word
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
      if (target === state || IS_WORD[units[i]!] === 1) continue
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
      open = [...new Set(Array.from(this.#members[state]!, (p) => this.#positions[p]!.owner))]
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
    const takes = this.#takes[k]!
    const stamp = ++this.#stamp
    let count = 0
    const rules: number[] = []
    for (const p of this.#members[state]!) {
      if (takes[this.#setOf[p]!] === 0) continue
      const { rule } = this.#positions[p]!
      if (rule >= 0 && !rules.includes(rule)) rules.push(rule)
      for (const q of this.#follow[p]!) {
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
    for (const p of members) this.#reach[id] = Math.max(this.#reach[id]!, this.#reachOf[p]!)
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

  /**
   * Adds a pattern as positions (Glushkov's construction).
   *
   * @returns the positions that it can begin with
   */
  #add(source: string, rule: number): readonly number[] {
    const part = this.#compile(parsePattern(source), rule)
    if (part.empty) throw new Error(`pattern ${JSON.stringify(source)} matches nothing at all`)
    for (const p of part.last) this.#positions[p]!.rule = rule
    return part.first
  }

  #compile(node: Node, rule: number): Part {
    if (node.kind === 'set') {
      const p = this.#positions.push({ set: node.set, owner: rule, follow: new Set(), rule: -1 }) - 1
      return { first: [p], last: [p], empty: false }
    }
    if (node.kind === 'alt') {
      const parts = node.items.map((item) => this.#compile(item, rule))
      return {
        first: parts.flatMap((part) => part.first),
        last: parts.flatMap((part) => part.last),
        empty: parts.some((part) => part.empty),
      }
    }
    if (node.kind === 'seq')
      return node.items.reduce((left: Part, item) => this.#join(left, this.#compile(item, rule)), NOTHING)
    return this.#repeat(node, rule)
  }

  #repeat({ item, min, max }: Node & { kind: 'repeat' }, rule: number): Part {
    let whole = NOTHING
    for (let i = 0; i < min; i++) whole = this.#join(whole, this.#compile(item, rule))
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#compile(item, rule)
      this.#link(loop.last, loop.first)
      return this.#join(whole, { ...loop, empty: true })
    }
    // Build (a(a(a)?)?)? instead of a?a?a?, so that each position follows only one other.
    let rest: Part = NOTHING
    for (let i = min; i < max; i++) rest = { ...this.#join(this.#compile(item, rule), rest), empty: true }
    return this.#join(whole, rest)
  }

  #join(left: Part, right: Part): Part {
    this.#link(left.last, right.first)
    return {
      first: left.empty ? [...left.first, ...right.first] : left.first,
      last: right.empty ? [...left.last, ...right.last] : right.last,
      empty: left.empty && right.empty,
    }
  }

  #link(from: readonly number[], to: readonly number[]): void {
    for (const p of from) for (const q of to) this.#positions[p]!.follow.add(q)
  }
}

interface Part {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly empty: boolean
}

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

const NOBODY: Set<number> = new Set()
const NOTHING: Part = { first: [], last: [], empty: true }
const ascending = (a: number, b: number): number => a - b

/**
 * Symbols that all sets treat alike share a class; this keeps the table's rows short.
 *
 * @param sets without repeats; the parser returns the same array for the same set
 */
function partition(sets: readonly Uint8Array[]): { classOf: Uint8Array; sample: Uint8Array } {
  let group = new Int32Array(SYMBOLS)
  let count = 1
  for (const set of sets) {
    const renamed = new Map<number, number>()
    const refined = new Int32Array(SYMBOLS)
    for (let s = 0; s < SYMBOLS; s++) {
      const pair = group[s]! * 2 + set[s]!
      if (!renamed.has(pair)) renamed.set(pair, renamed.size)
      refined[s] = renamed.get(pair)!
    }
    group = refined
    count = renamed.size
  }
  const order = new Set([...Array.from(USUAL, (char) => group[char.charCodeAt(0)]!), ...group])
  const rank = new Map(Array.from(order, (old, i) => [old, i]))
  group = group.map((old) => rank.get(old)!)
  const sample = new Uint8Array(count)
  for (let s = SYMBOLS - 1; s >= 0; s--) sample[group[s]!] = s
  return { classOf: SYMBOL_OF.map((s) => group[s]!), sample }
}
