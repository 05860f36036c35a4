import type { GovernanceEvent, Store } from 'governed-gateway'

/** Most events of one stored value. */
const CHUNK = 100

/** One event that is out of the queue, and why. */
export type DeadLetter = {
  /** When it was put here. */
  time: string
  error: string
  status: number | null
  event: GovernanceEvent & { [key: string]: never }
}

export interface Chunk {
  readonly number: number
  readonly entries: readonly DeadLetter[]
}

export interface DeadLetterPage {
  readonly entries: readonly DeadLetter[]
  readonly next: string | undefined
}

/**
 * Events that left the queue, durable and bounded: oldest first for replay, newest first for people. Numbered chunks
 * between `head` and `tail`; one process writes, any reads.
 */
export class DeadLetterLog {
  readonly #store: Pick<Store, 'get' | 'set' | 'delete' | 'increment'>
  readonly #name: string
  readonly #cap: number

  constructor(store: Pick<Store, 'get' | 'set' | 'delete' | 'increment'>, name: string, cap: number) {
    this.#store = store
    this.#name = name
    this.#cap = cap
  }

  /** Durable when it settles. Returns how many of the oldest had to make room. */
  async push(entries: readonly DeadLetter[]): Promise<number> {
    for (let at = 0; at < entries.length; at += CHUNK) {
      const slice = entries.slice(at, at + CHUNK)
      await this.#append(slice)
      await this.#store.increment(`${this.#name}/count`, slice.length)
    }
    let lost = 0
    // One chunk more than that: the one which is being delivered may come back before it is removed.
    while ((await this.count()) > this.#cap + CHUNK) {
      const oldest = await this.first()
      if (oldest === undefined) break
      await this.remove(oldest)
      lost += oldest.entries.length
    }
    return lost
  }

  /** Written before it is announced. A number that is taken belongs to a writer that died in between. */
  async #append(slice: readonly DeadLetter[]): Promise<void> {
    for (;;) {
      const number = (await this.newest()) + 1
      const written = await this.#store.set(this.#key(number), slice as never, { ifVersion: 0 })
      await this.#store.increment(`${this.#name}/tail`, 1)
      if (written) return
    }
  }

  count(): Promise<number> {
    return this.#store.increment(`${this.#name}/count`, 0)
  }

  /** Number of the newest chunk. */
  newest(): Promise<number> {
    return this.#store.increment(`${this.#name}/tail`, 0)
  }

  /** The oldest chunk, not newer than `until`. */
  async first(until = Number.MAX_SAFE_INTEGER): Promise<Chunk | undefined> {
    const tail = Math.min(await this.newest(), until)
    for (;;) {
      const number = (await this.#head()) + 1
      if (number > tail) return undefined
      const entries = await this.#store.get<DeadLetter[]>(this.#key(number))
      if (entries !== undefined) return { number, entries }
      // Two writers announced one chunk.
      await this.#store.increment(`${this.#name}/head`, 1)
    }
  }

  /** The oldest chunk is dealt with. */
  async remove({ number, entries }: Chunk): Promise<void> {
    // It may have had to make room in the meantime.
    if ((await this.#head()) !== number - 1) return
    await this.#store.delete(this.#key(number))
    await this.#store.increment(`${this.#name}/head`, 1)
    await this.#store.increment(`${this.#name}/count`, -entries.length)
  }

  /** Newest first. A cursor is where the page before ended: chunk and place in it. */
  async page(limit: number, cursor?: string): Promise<DeadLetterPage> {
    const [head, newest] = await Promise.all([this.#head(), this.newest()])
    const [from = newest, skip = 0] = cursor?.split('.').map(Number) ?? []
    const entries: DeadLetter[] = []
    let skipped = skip
    // A cursor comes from the client: its entry need not exist.
    for (let number = Math.min(from, newest); number > head; number--) {
      const chunk = (await this.#store.get<DeadLetter[]>(this.#key(number)))?.toReversed() ?? []
      for (let i = skipped; i < chunk.length; i++) {
        if (entries.length === limit) return { entries, next: `${number}.${i}` }
        entries.push(chunk[i] as DeadLetter)
      }
      skipped = 0
    }
    return { entries, next: undefined }
  }

  #head(): Promise<number> {
    return this.#store.increment(`${this.#name}/head`, 0)
  }

  #key(number: number): string {
    return `${this.#name}/${number}`
  }
}

export const isPageCursor = (cursor: string): boolean => /^[1-9]\d{0,14}\.\d{1,3}$/.test(cursor)
