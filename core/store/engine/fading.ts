/** Texts that are remembered for a time, or up to twice as long: two sets, of which the older is dropped whole. */
export class Fading {
  readonly #ms: number
  #newer = new Set<string>()
  #older = new Set<string>()
  #next: number | undefined

  constructor(ms: number) {
    this.#ms = ms
  }

  add(text: string): void {
    this.#newer.add(text)
  }

  has(text: string): boolean {
    return this.#newer.has(text) || this.#older.has(text)
  }

  /** To be called before anything is added or asked. */
  fade(now: number): void {
    this.#next ??= now + this.#ms
    if (now < this.#next) return
    const isLate = now >= this.#next + this.#ms
    this.#older = isLate ? new Set() : this.#newer
    this.#newer = new Set()
    this.#next = (isLate ? now : this.#next) + this.#ms
  }

  clear(): void {
    this.#newer.clear()
    this.#older.clear()
  }
}
