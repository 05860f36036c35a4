/** Characters that decide together how far a search may continue. */
const BLOCK = 3
/** With shorter literals there is too little to leave out. */
const SHORTEST = 5
/** Longest part of the literals that is looked at; the more, the farther a step. */
const LONGEST = 64
/** Entries for each block of the literals, so that few blocks of other texts share one with them. */
const ROOM = 8
const FEWEST_ENTRIES = 1 << 12
const MOST_ENTRIES = 1 << 16

/**
 * Where none of some literals can begin (Wu-Manber): the end of a window as long as the shortest literal gives how far the
 * next one may be. So most characters of an ordinary text are not read. Literals and texts are given as classes of characters.
 */
export class SkipTable {
  /** Length of a window. */
  readonly window: number
  /** How far the next window may be, by the number of the block at the end of this one; 0 where a literal may begin. */
  readonly steps: Uint8Array
  /** Of the numbers of blocks: `((a * classes + b) * classes + c) & mask`. */
  readonly mask: number

  private constructor(window: number, steps: Uint8Array) {
    this.window = window
    this.steps = steps
    this.mask = steps.length - 1
  }

  /** Undefined where it would take longer than to read everything: for short literals, and for very many. */
  static of(literals: readonly (readonly number[])[], classes: number): SkipTable | undefined {
    const window = Math.min(LONGEST, ...literals.map(({ length }) => length))
    if (literals.length === 0 || window < SHORTEST) return undefined
    const blocks = new Set<number>()
    for (const literal of literals) {
      for (let end = BLOCK; end <= window; end++) blocks.add(numberOf(literal, end, classes))
    }
    let entries = FEWEST_ENTRIES
    while (entries < ROOM * blocks.size) entries *= 2
    if (entries > MOST_ENTRIES) return undefined
    const mask = entries - 1
    const steps = new Uint8Array(entries).fill(window - BLOCK + 1)
    for (const literal of literals) {
      for (let end = BLOCK; end <= window; end++) {
        const at = numberOf(literal, end, classes) & mask
        steps[at] = Math.min(steps[at] as number, window - end)
      }
    }
    return new SkipTable(window, steps)
  }
}

function numberOf(literal: readonly number[], end: number, classes: number): number {
  const [a = 0, b = 0, c = 0] = literal.slice(end - BLOCK, end)
  return (a * classes + b) * classes + c
}
