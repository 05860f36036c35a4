export interface PulseOptions {
  ping(): void
  /** Longest silence, milliseconds, as it is now: a reload may change it. */
  allowed(): number
  /** It did not answer for that long. Told once. */
  silent(): void
}

/** Longest time between two looks, milliseconds. */
const TURN_MS = 1000
/** Looks within the time allowed, at least. */
const TURNS = 6

/**
 * Finds out that a process is alive but does nothing any more, as with an endless loop. No clocks are compared:
 * unanswered turns are added up. So when the primary itself was held up, or everything was suspended, that is one turn,
 * however long it took, and the answers that wait meanwhile are read before the next.
 */
export class Pulse {
  readonly #options: PulseOptions
  #asked = false
  #silence = 0
  #turn = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: PulseOptions) {
    this.#options = options
    this.#next()
  }

  answered(): void {
    this.#asked = false
    this.#silence = 0
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #next(): void {
    const allowed = this.#options.allowed()
    if (this.#asked) this.#silence += this.#turn
    if (this.#silence >= allowed) return this.#options.silent()
    // One at a time: what a stopped process does not read would pile up.
    if (!this.#asked) this.#options.ping()
    this.#asked = true
    this.#turn = Math.min(TURN_MS, Math.ceil(allowed / TURNS))
    this.#timer = setTimeout(() => this.#next(), this.#turn)
  }
}
