import type { UpstreamConfig } from '../../config/types.ts'
import { ownHeaders } from '../headers.ts'

/** One of several keys of an upstream. */
export interface PooledKey {
  /** Headers of requests with this key. */
  readonly headers: Readonly<Record<string, string>>
  /** Until when the provider wants no requests of it. */
  restsUntil: number
}

/** The keys of one upstream, in turn. */
export class KeyPool {
  readonly #keys: readonly PooledKey[]
  #last = -1

  constructor(config: UpstreamConfig, keys: readonly string[]) {
    this.#keys = keys.map((key) => ({ headers: ownHeaders({ ...config, key }), restsUntil: 0 }))
  }

  get size(): number {
    return this.#keys.length
  }

  resting(now: number): number {
    return this.#keys.filter((key) => key.restsUntil > now).length
  }

  /** When the first of them may be used. */
  get freeAt(): number {
    return Math.min(...this.#keys.map((key) => key.restsUntil))
  }

  /** The next key that does not rest; if all do, the one that rests the shortest. */
  next(now: number): PooledKey {
    let best: number | undefined
    for (let i = 1; i <= this.#keys.length; i++) {
      const at = (this.#last + i) % this.#keys.length
      const { restsUntil } = this.#keys[at] as PooledKey
      if (restsUntil <= now) {
        best = at
        break
      }
      if (best === undefined || restsUntil < (this.#keys[best] as PooledKey).restsUntil) best = at
    }
    this.#last = best as number
    return this.#keys[this.#last] as PooledKey
  }
}
