/** Tells in one pass which of some short literals a text has, so that regular expressions run only where they may match. */

/** Characters without a column of their own have column 0; all kinds of blank have that of the space. */
const SPACE = 0x20

/**
 * Groups of literals, in lower case, as one Aho-Corasick automaton. Each group is a bit. A text has a group if it has one of
 * its literals in any case; a space in a literal stands for any blank.
 */
export class Leads {
  readonly #columnOf = new Uint8Array(0x10000)
  readonly #columns: number
  readonly #next: Uint16Array
  /** Groups by state. */
  readonly #groups: Uint32Array
  readonly #bits = new Map<string, number>()

  constructor(groups: Iterable<readonly string[]>) {
    const children: Map<string, number>[] = [new Map()]
    const ends: number[] = [0]
    const columns = new Map<string, number>()
    for (const group of groups) {
      const bit = this.#bitOf(group)
      for (const literal of group) {
        let state = 0
        for (const char of literal) {
          if (!columns.has(char)) columns.set(char, columns.size + 1)
          let next = children[state]?.get(char)
          if (next === undefined) {
            next = children.push(new Map()) - 1
            ends.push(0)
            children[state]?.set(char, next)
          }
          state = next
        }
        ends[state] = (ends[state] as number) | bit
      }
    }
    this.#columns = columns.size + 1
    this.#next = new Uint16Array(children.length * this.#columns)
    this.#groups = Uint32Array.from(ends)
    this.#link(children, columns)
    for (const [char, column] of columns) {
      this.#columnOf[char.charCodeAt(0)] = column
      this.#columnOf[char.toUpperCase().charCodeAt(0)] = column
    }
    const blank = this.#columnOf[SPACE] as number
    for (let code = 0; code < 0x10000; code++) if (/\s/.test(String.fromCharCode(code))) this.#columnOf[code] = blank
  }

  #bitOf(group: readonly string[]): number {
    const name = group.join('\n')
    let bit = this.#bits.get(name)
    if (bit === undefined) {
      if (this.#bits.size === 32) throw new Error('too many groups')
      bit = 2 ** this.#bits.size
      this.#bits.set(name, bit)
    }
    return bit | 0
  }

  /** Makes transitions of a tree those of an automaton, in order of depth. */
  #link(children: readonly ReadonlyMap<string, number>[], columns: ReadonlyMap<string, number>): void {
    const fails = new Uint16Array(children.length)
    const queue = [0]
    for (const state of queue) {
      const fail = fails[state] as number
      this.#groups[state]! |= state === 0 ? 0 : (this.#groups[fail] as number)
      for (const [char, column] of columns) {
        const child = children[state]?.get(char)
        const otherwise = state === 0 ? 0 : (this.#next[fail * this.#columns + column] as number)
        this.#next[state * this.#columns + column] = child ?? otherwise
        if (child === undefined) continue
        fails[child] = otherwise
        queue.push(child)
      }
    }
  }

  /** The bits of some groups. */
  maskOf(groups: readonly (readonly string[])[]): number {
    return groups.reduce((mask, group) => mask | this.#bitOf(group), 0)
  }

  /** Bits of the groups that a text has. */
  in(text: string): number {
    const columnOf = this.#columnOf
    const next = this.#next
    const groups = this.#groups
    const columns = this.#columns
    let state = 0
    let found = 0
    for (let i = 0; i < text.length; i++) {
      state = next[state * columns + (columnOf[text.charCodeAt(i)] as number)] as number
      found |= groups[state] as number
    }
    return found
  }
}
