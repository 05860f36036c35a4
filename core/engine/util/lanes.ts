interface Lane<T> {
  readonly key: string
  readonly waiting: T[]
}

/** Places that were left and are not given back yet. */
const MOST_LEFT = 1024

/** Keys take turns, so that a burst of one key delays no other by more than one. Of one key, those that came first go first. */
export class Lanes<T> {
  readonly #mayGo: (key: string) => boolean
  readonly #byKey = new Map<string, Lane<T>>()
  /** The lanes with someone in them, from `#next` on. */
  #order: Lane<T>[] = []
  #next = 0

  /** @param mayGo whether one of a key may go now; the others of that key wait, too */
  constructor(mayGo: (key: string) => boolean = () => true) {
    this.#mayGo = mayGo
  }

  get isEmpty(): boolean {
    return this.#next === this.#order.length
  }

  /** Who is next; undefined if nobody waits who may go. */
  get first(): T | undefined {
    for (let left = this.#order.length - this.#next; left > 0; left--) {
      const lane = this.#order[this.#next] as Lane<T>
      if (this.#mayGo(lane.key)) return lane.waiting[0]
      this.#step()
      this.#order.push(lane)
    }
    return undefined
  }

  add(key: string, one: T): void {
    const lane = this.#byKey.get(key)
    if (lane !== undefined) return void lane.waiting.push(one)
    const opened = { key, waiting: [one] }
    this.#byKey.set(key, opened)
    this.#order.push(opened)
  }

  /** Takes `first` away. */
  take(): T {
    const lane = this.#order[this.#next] as Lane<T>
    const one = lane.waiting.shift() as T
    if (lane.waiting.length > 0) this.#order.push(lane)
    else this.#byKey.delete(lane.key)
    this.#step()
    return one
  }

  #step(): void {
    this.#next++
    if (this.#next < this.#order.length && this.#next <= MOST_LEFT) return
    this.#order = this.#order.slice(this.#next)
    this.#next = 0
  }
}
