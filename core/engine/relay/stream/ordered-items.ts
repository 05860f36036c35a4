import type { Item } from '../../dialects/stream.ts'

/** Places at the front that may stay empty before the list is copied. */
const MAX_EMPTY = 1024

/** The waiting events of a stream that keeps their order. Looks only at the first one, however many wait. */
export class OrderedItems {
  #items: (Item | undefined)[] = []
  #at = 0
  /** Characters of the events that wait, as received. */
  held = 0

  get first(): Item | undefined {
    return this.#items[this.#at]
  }

  /** Replaces the first event by what remains of it. */
  set first(item: Item) {
    this.#items[this.#at] = item
  }

  push(item: Item): void {
    this.#items.push(item)
    this.held += item.event.payload.length
  }

  shift(): void {
    this.held -= this.#items[this.#at]?.event.payload.length ?? 0
    this.#items[this.#at++] = undefined
    if (this.#at === this.#items.length) {
      this.#items = []
      this.#at = 0
    } else if (this.#at > MAX_EMPTY && this.#at * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#at)
      this.#at = 0
    }
  }
}
