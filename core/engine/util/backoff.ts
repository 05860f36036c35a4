export interface BackoffOptions {
  /** Milliseconds. */
  readonly first: number
  readonly longest: number
  /** Adjusts each wait, for example to a random share. Default: no change. */
  readonly jitter?: (wait: number) => number
}

/** Waits that double up to the longest. */
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
