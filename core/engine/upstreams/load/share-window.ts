const SLICES = 10

/** Successes and failures of the last while, in slices of time that are reused. */
export class ShareWindow {
  readonly #sliceMs: number
  readonly #good = new Float64Array(SLICES)
  readonly #bad = new Float64Array(SLICES)
  #slice = 0
  #goods = 0
  #bads = 0

  constructor(ms: number) {
    this.#sliceMs = ms / SLICES
  }

  get total(): number {
    return this.#goods + this.#bads
  }

  /** Share of failures, 0 to 1. */
  get share(): number {
    return this.total === 0 ? 0 : this.#bads / this.total
  }

  add(now: number, isBad: boolean): void {
    const slice = Math.floor(now / this.#sliceMs)
    if (slice !== this.#slice) this.#turnTo(slice)
    const at = slice % SLICES
    if (isBad) {
      this.#bad[at]!++
      this.#bads++
    } else {
      this.#good[at]!++
      this.#goods++
    }
  }

  clear(): void {
    this.#good.fill(0)
    this.#bad.fill(0)
    this.#goods = this.#bads = 0
  }

  /** Forgets the slices that are over. */
  #turnTo(slice: number): void {
    const passed = slice - this.#slice
    this.#slice = slice
    if (passed >= SLICES || passed < 0) return this.clear()
    for (let i = 0; i < passed; i++) {
      const at = (slice - i) % SLICES
      this.#goods -= this.#good[at]!
      this.#bads -= this.#bad[at]!
      this.#good[at] = this.#bad[at] = 0
    }
  }
}
