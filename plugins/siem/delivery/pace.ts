import { type Clock, systemClock } from 'governed-gateway/kit'

/** Batches a second right after an outage. */
const FIRST = 5
const DOUBLES_MS = 10_000

/** After an outage: slow at first, then faster, until nothing is piled up any more. */
export class Pace {
  readonly #clock: Clock
  #since: number | undefined
  #next = 0

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** The receiver is back. */
  begin(): void {
    this.#since = this.#clock.now()
    this.#next = this.#since + 1000 / FIRST
  }

  /** Everything that had piled up is delivered. */
  end(): void {
    this.#since = undefined
  }

  get active(): boolean {
    return this.#since !== undefined
  }

  /** Waits for the turn of the next batch, at most `fastest` a second. */
  async turn(fastest: number, signal: AbortSignal): Promise<void> {
    if (this.#since === undefined) return
    const now = this.#clock.now()
    const rate = Math.min(FIRST * 2 ** ((now - this.#since) / DOUBLES_MS), fastest)
    const wait = this.#next - now
    this.#next = Math.max(now, this.#next) + 1000 / rate
    if (wait > 0) await this.#clock.sleep(wait, signal)
  }
}
