import type { Item } from '../../dialects/stream.ts'

/** Places at the front that may stay empty before the list is copied. */
const MAX_EMPTY = 1024

/** The waiting events of a stream that keeps their order. Looks only at the first one, however many wait. */
export class OrderedItems {
  #items: (Item | undefined)[] = []
  #at = 0
  /** Characters of the events that wait, as received. */
  held = 0
  /** Events that were sent. */
  #gone = 0
  /** Events that wait only for their own text, and how many others came before each. */
  #floating: { readonly item: Item; readonly behind: number }[] = []

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

  get floats(): boolean {
    return this.#floating.length > 0
  }

  float(item: Item): void {
    this.#floating.push({ item, behind: this.#gone + this.#items.length - this.#at })
  }

  /** Takes an event that waits only for its own text: the next one that came before `first`, or any. */
  takeFloating(any: boolean): Item | undefined {
    const [next] = this.#floating
    if (next === undefined || (!any && next.behind > this.#gone)) return undefined
    this.#floating.shift()
    return next.item
  }

  shift(): void {
    this.#gone++
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
