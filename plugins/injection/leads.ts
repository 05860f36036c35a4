/** Finds in one pass which of some short literals a text has, so that regular expressions run only where they may match. */

import { TextUnits } from 'governed-gateway/kit'

/** Literals of usual characters first, so that a state's usual targets share a line of cache. */
const USUAL = ' etaoinshrdlucmfwypvbgkjxqz:'
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

  /** By group, 1 if the text has it. Valid until the next call. */
  in(text: string): Uint8Array {
    this.#table ??= tableOf(this.#groups)
    const table = this.#table
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

/** State of the tree. */
interface Node {
  readonly children: Map<string, Node>
  readonly groups: Set<number>
  fail: Node | undefined
  state: number
}

const newNode = (): Node => ({ children: new Map(), groups: new Set(), fail: undefined, state: 0 })

function tableOf(groups: readonly (readonly string[])[]): Table {
  const root = newNode()
  const chars = new Set(USUAL)
  for (const [number, group] of groups.entries()) {
    for (const literal of group) {
      let node = root
      for (const char of literal) {
        chars.add(char)
        let child = node.children.get(char)
        if (child === undefined) {
          child = newNode()
          node.children.set(char, child)
        }
        node = child
      }
      node.groups.add(number)
    }
  }
  const nodes = linked(root)
  const order = [...nodes.filter((node) => node.groups.size === 0), ...nodes.filter((node) => node.groups.size > 0)]
  if (order.length > MAX_STATES) throw new Error('too many literals')
  for (const [state, node] of order.entries()) node.state = state
  const column = new Map(Array.from(chars, (char, i) => [char, i + 1]))
  const columns = (Math.ceil((chars.size + 1) / LINE) * LINE) | LINE
  const next = new Uint16Array(nodes.length * columns)
  for (const { state, fail, children } of nodes) {
    if (fail !== undefined) next.copyWithin(state * columns, fail.state * columns, (fail.state + 1) * columns)
    for (const [char, child] of children) next[state * columns + (column.get(char) as number)] = child.state
  }
  const ends = order.filter((node) => node.groups.size > 0).map((node) => [...node.groups])
  return {
    columnOf: columnsOf(column),
    columns,
    next,
    firstEnd: order.length - ends.length,
    groups: ends,
    begin: next[column.get(' ') as number] as number,
    longest: Math.max(...groups.flat().map(({ length }) => length)),
  }
}

/** Gives each node the longest suffix that is a node, too, and its groups. Returns them by depth. */
function linked(root: Node): Node[] {
  const queue = [root]
  for (const node of queue) {
    for (const group of node.fail?.groups ?? []) node.groups.add(group)
    for (const [char, child] of node.children) {
      let fail = node.fail
      while (fail !== undefined && !fail.children.has(char)) fail = fail.fail
      child.fail = fail?.children.get(char) ?? root
      queue.push(child)
    }
  }
  return queue
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
  for (let code = 0; code < 0x10000; code++) if (/\s/.test(String.fromCharCode(code))) columnOf[code] = blank
  return columnOf
}

/** The literals of marks and forms. */
export const LEADS = new Leads()
