/** Finds in one pass which of some short literals a text has, so that regular expressions run only where they may match. */

import { TextUnits } from 'governed-gateway/kit'

/** Literals of usual characters first, so that a state's usual targets share a line of cache. */
const USUAL = ' etaoinshrdlucmfwypvbgkjxqz:'
/** What `\s` stands for in regular expressions. */
const BLANKS =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
/** Columns in a line of cache. Rows are an odd number of lines: they share none, and spread over all sets. */
const LINE = 32
/** Most states: a number takes 16 bits. */
const MAX_STATES = 0xffff

/**
 * Groups of literals, in lower case, as one Aho-Corasick automaton. A text has a group if it has one of its literals in any
 * case; a space in a literal stands for any blank, or for the beginning of the text. Built when a text is first read.
 *
 * A step waits for the one before it. So four parts of a text are read side by side; they overlap by the longest literal.
 */
class Leads {
  readonly #groups: (readonly string[])[] = []
  readonly #numbers = new Map<string, number>()
  readonly #units = new TextUnits()
  #table: Table | undefined
  #found = new Uint8Array(0)

  /** Adds a group. Returns its number, by which {@link in} finds it. */
  add(group: readonly string[]): number {
    if (this.#table !== undefined) throw new Error('a text has been read')
    const name = group.join('\n')
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#groups.push(group) - 1
      this.#numbers.set(name, number)
    }
    return number
  }

  get isPrepared(): boolean {
    return this.#table !== undefined
  }

  /** Makes the table, which the first text needs. */
  prepare(): Table {
    this.#table ??= tableOf(this.#groups)
    return this.#table
  }

  /** By group, 1 if the text has it. Valid until the next call. */
  in(text: string): Uint8Array {
    const table = this.prepare()
    if (this.#found.length === 0) this.#found = new Uint8Array(this.#groups.length)
    const found = this.#found.fill(0)
    const units = this.#units.of(text)
    const n = text.length
    const step = (n - table.longest) >> 2
    if (step < table.longest) {
      readOne(table, units, n, found)
      return found
    }
    readFour(table, units, step, n - 3 * step, found)
    return found
  }
}

function readOne(
  { columnOf, columns, next, firstEnd, groups, begin }: Table,
  units: Uint16Array,
  n: number,
  found: Uint8Array,
): void {
  let state = begin
  for (let i = 0; i < n; i++) {
    state = next[state * columns + (columnOf[units[i] as number] as number)] as number
    if (state >= firstEnd) mark(groups[state - firstEnd] as readonly number[], found)
  }
}

/** Reads parts of `length` that begin at 0, `step`, and so on. */
function readFour(table: Table, units: Uint16Array, step: number, length: number, found: Uint8Array): void {
  const { columnOf, columns, next, firstEnd, groups } = table
  const third = 2 * step
  const fourth = 3 * step
  let a = table.begin
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0; i < length; i++) {
    a = next[a * columns + (columnOf[units[i] as number] as number)] as number
    b = next[b * columns + (columnOf[units[i + step] as number] as number)] as number
    c = next[c * columns + (columnOf[units[i + third] as number] as number)] as number
    d = next[d * columns + (columnOf[units[i + fourth] as number] as number)] as number
    if (a >= firstEnd) mark(groups[a - firstEnd] as readonly number[], found)
    if (b >= firstEnd) mark(groups[b - firstEnd] as readonly number[], found)
    if (c >= firstEnd) mark(groups[c - firstEnd] as readonly number[], found)
    if (d >= firstEnd) mark(groups[d - firstEnd] as readonly number[], found)
  }
}

function mark(groups: readonly number[], found: Uint8Array): void {
  for (let i = 0; i < groups.length; i++) found[groups[i] as number] = 1
}

/** Whether a text has all of these groups. */
export function hasAll(found: Uint8Array, groups: readonly number[]): boolean {
  for (let i = 0; i < groups.length; i++) if (found[groups[i] as number] === 0) return false
  return true
}

interface Table {
  /** By UTF-16 unit. Characters without a column of their own have column 0; all blanks have that of the space. */
  readonly columnOf: Uint8Array
  readonly columns: number
  readonly next: Uint16Array
  /** States from here on end literals. */
  readonly firstEnd: number
  readonly groups: readonly (readonly number[])[]
  /** State after a blank. */
  readonly begin: number
  /** Length of the longest literal. */
  readonly longest: number
}

function tableOf(groups: readonly (readonly string[])[]): Table {
  const column = new Map<string, number>()
  for (const char of USUAL + groups.flat().join('')) if (!column.has(char)) column.set(char, column.size + 1)
  const columns = (Math.ceil((column.size + 1) / LINE) * LINE) | LINE
  const tree = new Tree(columns)
  for (const [number, group] of groups.entries())
    for (const literal of group)
      tree.add(
        Array.from(literal, (char) => column.get(char) as number),
        number,
      )
  const order = tree.link()
  const isEnd = (state: number) => tree.groups[state] !== undefined
  const states = [...order.filter((state) => !isEnd(state)), ...order.filter(isEnd)]
  if (states.length > MAX_STATES) throw new Error('too many literals')
  const ends = states.filter(isEnd).map((state) => [...(tree.groups[state] as Set<number>)])
  const next = tree.table(order, states)
  return {
    columnOf: columnsOf(column),
    columns,
    next,
    firstEnd: states.length - ends.length,
    groups: ends,
    begin: next[column.get(' ') as number] as number,
    longest: Math.max(...groups.flat().map(({ length }) => length)),
  }
}

/** Literals as a tree of states; the root is 0. */
class Tree {
  readonly #columns: number
  /** By `state * columns + column`. */
  readonly #next = new Map<number, number>()
  readonly #children: number[][] = [[]]
  /** Column by which a state is reached. */
  readonly #columnOf = [0]
  /** The state of the longest suffix that has one. */
  readonly #suffix = [0]
  /** Of the literals that end in a state. */
  readonly groups: (Set<number> | undefined)[] = [undefined]

  constructor(columns: number) {
    this.#columns = columns
  }

  add(literal: readonly number[], group: number): void {
    let state = 0
    for (const column of literal) state = this.#next.get(state * this.#columns + column) ?? this.#grow(state, column)
    this.#addGroups(state, [group])
  }

  #grow(state: number, column: number): number {
    const child = this.#children.push([]) - 1
    this.groups.push(undefined)
    this.#columnOf.push(column)
    this.#suffix.push(0)
    this.#next.set(state * this.#columns + column, child)
    this.#children[state]?.push(child)
    return child
  }

  #addGroups(state: number, groups: Iterable<number>): void {
    this.groups[state] ??= new Set()
    for (const group of groups) this.groups[state].add(group)
  }

  /** Gives each state its suffix, and the groups of that, too. Returns the states by depth. */
  link(): number[] {
    const order = [0]
    for (const state of order) {
      for (const child of this.#children[state] as number[]) {
        const suffix = state === 0 ? 0 : this.#follow(this.#suffix[state] as number, this.#columnOf[child] as number)
        this.#suffix[child] = suffix
        const groups = this.groups[suffix]
        if (groups !== undefined) this.#addGroups(child, groups)
        order.push(child)
      }
    }
    return order
  }

  #follow(state: number, column: number): number {
    for (let from = state; ; from = this.#suffix[from] as number) {
      const next = this.#next.get(from * this.#columns + column)
      if (next !== undefined) return next
      if (from === 0) return 0
    }
  }

  /** The next state by state and column, with the states numbered as in `states`. */
  table(order: readonly number[], states: readonly number[]): Uint16Array {
    const columns = this.#columns
    const rows = new Uint32Array(states.length)
    for (const [number, state] of states.entries()) rows[state] = number * columns
    const table = new Uint16Array(states.length * columns)
    for (const state of order) {
      const row = rows[state] as number
      const like = rows[this.#suffix[state] as number] as number
      if (row !== like) table.copyWithin(row, like, like + columns)
      for (const child of this.#children[state] as number[])
        table[row + (this.#columnOf[child] as number)] = (rows[child] as number) / columns
    }
    return table
  }
}

function columnsOf(column: ReadonlyMap<string, number>): Uint8Array {
  const columnOf = new Uint8Array(0x10000)
  for (const [char, number] of column) {
    columnOf[char.charCodeAt(0)] = number
    columnOf[char.toUpperCase().charCodeAt(0)] = number
  }
  // Regular expressions that ignore case of all scripts take these for letters of English.
  columnOf[0x17f] = column.get('s') as number
  columnOf[0x212a] = column.get('k') as number
  const blank = column.get(' ') as number
  for (let i = 0; i < BLANKS.length; i++) columnOf[BLANKS.charCodeAt(i)] = blank
  return columnOf
}

/** The literals of marks and forms. */
export const LEADS = new Leads()
