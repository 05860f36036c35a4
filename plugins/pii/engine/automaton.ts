/**
 * One deterministic automaton for all patterns of all detectors. It is what makes a scan cheap and strictly linear: a
 * run visits each character once however many patterns there are, and at the end of a text that may go on its state
 * says whether some pattern could still match, which is exactly what a stream must hold back.
 *
 * States are built when first visited (after R. Cox, "Regular Expression Matching in the Wild", 2010), so start-up is
 * cheap and only what texts really look like takes memory.
 */
import { type Node, parsePattern } from './pattern.ts'
import { SYMBOL_OF, SYMBOLS } from './symbols.ts'

/** The dead state: no pattern can match any more. */
export const DEAD = 0
const UNKNOWN = -1
const START = 1
/** Past this many states the cache is emptied: a hostile text may cost time, not memory. */
const MAX_STATES = 12_000

interface Position {
  readonly set: Uint8Array
  readonly follow: Set<number>
  /** The rule that is complete once this position was consumed, or -1. */
  rule: number
}

export class Automaton {
  /** Input class of each UTF-16 unit. */
  readonly classOf: Uint8Array
  readonly classes: number
  readonly start = START
  /** For each state, the rules complete there; undefined for most. */
  accepts: (readonly number[] | undefined)[] = []
  #next: Int16Array
  #positions: Position[] = []
  #first: readonly number[]
  /** One symbol of each class, to ask the position sets. */
  #sample: Uint8Array
  #members: (readonly number[])[] = []
  #ids = new Map<string, number>()

  /** `patterns[i]` is the source of rule `i`. */
  constructor(patterns: readonly string[]) {
    const first = new Set<number>()
    for (const [rule, source] of patterns.entries()) for (const p of this.#add(source, rule)) first.add(p)
    this.#first = [...first]
    const { classOf, sample } = partition(this.#positions.map((p) => p.set))
    this.classOf = classOf
    this.#sample = sample
    this.classes = sample.length
    this.#next = new Int16Array(0)
    this.#reset()
  }

  get states(): number {
    return this.#members.length
  }

  /** The state after reading a character of class `k` in `state`. */
  step(state: number, k: number): number {
    const next = this.#next[state * this.classes + k]!
    return next === UNKNOWN ? this.#build(state, k) : next
  }

  #reset(): void {
    this.#members = [[], this.#first]
    this.accepts = [undefined, undefined]
    this.#ids.clear()
    this.#next = new Int16Array(64 * this.classes).fill(UNKNOWN)
    this.#next.fill(DEAD, 0, this.classes)
  }

  #build(state: number, k: number): number {
    if (this.#members.length >= MAX_STATES) {
      const from = this.#members[state]!
      this.#reset()
      // The caller is in the middle of a run: its state must go on, under a new number.
      return this.#build(this.#state(from, []), k)
    }
    const symbol = this.#sample[k]!
    const next = new Set<number>()
    const rules = new Set<number>()
    for (const p of this.#members[state]!) {
      const position = this.#positions[p]!
      if (position.set[symbol] === 0) continue
      if (position.rule >= 0) rules.add(position.rule)
      for (const q of position.follow) next.add(q)
    }
    const target =
      next.size === 0 && rules.size === 0 ? DEAD : this.#state([...next].sort(ascending), [...rules].sort(ascending))
    this.#next[state * this.classes + k] = target
    return target
  }

  #state(members: readonly number[], rules: readonly number[]): number {
    const key = `${members.join()};${rules.join()}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#members.length
    this.#members.push(members)
    this.accepts.push(rules.length === 0 ? undefined : rules)
    this.#ids.set(key, id)
    if ((id + 1) * this.classes > this.#next.length) {
      const larger = new Int16Array(this.#next.length * 2).fill(UNKNOWN)
      larger.set(this.#next)
      this.#next = larger
    }
    return id
  }

  /** Adds a pattern as positions (Glushkov's construction) and returns the ones it can begin with. */
  #add(source: string, rule: number): readonly number[] {
    const part = this.#compile(parsePattern(source))
    if (part.empty) throw new Error(`pattern ${JSON.stringify(source)} matches nothing at all`)
    for (const p of part.last) this.#positions[p]!.rule = rule
    return part.first
  }

  #compile(node: Node): Part {
    if (node.kind === 'set') {
      const p = this.#positions.push({ set: node.set, follow: new Set(), rule: -1 }) - 1
      return { first: [p], last: [p], empty: false }
    }
    if (node.kind === 'alt') {
      const parts = node.items.map((item) => this.#compile(item))
      return {
        first: parts.flatMap((part) => part.first),
        last: parts.flatMap((part) => part.last),
        empty: parts.some((part) => part.empty),
      }
    }
    if (node.kind === 'seq')
      return node.items.reduce((left: Part, item) => this.#join(left, this.#compile(item)), NOTHING)
    return this.#repeat(node.item, node.min, node.max)
  }

  #repeat(item: Node, min: number, max: number): Part {
    let whole = NOTHING
    for (let i = 0; i < min; i++) whole = this.#join(whole, this.#compile(item))
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#compile(item)
      this.#link(loop.last, loop.first)
      return this.#join(whole, { ...loop, empty: true })
    }
    // (a(a(a)?)?)? rather than a?a?a?: each position follows from one place only.
    let rest: Part = NOTHING
    for (let i = min; i < max; i++) rest = { ...this.#join(this.#compile(item), rest), empty: true }
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

const NOTHING: Part = { first: [], last: [], empty: true }
const ascending = (a: number, b: number): number => a - b

/** Symbols that every set treats alike share a class: the rows of the table stay short. */
function partition(sets: readonly Uint8Array[]): { classOf: Uint8Array; sample: Uint8Array } {
  let group = new Int32Array(SYMBOLS)
  let count = 1
  const seen = new Set<string>()
  for (const set of sets) {
    const key = set.join('')
    if (seen.has(key)) continue
    seen.add(key)
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
