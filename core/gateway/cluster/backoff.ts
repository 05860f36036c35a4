import { Backoff as Doubling } from '../../engine/util/backoff.ts'

/** Shortest and longest pause before replacing a dead worker, milliseconds. */
const BACKOFF = { first: 100, longest: 30_000 } as const
/** After this time a worker counts as healthy, milliseconds: its death resets the pause. */
const SOUND_MS = 60_000

/** Doubles with each consecutive death. Never gives up: the cause may disappear, such as a store outage. */
export class Backoff {
  readonly #pauses = new Doubling(BACKOFF)

  /** The pause after a worker's death; `served` is how long it was ready, milliseconds. */
  next(served: number): number {
    if (served >= SOUND_MS) this.#pauses.reset()
    return this.#pauses.next()
  }
}
