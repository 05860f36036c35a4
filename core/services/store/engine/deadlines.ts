/** A binary heap of deadlines. Entries may be stale: callers check what they pop. */
export class Deadlines<T> {
  readonly #heap: { at: number; item: T }[] = []

  get size(): number {
    return this.#heap.length
  }

  add(at: number, item: T): void {
    const heap = this.#heap
    let i = heap.length
    heap.push({ at, item })
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (heap[parent]!.at <= at) break
      heap[i] = heap[parent]!
      i = parent
    }
    heap[i] = { at, item }
  }

  /** Removes and returns the earliest item if it is due. */
  due(now: number): T | undefined {
    const heap = this.#heap
    const top = heap[0]
    if (top === undefined || top.at > now) return undefined
    const last = heap.pop()!
    if (heap.length > 0) this.#sink(last)
    return top.item
  }

  clear(): void {
    this.#heap.length = 0
  }

  #sink(entry: { at: number; item: T }): void {
    const heap = this.#heap
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child++
      if (heap[child]!.at >= entry.at) break
      heap[i] = heap[child]!
      i = child
    }
    heap[i] = entry
  }
}
