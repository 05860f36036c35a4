export interface PulseOptions {
  ping(): void
  /** Longest silence, milliseconds; a reload may change it. */
  allowed(): number
  /** Called once when the process was silent for that long. */
  silent(): void
}

/** Longest interval between checks, milliseconds. */
const TURN_MS = 1000
/** Minimum number of checks within the allowed time. */
const TURNS = 6

/**
 * Detects a process that is alive but hangs, for example in an endless loop. Counts unanswered checks instead of
 * comparing clocks. A pause of the primary or the whole machine counts as a single check, and waiting answers are read
 * before the next.
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
    // One ping at a time: a stopped process reads nothing, so they would pile up.
    if (!this.#asked) this.#options.ping()
    this.#asked = true
    this.#turn = Math.min(TURN_MS, Math.ceil(allowed / TURNS))
    this.#timer = setTimeout(() => this.#next(), this.#turn)
  }
}
