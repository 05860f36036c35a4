/** Names that are apart from the value, before an aside or the tags of a field. */
import { ASIDE_BEFORE, endsAside, isAside } from './asides.ts'
import type { WindowReader } from './keywords.ts'

/** What is known of one place, looked at once. */
export class Apart {
  readonly #reader: WindowReader
  #text = ''
  #units: Uint16Array = new Uint16Array(0)
  #start = -1
  #mayBe = false
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
      this.#mayBe = endsAside(this.#units, start)
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
    if (isAside(this.#text, near, start)) return true
    if (!this.#isRead) {
      this.#isRead = true
      this.#reader.reset()
      this.#reader.read(this.#units, Math.max(0, start - ASIDE_BEFORE), start)
    }
    return isAside(this.#text, this.#reader.end(group), start)
  }
}
