/** Names that are apart from the value: before an aside, or in the head of its column. */
import { ASIDE_BEFORE, endsAside, isAside } from './asides.ts'
import { isInCell, isUnder } from './cells.ts'
import type { WindowReader } from './keywords.ts'

/** What is known of one place, looked at once. */
export class Apart {
  readonly #reader: WindowReader
  #text = ''
  #units: Uint16Array = new Uint16Array(0)
  #start = -1
  #mayBe = false
  #isInCell = false
  #isRead = false

  constructor(reader: WindowReader) {
    this.#reader = reader
  }

  open(text: string, units: Uint16Array): void {
    this.#text = text
    this.#units = units
    this.#start = -1
  }

  /** Whether the name of a value at `start` may be apart. A quick look. */
  mayBe(start: number): boolean {
    if (this.#start !== start) {
      this.#start = start
      this.#isRead = false
      this.#isInCell = isInCell(this.#text, this.#units, Math.max(0, start - ASIDE_BEFORE), start)
      this.#mayBe = this.#isInCell || endsAside(this.#units, start)
    }
    return this.#mayBe
  }

  /**
   * Whether the name is apart.
   *
   * @param near end of the group's last name in the usual window; -1 if there is none
   */
  is(start: number, group: number, near: number): boolean {
    if (!this.mayBe(start)) return false
    const text = this.#text
    if (!this.#isInCell && isAside(text, near, start)) return true
    if (!this.#isRead) {
      this.#isRead = true
      this.#reader.reset()
      this.#reader.read(this.#units, Math.max(0, start - ASIDE_BEFORE), start)
    }
    const end = this.#reader.end(group)
    return this.#isInCell ? end >= 0 && isUnder(text, end, start) : isAside(text, end, start)
  }
}
