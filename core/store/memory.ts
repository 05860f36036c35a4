import type { Json, Store } from '../plugin.ts'

interface Entry {
  value: Json
  version: number
  /** Milliseconds since the epoch; Infinity for never. */
  expires: number
}

const SWEEP_AT = 10_000

/** State of this process only; gone when it ends. */
export class MemoryStore implements Store {
  readonly #entries = new Map<string, Entry>()
  readonly #now: () => number
  #sweepAt = SWEEP_AT

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  async get<V extends Json>(key: string): Promise<V | undefined> {
    return this.#live(key)?.value as V | undefined
  }

  async set(
    key: string,
    value: Json,
    { ttlMs, ifVersion }: { ttlMs?: number; ifVersion?: number } = {},
  ): Promise<boolean> {
    const version = this.#live(key)?.version ?? 0
    if (ifVersion !== undefined && ifVersion !== version) return false
    const expires = ttlMs === undefined ? Number.POSITIVE_INFINITY : this.#now() + ttlMs
    this.#put(key, { value, version: version + 1, expires })
    return true
  }

  async increment(key: string, by: number, ttlMs: number): Promise<number> {
    const entry = this.#live(key)
    if (entry !== undefined && typeof entry.value === 'number') {
      entry.value += by
      entry.version++
      return entry.value
    }
    this.#put(key, { value: by, version: 1, expires: this.#now() + ttlMs })
    return by
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.expires > this.#now()) return entry
    this.#entries.delete(key)
    return undefined
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    if (this.#entries.size < this.#sweepAt) return
    const now = this.#now()
    for (const [other, { expires }] of this.#entries) if (expires <= now) this.#entries.delete(other)
    this.#sweepAt = Math.max(SWEEP_AT, this.#entries.size * 2)
  }
}
