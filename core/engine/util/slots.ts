/**
 * What is under way, each thing at a number of its own that is used again once it is done. For what comes and goes with
 * every request: a Map is rehashed again and again then, and V8's young collections take what a left table once held for
 * alive, whole exchanges among it (docs/decisions/0016).
 */
export class Slots<T> {
  readonly #items: (T | undefined)[] = []
  readonly #free: number[] = []

  /** How many things are under way. */
  get size(): number {
    return this.#items.length - this.#free.length
  }

  /** The number of the thing, below the largest size there ever was. */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#items.length
    this.#items[slot] = item
    return slot
  }

  get(slot: number): T | undefined {
    return this.#items[slot]
  }

  /** Nothing happens when it is done already. */
  delete(slot: number): void {
    if (this.#items[slot] === undefined) return
    this.#items[slot] = undefined
    this.#free.push(slot)
  }

  values(): T[] {
    return this.#items.filter((item) => item !== undefined)
  }

  clear(): void {
    this.#items.length = 0
    this.#free.length = 0
  }
}
