import { RUN_LEFT } from './encoded-runs.ts'
import type { OffsetMap } from './offset-map.ts'
import type { Decoded, Left } from './readings.ts'

/** Where the parts of a streamed text begin, for encoded runs: what is there belongs to a run, or is a word beside it. */
export class PartBorders {
  /** Raw positions, in order, of those that were not shown. */
  readonly #raw: number[] = []
  #last = -1
  /** Places in the text that is read now. */
  #at: readonly number[] = []
  #since: readonly number[] | undefined = undefined

  add(raw: number): this {
    if (this.#raw.at(-1) !== raw) this.#raw.push(raw)
    return this
  }

  /**
   * What stands left of new text, with the borders in the text and right before it.
   *
   * @param from raw position of the text
   * @param length of its source
   */
  beside(left: Left, from: number, length: number, map: OffsetMap | undefined): Left {
    const at: number[] = []
    for (const raw of this.#raw) {
      if (raw - from > length) break
      const source = Math.max(0, raw - from)
      at.push(map?.fromRaw(source) ?? source)
    }
    this.#at = at
    return at.length === 0 && this.#since === undefined ? left : { ...left, borders: { at, since: this.#since } }
  }

  /** The text was shown. */
  pass({ shown, since }: Decoded): void {
    const count = this.#at.findLastIndex((at) => at < shown) + 1
    if (count > 0) this.#last = this.#raw.splice(0, count).at(-1) as number
    this.#since = since?.some((units) => units <= RUN_LEFT) === true ? since : undefined
  }

  /** Text from a raw position on was taken back. */
  takeBack(raw: number): void {
    if (this.#last >= raw && this.#raw[0] !== this.#last) this.#raw.unshift(this.#last)
    this.#since = undefined
  }
}
