import { Backoff as Doubling } from '../../engine/util/backoff.ts'

/** Milliseconds before a dead worker is replaced: at first, and at most. */
export const BACKOFF = { first: 100, longest: 30_000 } as const
/** A worker that served this long was sound, milliseconds: the next death begins from the shortest pause again. */
export const SOUND_MS = 60_000

/** Doubles with each death in a row. It never gives up: what kills the workers may go away, such as a lost store. */
export class Backoff {
  readonly #pauses = new Doubling(BACKOFF)

  /** The pause after a worker's death; `served` is how long it was ready, milliseconds. */
  next(served: number): number {
    if (served >= SOUND_MS) this.#pauses.reset()
    return this.#pauses.next()
  }
}
