/** Current limits of callers, from the plugins that provide them. */
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

  /** Undefined if no plugin knows the key or team. */
  of(scope: CallerLimit['scope'], subject: string): readonly CallerLimit[] | undefined {
    const limits = Array.from(this.#offered.values(), (read) => read(scope, subject)).filter((one) => one !== undefined)
    return limits.length === 0 ? undefined : limits.flat()
  }
}
