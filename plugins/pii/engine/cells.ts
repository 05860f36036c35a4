import type { Head } from './heads.ts'

/** A cell under a head that names something. */
export interface Cell {
  readonly head: Head
  /** Absolute positions; `end` is infinite while the cell is open. */
  readonly start: number
  end: number
  /** An item of a list: words may be before the value. */
  isItem: boolean
}

/** Cells of a growing text, in order. */
export class Cells {
  #all: Cell[] = []

  get last(): Cell | undefined {
    return this.#all.at(-1)
  }

  open(head: Head | undefined, start: number): void {
    if (head !== undefined) this.#all.push({ head, start, end: Number.POSITIVE_INFINITY, isItem: false })
  }

  /** Ends the open cell, if there is one. */
  close(end: number): void {
    const { last } = this
    if (last !== undefined && last.end > end) last.end = end
  }

  /** Forgets those that end before a position. */
  forget(before: number): void {
    if (this.#all.length > 0 && this.#all[0]!.end <= before) this.#all = this.#all.filter(({ end }) => end > before)
  }

  clear(): void {
    this.#all = []
  }

  at(position: number): Cell | undefined {
    let low = 0
    let high = this.#all.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#all[middle]!.start <= position) low = middle + 1
      else high = middle
    }
    // A look before the first element is slow.
    if (low === 0) return undefined
    const cell = this.#all[low - 1]!
    return position < cell.end ? cell : undefined
  }
}
