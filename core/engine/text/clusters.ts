/** Of each cluster: its position and length in the normalised text, its start and end in the source. */
export const [AT, LENGTH, RAW_START, RAW_END] = [0, 1, 2, 3]
const COLUMNS = 4
/** Of a block, as a power of two. */
const BITS = 10
const SIZE = 1 << BITS

/**
 * The places where a normalised text and its source differ in length, in order; they do not overlap. A length of 0: stripped.
 *
 * Numbers in blocks: a text of marks or escapes has millions, and as objects they took the collector most of the time.
 */
export class Clusters {
  /** Most texts have few. */
  readonly #first: number[] = []
  readonly #others: Int32Array[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  get(index: number, column: number): number {
    return index < SIZE
      ? this.#first[index * COLUMNS + column]!
      : this.#others[(index >> BITS) - 1]![(index & (SIZE - 1)) * COLUMNS + column]!
  }

  add(at: number, length: number, rawStart: number, rawEnd: number): void {
    const index = this.#count++
    if (index < SIZE) this.#first.push(at, length, rawStart, rawEnd)
    else this.#addMore(index, at, length, rawStart, rawEnd)
  }

  #addMore(index: number, at: number, length: number, rawStart: number, rawEnd: number): void {
    const place = (index & (SIZE - 1)) * COLUMNS
    if (place === 0) this.#others.push(new Int32Array(SIZE * COLUMNS))
    const block = this.#others[(index >> BITS) - 1]!
    block[place + AT] = at
    block[place + LENGTH] = length
    block[place + RAW_START] = rawStart
    block[place + RAW_END] = rawEnd
  }

  /** Adds those of another list from an index on, moved. */
  addAll(others: Clusters, from = 0, at = 0, raw = 0): void {
    for (let i = from; i < others.count; i++)
      this.add(
        others.get(i, AT) + at,
        others.get(i, LENGTH),
        others.get(i, RAW_START) + raw,
        others.get(i, RAW_END) + raw,
      )
  }

  /** Drops the last ones. */
  shorten(count: number): void {
    this.#count = count
    this.#first.length = Math.min(count, SIZE) * COLUMNS
    this.#others.length = Math.max(0, ((count + SIZE - 1) >> BITS) - 1)
  }

  /** Index of the last cluster from `first` on whose column is at most `limit`; -1 if there is none. */
  lastUpTo(limit: number, column: number, first: number): number {
    const few = this.#count <= SIZE ? this.#first : undefined
    let low = first
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >> 1
      const value = few === undefined ? this.get(middle, column) : few[middle * COLUMNS + column]!
      if (value <= limit) low = middle + 1
      else high = middle
    }
    return low === first ? -1 : low - 1
  }
}
