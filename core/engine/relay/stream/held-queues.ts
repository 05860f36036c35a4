import type { Item } from '../../dialects/stream.ts'

/** An event that waits. */
export interface Held {
  item: Item
  /** Numbers the events in the order in which they came. */
  readonly order: number
  /** Its texts that are not safe yet; its calls count as one. */
  missing: number
  gone: boolean
}

/** Places of events that left are removed together, when there are more of them than of others. */
const MAX_EMPTY = 32

/** The events that wait for one text. */
export class TextQueue {
  #held: Held[] = []
  /** Where the text of each ends: raw position in the field. */
  #ends: number[] = []
  #at = 0

  push(held: Held, end: number): void {
    if (this.#ends.length === 0) {
      // Most wait alone, and `push` makes room for seventeen.
      this.#held = [held]
      this.#ends = [end]
    } else {
      this.#held.push(held)
      this.#ends.push(end)
    }
  }

  get waiting(): readonly Held[] {
    return this.#held.slice(this.#at)
  }

  /** Appends to `found` the events whose last missing text was released, and the one of which a part was. */
  release(released: number, found: Held[]): void {
    const { length } = this.#ends
    for (; this.#at < length && (this.#ends[this.#at] as number) <= released; this.#at++) {
      const held = this.#held[this.#at] as Held
      if (--held.missing === 0) found.push(held)
    }
    if (this.#at === length) {
      if (length > 0) this.#held.length = this.#ends.length = this.#at = 0
      return
    }
    const held = this.#held[this.#at] as Held
    const [segment] = held.item.segments
    if (segment !== undefined && segment.start < released && held.item.segments.length === 1) found.push(held)
    if (this.#at <= MAX_EMPTY || this.#at * 2 <= length) return
    this.#held = this.#held.slice(this.#at)
    this.#ends = this.#ends.slice(this.#at)
    this.#at = 0
  }
}

/** Events of which some wait for those before them. */
export class EventLine {
  #held: Held[] = []
  #at = 0
  /** Those after the first that left. */
  #gone = 0

  push(held: Held): void {
    this.#held.push(held)
  }

  get first(): Held | undefined {
    return this.#held[this.#at]
  }

  /** Forgets one that is gone. Returns whether another one became the first. */
  leave(): boolean {
    this.#gone++
    const { length } = this.#held
    const before = this.#at
    for (; this.#held[this.#at]?.gone === true; this.#at++) this.#gone--
    const moved = this.#at > before
    if (this.#at === length) {
      this.#held.length = this.#at = 0
      return false
    }
    const empty = this.#at + this.#gone
    if (empty <= MAX_EMPTY || empty * 2 <= length) return moved
    this.#held = this.#held.filter(({ gone }) => !gone)
    this.#at = this.#gone = 0
    return moved
  }
}
