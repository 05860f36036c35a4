/**
 * Active items by number; numbers are reused. For items that change with every request, a Map would rehash again and
 * again, and V8's minor collections would keep dead entries alive, including whole exchanges (docs/decisions/0016).
 */
export class Slots<T> {
  readonly #items: (T | undefined)[] = []
  readonly #free: number[] = []

  /** Number of active items. */
  get size(): number {
    return this.#items.length - this.#free.length
  }

  /** Returns the item's number, below the largest size so far. */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#items.length
    this.#items[slot] = item
    return slot
  }

  get(slot: number): T | undefined {
    return this.#items[slot]
  }

  /** Does nothing if the item was already removed. */
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
