/** Saved for routes with few requests. */
const MOST = 10

/** Bounds retries to a share of the requests, so that they do not add load to what is overloaded. */
export class RetryBudget {
  readonly #share: number
  #tokens = MOST

  constructor(share: number) {
    this.#share = share
  }

  /** A request begins. */
  earn(): void {
    this.#tokens = Math.min(MOST, this.#tokens + this.#share)
  }

  /**
   * Whether one more retry is allowed; counts it.
   *
   * @param spares half of what is saved, for requests that no other upstream can answer
   */
  spend(spares = false): boolean {
    if (this.#tokens < (spares ? MOST / 2 + 1 : 1)) return false
    this.#tokens--
    return true
  }
}
