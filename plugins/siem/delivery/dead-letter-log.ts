import type { GovernanceEvent, Store } from 'governed-gateway'

/** Maximum number of events per stored value. */
const CHUNK = 100

/** An event that left the queue, and why. */
export type DeadLetter = {
  /** Time of the entry, ISO 8601. */
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
 * Durable and bounded log of events that left the queue: oldest first for replay, newest first for people. It
 * consists of numbered chunks between `head` and `tail`. One process writes, any process reads.
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

  /**
   * Appends entries; durable when it settles.
   *
   * @returns number of oldest entries that it removed for space
   */
  async push(entries: readonly DeadLetter[]): Promise<number> {
    for (let at = 0; at < entries.length; at += CHUNK) {
      const slice = entries.slice(at, at + CHUNK)
      await this.#append(slice)
      await this.#store.increment(`${this.#name}/count`, slice.length)
    }
    let lost = 0
    // Allows one chunk more: a chunk in delivery may come back before it is removed.
    while ((await this.count()) > this.#cap + CHUNK) {
      const oldest = await this.first()
      if (oldest === undefined) break
      await this.remove(oldest)
      lost += oldest.entries.length
    }
    return lost
  }

  /** Writes a chunk before announcing it. If its number is taken, another writer died in between. */
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

  newest(): Promise<number> {
    return this.#store.increment(`${this.#name}/tail`, 0)
  }

  /** The oldest chunk whose number is at most `until`. */
  async first(until = Number.MAX_SAFE_INTEGER): Promise<Chunk | undefined> {
    const tail = Math.min(await this.newest(), until)
    for (;;) {
      const number = (await this.#head()) + 1
      if (number > tail) return undefined
      const entries = await this.#store.get<DeadLetter[]>(this.#key(number))
      if (entries !== undefined) return { number, entries }
      // Two writers announced the same chunk.
      await this.#store.increment(`${this.#name}/head`, 1)
    }
  }

  /** Removes the oldest chunk. */
  async remove({ number, entries }: Chunk): Promise<void> {
    // It may have been removed for space.
    if ((await this.#head()) !== number - 1) return
    await this.#store.delete(this.#key(number))
    await this.#store.increment(`${this.#name}/head`, 1)
    await this.#store.increment(`${this.#name}/count`, -entries.length)
  }

  /** A page, newest first. A cursor is the chunk and index where the previous page ended. */
  async page(limit: number, cursor?: string): Promise<DeadLetterPage> {
    const [head, newest] = await Promise.all([this.#head(), this.newest()])
    const [from = newest, skip = 0] = cursor?.split('.').map(Number) ?? []
    const entries: DeadLetter[] = []
    let skipped = skip
    // A cursor comes from the client, so its entry may not exist.
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
