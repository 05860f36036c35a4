export interface BackoffOptions {
  /** Milliseconds. */
  readonly first: number
  readonly longest: number
  /** Makes of each wait the one to take, such as a random share of it. Default the wait itself. */
  readonly jitter?: (wait: number) => number
}

/** Waits that double from one to the next, up to the longest. */
export class Backoff {
  readonly #options: BackoffOptions
  #attempts = 0

  constructor(options: BackoffOptions) {
    this.#options = options
  }

  /** The next wait, milliseconds. */
  next(): number {
    const { first, longest, jitter = same } = this.#options
    return jitter(Math.min(longest, first * 2 ** Math.min(this.#attempts++, 30)))
  }

  reset(): void {
    this.#attempts = 0
  }
}

const same = (wait: number): number => wait
