/** The patterns of all rules as positions, and which positions may follow each (Glushkov's construction). */
import { type Node, parsePattern } from './pattern.ts'
import { digitless, reaches } from './reach.ts'
import { SYMBOL_OF, SYMBOLS } from './symbols.ts'

/** Classes of the most usual characters come first, so that a state's usual targets share a line of cache. */
const USUAL = ' etaoinshrdlucmfwypvbgkjxqz,.0123456789-:/ETAOINSHRDLUCMFWYPVBGKJXQZ'
/** Rows are so many lines of cache, an odd number: they share none, and spread over all sets. */
const LINE = 32

/** Automata that read different rules share them: each has states of its own. */
export interface Positions {
  /** Number of positions. */
  readonly count: number
  /** Those that may follow position `p`, sorted: from `followAt[p]` to `followAt[p + 1]`. */
  readonly follow: Int32Array
  readonly followAt: Int32Array
  /** The rule of each position. */
  readonly ownerOf: Int16Array
  /** The rule that completes at each position, or -1. */
  readonly ruleOf: Int16Array
  /** Input class of each UTF-16 unit. */
  readonly classOf: Uint8Array
  /** Length of a row with a place for each class. */
  readonly rowLength: number
  /** Number of the set of each position. */
  readonly setOf: Uint16Array
  /** One row per class, with one bit per set: whether the set has the class. */
  readonly takes: readonly Uint8Array[]
  /** Of each position, see `reach.ts`. */
  readonly reachOf: Uint8Array
  /** Of each rule, 1 if it matches texts without a digit. */
  readonly digitless: Uint8Array
  /** Positions that matches of each rule begin with. */
  readonly firstOf: readonly (readonly number[])[]
}

/**
 * @param patterns `patterns[i]` is the source of rule `i`
 * @param needDigit rules whose matches count only with a digit
 * @throws Error a pattern is wrong, or matches nothing at all
 */
export function positionsOf(
  patterns: readonly string[],
  needDigit: (rule: number) => boolean = () => false,
): Positions {
  const { sets, owners, ends, links, firstOf } = new Builder(patterns)
  const count = sets.length
  const ruleOf = new Int16Array(count).fill(-1)
  for (const [position, rule] of ends) ruleOf[position] = rule
  const { at: followAt, all: follow } = grouped(links, count)
  const different = [...new Set(sets)]
  const { classOf, sample } = partition(different)
  const numberOf = new Map(different.map((set, number) => [set, number]))
  return {
    count,
    follow,
    followAt,
    ownerOf: Int16Array.from(owners),
    ruleOf,
    classOf,
    rowLength: (Math.ceil(sample.length / LINE) * LINE) | LINE,
    setOf: Uint16Array.from(sets, (set) => numberOf.get(set)!),
    takes: Array.from(sample, (symbol) => Uint8Array.from(different, (set) => set[symbol]!)),
    reachOf: reaches(sets, { follow, followAt, ruleOf }, needDigit),
    digitless: digitless(sets, { follow, followAt, ruleOf }, firstOf),
    firstOf,
  }
}

class Builder {
  /** Of each position: the characters that it takes, and its rule. */
  readonly sets: Uint8Array[] = []
  readonly owners: number[] = []
  /** Pairs of a position and one that may follow, with repeats. */
  readonly links: number[] = []
  readonly ends: [position: number, rule: number][] = []
  readonly firstOf: readonly (readonly number[])[]

  constructor(patterns: readonly string[]) {
    this.firstOf = patterns.map((source, rule) => this.#add(source, rule))
  }

  /**
   * Adds a pattern as positions (Glushkov's construction).
   *
   * @returns the positions that it can begin with
   */
  #add(source: string, rule: number): readonly number[] {
    const part = this.#compile(parsePattern(source), rule)
    if (part.empty) throw new Error(`pattern ${JSON.stringify(source)} matches nothing at all`)
    for (const p of part.last) this.ends.push([p, rule])
    return part.first
  }

  #compile(node: Node, rule: number): Part {
    if (node.kind === 'set') {
      const only = [this.sets.push(node.set) - 1]
      this.owners.push(rule)
      return { first: only, last: only, empty: false }
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
    for (const p of from) for (const q of to) this.links.push(p, q)
  }
}

interface Part {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly empty: boolean
}

const NOTHING: Part = { first: [], last: [], empty: true }

/**
 * Sorts pairs by their first number, then their second, and drops repeats.
 *
 * @param pairs first and second in turn
 * @param count the first numbers are less
 * @returns the second numbers of `n` are in `all`, from `at[n]` to `at[n + 1]`
 */
function grouped(pairs: readonly number[], count: number): { at: Int32Array; all: Int32Array } {
  const begin = new Int32Array(count + 1)
  for (let i = 0; i < pairs.length; i += 2) begin[pairs[i]! + 1]! += 1
  for (let n = 0; n < count; n++) begin[n + 1]! += begin[n]!
  const filled = begin.slice()
  const all = new Int32Array(pairs.length / 2)
  for (let i = 0; i < pairs.length; i += 2) all[filled[pairs[i]!]!++] = pairs[i + 1]!
  const at = new Int32Array(count + 1)
  let kept = 0
  for (let n = 0; n < count; n++) {
    at[n] = kept
    let last = -1
    for (const second of all.subarray(begin[n], begin[n + 1]).sort()) {
      if (second !== last) all[kept++] = second
      last = second
    }
  }
  at[count] = kept
  return { at, all: all.slice(0, kept) }
}

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
