/**
 * The engine's state: a few tables of small entities, held in memory and, with a backing, written behind: a batch of
 * operations works on the objects, then what changed is saved in one transaction before anybody is told.
 */
import { Deadlines } from './deadlines.ts'

export interface Entity {
  /** When it must be looked at or stops existing; null for never. */
  expires: number | null
}

/** How an entity becomes a row. */
export interface Codec<E extends Entity> {
  /** undefined: it is of no use after a restart, do not keep it. */
  encode(entity: E): string | undefined
  decode(text: string, expires: number | null): E
}

export interface Row {
  readonly text: string
  readonly expires: number | null
}

/** Where rows are kept. */
export interface Backing {
  load(table: string, key: string): Row | undefined
  save(table: string, key: string, row: Row | undefined): void
}

interface Slot<E> {
  entity: E
  /** The earliest deadline that is set for it. */
  watched: number
  /** A row of it is in the backing. */
  stored: boolean
}

export class Table<E extends Entity> {
  readonly name: string
  readonly #codec: Codec<E>
  readonly #backing: Backing | undefined
  readonly #slots = new Map<string, Slot<E>>()
  readonly #dirty = new Map<string, boolean>() // key → whether a row is, or after the flush will be, in the backing
  readonly #deadlines = new Deadlines<string>()
  /** Every entity is in memory: what is not there does not exist. */
  readonly resident: boolean

  constructor(name: string, codec: Codec<E>, backing: Backing | undefined, resident: boolean) {
    this.name = name
    this.#codec = codec
    this.#backing = backing
    this.resident = resident || backing === undefined
  }

  get(key: string): E | undefined {
    const slot = this.#slots.get(key)
    if (slot !== undefined) return slot.entity
    if (this.resident || this.#dirty.has(key)) return undefined
    const row = this.#backing!.load(this.name, key)
    return row === undefined ? undefined : this.adopt(key, row)
  }

  /** Takes over a row that is stored already. */
  adopt(key: string, row: Row): E {
    const slot = { entity: this.#codec.decode(row.text, row.expires), watched: Number.POSITIVE_INFINITY, stored: true }
    this.#slots.set(key, slot)
    this.#watch(key, slot)
    return slot.entity
  }

  /** Adds, replaces, or marks as changed. */
  put(key: string, entity: E): void {
    let slot = this.#slots.get(key)
    if (slot === undefined) {
      slot = { entity, watched: Number.POSITIVE_INFINITY, stored: this.#dirty.get(key) === true }
      this.#slots.set(key, slot)
    }
    slot.entity = entity
    if (this.#backing !== undefined) this.#dirty.set(key, slot.stored)
    this.#watch(key, slot)
  }

  delete(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#slots.delete(key)
    if (this.#backing !== undefined) this.#dirty.set(key, slot.stored)
  }

  /** Next key whose entity has expired, one at a time; the caller deletes it or puts it with a later time. */
  expired(now: number): string | undefined {
    for (;;) {
      const key = this.#deadlines.due(now)
      if (key === undefined) return undefined
      const slot = this.#slots.get(key)
      if (slot === undefined) continue
      slot.watched = Number.POSITIVE_INFINITY
      if (slot.entity.expires !== null && slot.entity.expires <= now) return key
      this.#watch(key, slot)
    }
  }

  keys(): IterableIterator<string> {
    return this.#slots.keys()
  }

  /** Writes what changed to the backing. */
  flush(): void {
    for (const [key, stored] of this.#dirty) {
      const entity = this.#slots.get(key)?.entity
      const text = entity === undefined ? undefined : this.#codec.encode(entity)
      if (text !== undefined) this.#backing!.save(this.name, key, { text, expires: entity!.expires })
      else if (stored) this.#backing!.save(this.name, key, undefined)
      this.#dirty.set(key, text !== undefined)
    }
  }

  /** What `flush` wrote was committed. Forgets the longest known entities beyond `max`. */
  committed(max: number): void {
    for (const [key, stored] of this.#dirty) {
      const slot = this.#slots.get(key)
      if (slot !== undefined) slot.stored = stored
    }
    this.#dirty.clear()
    if (this.resident) return
    for (const key of this.#slots.keys()) {
      if (this.#slots.size <= max) break
      this.#slots.delete(key)
    }
  }

  /** Forgets everything; the backing is the truth again. */
  reset(): void {
    this.#slots.clear()
    this.#dirty.clear()
    this.#deadlines.clear()
  }

  // One deadline for each entity, however often its time to live is prolonged.
  #watch(key: string, slot: Slot<E>): void {
    const { expires } = slot.entity
    if (expires === null || expires >= slot.watched) return
    slot.watched = expires
    this.#deadlines.add(expires, key)
  }
}
