import { type Clock, systemClock } from 'governed-gateway/kit'

/** Batches per second at the end of an outage. */
const FIRST = 5
const DOUBLES_MS = 10_000

/** Limits the rate after an outage: slow at first, then faster, until the backlog is delivered. */
export class Pace {
  readonly #clock: Clock
  #since: number | undefined
  #next = 0

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Call when the receiver is available again. */
  begin(): void {
    this.#since = this.#clock.now()
    this.#next = this.#since + 1000 / FIRST
  }

  /** Call when the backlog is delivered. */
  end(): void {
    this.#since = undefined
  }

  get active(): boolean {
    return this.#since !== undefined
  }

  /**
   * Waits until the next batch may be sent.
   *
   * @param fastest maximum batches per second
   */
  async turn(fastest: number, signal: AbortSignal): Promise<void> {
    if (this.#since === undefined) return
    const now = this.#clock.now()
    const rate = Math.min(FIRST * 2 ** ((now - this.#since) / DOUBLES_MS), fastest)
    const wait = this.#next - now
    this.#next = Math.max(now, this.#next) + 1000 / rate
    if (wait > 0) await this.#clock.sleep(wait, signal)
  }
}
