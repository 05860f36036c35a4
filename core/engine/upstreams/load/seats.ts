/** Weight of the newest time. */
const NEWEST = 0.2
const MOST_SECONDS = 60

/** One request that waits for a seat. */
interface Waiting {
  readonly key: string
  readonly seated: (isSeated: boolean) => void
  timer: NodeJS.Timeout | undefined
}

/** Seats of one upstream, `max_concurrent`. Those who wait are served key by key in turn, each in order of arrival. */
export class Seats {
  readonly limit: number
  readonly #mostWaiting: number
  readonly #waitMs: number
  #taken = 0
  #count = 0
  /** Average time that a seat is held, milliseconds. */
  #heldMs = 0
  /** By key; the first key is next. */
  readonly #waiting = new Map<string, Set<Waiting>>()

  constructor(limit: number, mostWaiting: number, waitMs: number) {
    this.limit = limit
    this.#mostWaiting = mostWaiting
    this.#waitMs = waitMs
  }

  get taken(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#count
  }

  get isFree(): boolean {
    return this.#taken < this.limit
  }

  get hasRoom(): boolean {
    return this.#count < this.#mostWaiting
  }

  /** Only if `isFree`. */
  take(): void {
    this.#taken++
  }

  /**
   * Calls `seated` once: with true when it has a seat, with false when the longest wait is over. Only if `hasRoom`.
   *
   * @returns ends the wait without a call
   */
  wait(key: string, seated: (isSeated: boolean) => void): () => void {
    const one: Waiting = { key, seated, timer: undefined }
    one.timer = setTimeout(() => {
      if (this.#drop(one)) seated(false)
    }, this.#waitMs)
    const others = this.#waiting.get(key)
    if (others === undefined) this.#waiting.set(key, new Set([one]))
    else others.add(one)
    this.#count++
    return () => this.#drop(one)
  }

  /**
   * Gives the seat to the next who waits.
   *
   * @param heldMs how long it was held; undefined if it was not used
   */
  leave(heldMs?: number): void {
    if (heldMs !== undefined) this.#heldMs += (heldMs - this.#heldMs) * NEWEST
    const next = this.#next()
    if (next === undefined) this.#taken--
    // Not within the end of another exchange.
    else queueMicrotask(() => next.seated(true))
  }

  /** Whole seconds until one more request probably finds a seat, 1 to 60. */
  get waitSeconds(): number {
    const seconds = (this.#heldMs * (this.#count + 1)) / this.limit / 1000
    return Math.min(MOST_SECONDS, Math.max(1, Math.ceil(seconds)))
  }

  #next(): Waiting | undefined {
    for (const [key, queue] of this.#waiting) {
      const [one] = queue
      if (one === undefined) continue
      this.#drop(one)
      // The other keys come first now.
      if (this.#waiting.delete(key)) this.#waiting.set(key, queue)
      return one
    }
    return undefined
  }

  #drop(one: Waiting): boolean {
    const queue = this.#waiting.get(one.key)
    if (queue?.delete(one) !== true) return false
    if (queue.size === 0) this.#waiting.delete(one.key)
    clearTimeout(one.timer)
    this.#count--
    return true
  }
}
