/** Limits that callers have now, as the plugins that give them tell. */
import type { CallerLimit } from '../engine/contract/basics.ts'
import type { ReadLimits } from '../engine/contract/services.ts'

export class CallerLimits {
  readonly #offered = new Map<object, ReadLimits>()

  /** `owner` is any object, for `drop`. */
  offer(owner: object, read: ReadLimits): void {
    this.#offered.set(owner, read)
  }

  drop(owner: object): void {
    this.#offered.delete(owner)
  }

  /** Undefined if nobody knows the key or team. */
  of(scope: CallerLimit['scope'], subject: string): readonly CallerLimit[] | undefined {
    const told = Array.from(this.#offered.values(), (read) => read(scope, subject)).filter((one) => one !== undefined)
    return told.length === 0 ? undefined : told.flat()
  }
}
