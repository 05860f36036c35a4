/**
 * One deterministic automaton for the patterns of all detectors. A run visits each character once, however many
 * patterns there are. At the end of an unfinished text, its state says whether a pattern can still match, and so
 * what a stream must hold.
 *
 * States are built on first visit (after R. Cox, "Regular Expression Matching in the Wild", 2010). So start-up is
 * cheap, and memory holds only states that real texts need.
 */
import { type Node, parsePattern } from './pattern.ts'
import { IS_WORD, SYMBOL_OF, SYMBOLS } from './symbols.ts'

/** Maximum number of match ends kept per run. */
export const MAX_ENDS = 16
/** No pattern can match. */
const DEAD = 0
const UNKNOWN = -1
const START = 1
/** Above this number of states the cache is emptied, so that hostile text costs time but no memory. */
const MAX_STATES = 12_000

interface Position {
  readonly set: Uint8Array
  readonly owner: number
  /** Only until all patterns are in. */
  follow: Set<number>
  /** The rule that completes at this position, or -1. */
  rule: number
}

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
  /** One row per class, with one bit per position: whether the position accepts the class. */
  readonly #takes: Uint8Array[]
  #members: Int32Array[] = []
  /** States by hash of their positions and rules. */
  readonly #ids = new Map<number, number[]>()
  /** Number of the set to which each position was last added, and of the current set. */
  readonly #stamps: Int32Array
  #stamp = 0
  readonly #scratch: Int32Array

  /** @param patterns `patterns[i]` is the source of rule `i` */
  constructor(patterns: readonly string[]) {
    const first = new Set<number>()
    for (const [rule, source] of patterns.entries()) for (const p of this.#add(source, rule)) first.add(p)
    this.#first = Int32Array.from(first).sort()
    this.#follow = this.#positions.map((position) => Int32Array.from(position.follow).sort())
    for (const position of this.#positions) position.follow = NOBODY
    const { classOf, sample } = partition(this.#positions.map((p) => p.set))
    this.classOf = classOf
    this.classes = sample.length
    this.#takes = Array.from(sample, (symbol) => rowOf(this.#positions, symbol))
    this.#stamps = new Int32Array(this.#positions.length)
    this.#scratch = new Int32Array(this.#positions.length)
    this.#next = new Int16Array(0)
    this.#reset()
  }

  get states(): number {
    return this.#members.length
  }

  /**
   * Reads `text` from `start` until no pattern can match, at most to `limit`. Sets `count`, `ends` and `rules` to
   * the matches that end at a word's end. Sets `alive` if it reached the limit first.
   */
  run(text: string, start: number, limit: number): void {
    const { classOf, classes } = this
    const n = text.length
    let next = this.#next
    let accepts = this.#accepts
    let state = START
    let count = 0
    let i = start
    while (i < limit) {
      const k = classOf[text.charCodeAt(i)]!
      let target = next[state * classes + k]!
      if (target === UNKNOWN) {
        target = this.#build(state, k)
        next = this.#next
        accepts = this.#accepts
      }
      state = target
      if (state === DEAD) break
      i++
      const rules = accepts[state]
      if (rules === undefined || (i < n && IS_WORD[text.charCodeAt(i)] === 1)) continue
      this.ends[count % MAX_ENDS] = i
      this.rules[count % MAX_ENDS] = rules
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
      if (takes[p] === 0) continue
      const { rule } = this.#positions[p]!
      if (rule >= 0 && !rules.includes(rule)) rules.push(rule)
      for (const q of this.#follow[p]!) {
        if (this.#stamps[q] === stamp) continue
        this.#stamps[q] = stamp
        this.#scratch[count++] = q
      }
    }
    const members = this.#scratch.slice(0, count).sort()
    const target = count === 0 && rules.length === 0 ? DEAD : this.#state(members, rules.sort(ascending))
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

function rowOf(positions: readonly Position[], symbol: number): Uint8Array {
  const row = new Uint8Array(positions.length)
  for (let p = 0; p < row.length; p++) row[p] = positions[p]!.set[symbol]!
  return row
}

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const NOBODY: Set<number> = new Set()
const NOTHING: Part = { first: [], last: [], empty: true }
const ascending = (a: number, b: number): number => a - b

/** Symbols that all sets treat alike share a class; this keeps the table's rows short. */
function partition(sets: readonly Uint8Array[]): { classOf: Uint8Array; sample: Uint8Array } {
  let group = new Int32Array(SYMBOLS)
  let count = 1
  // The parser returns the same array for the same set.
  for (const set of new Set(sets)) {
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
  const sample = new Uint8Array(count)
  for (let s = SYMBOLS - 1; s >= 0; s--) sample[group[s]!] = s
  return { classOf: SYMBOL_OF.map((s) => group[s]!), sample }
}
