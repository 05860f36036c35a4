/** Characters that decide together how far a search may continue. */
const BLOCK = 3
/** With shorter literals there is too little to leave out. */
const SHORTEST = 5
/** Longest part of the literals that is looked at; the more, the farther a step. */
const LONGEST = 64
/** Greater than each step. */
export const ONCE = 128
/** Entries for each block of the literals, so that few blocks of other texts share one with them. */
const ROOM = 8
const FEWEST_ENTRIES = 1 << 12
const MOST_ENTRIES = 1 << 16

/**
 * Where none of some literals can begin (Wu-Manber): the end of a window as long as the shortest literal gives how far the
 * next one may be. So most characters of an ordinary text are not read. Literals and texts are given as classes of characters.
 * One class may stand several times in a text where a literal has it once: a step over such a place holds only where it stands once.
 */
export class SkipTable {
  /** Length of a window. */
  readonly window: number
  /**
   * How far the next window may be, by the number of the block at the end of this one; 0 where a literal may begin. With the bit
   * `ONCE` it is 0, too, if the repeated class stands twice in a row in the window, behind one that `endsWord`.
   */
  readonly steps: Uint8Array
  /** Of the numbers of blocks: `((a * classes + b) * classes + c) & mask`. */
  readonly mask: number

  /** By class: 1 if the repeated one stands behind it in a literal. */
  readonly endsWord: Uint8Array

  private constructor(window: number, steps: Uint8Array, endsWord: Uint8Array) {
    this.window = window
    this.steps = steps
    this.endsWord = endsWord
    this.mask = steps.length - 1
  }

  /**
   * Undefined where it would take longer than to read everything: for short literals, and for very many.
   *
   * @param repeated the class that may stand several times; -1 if none
   */
  static of(literals: readonly (readonly number[])[], classes: number, repeated: number): SkipTable | undefined {
    const window = Math.min(LONGEST, ...literals.map(({ length }) => length))
    if (literals.length === 0 || window < SHORTEST) return undefined
    const farthest = window - BLOCK + 1
    const endsWord = new Uint8Array(classes)
    const blocks = new Map<number, number>()
    const limit = (block: readonly number[], step: number, once: number) => {
      const number = numberOf(block, classes)
      blocks.set(number, least(blocks.get(number) ?? farthest, step | once))
    }
    for (const literal of literals) {
      const at = literal.indexOf(repeated, 1)
      const open = at < 0 ? window : at + 1
      for (let end = BLOCK; end <= window; end++)
        limit(literal.slice(end - BLOCK, end), window - end, end > open ? ONCE : 0)
      for (let i = at; i > 0 && i + 1 < window; i = literal.indexOf(repeated, i + 1)) {
        const [before = 0, after = 0] = [literal[i - 1], literal[i + 1]]
        endsWord[before] = 1
        for (const block of [
          [before, repeated, repeated],
          [repeated, repeated, repeated],
          [repeated, repeated, after],
        ])
          limit(block, farthest, ONCE)
      }
    }
    let entries = FEWEST_ENTRIES
    while (entries < ROOM * blocks.size) entries *= 2
    if (entries > MOST_ENTRIES) return undefined
    const mask = entries - 1
    const steps = new Uint8Array(entries).fill(farthest)
    for (const [block, step] of blocks) steps[block & mask] = least(steps[block & mask] as number, step)
    return new SkipTable(window, steps, endsWord)
  }
}

/** The smaller step, with what limits either. */
const least = (a: number, b: number): number => Math.min(a & ~ONCE, b & ~ONCE) | ((a | b) & ONCE)

const numberOf = ([a = 0, b = 0, c = 0]: readonly number[], classes: number): number => (a * classes + b) * classes + c
