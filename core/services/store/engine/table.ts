/**
 * The engine's state: tables of small entities in memory, with write-behind to an optional backing. A batch of
 * operations changes the objects; then one transaction saves the changes, before callers get an answer.
 */
import { Deadlines } from './deadlines.ts'

export interface Entity {
  /** When to check or expire it; null for never. */
  expires: number | null
}

/** How an entity becomes a row. */
export interface Codec<E extends Entity> {
  /** undefined: useless after a restart, do not save it. */
  encode(entity: E): string | undefined
  decode(text: string, expires: number | null): E
}

export interface Row {
  readonly text: string
  readonly expires: number | null
}

/** Expiry of the backing's row; undefined if there is no row, `unknown` if it was not read. */
export type Saved = number | null | undefined | 'unknown'

/** Stores rows. */
export interface Backing {
  load(table: string, key: string): Row | undefined
  save(table: string, key: string, row: Row | undefined, saved: Saved): void
}

interface Slot<E> {
  entity: E
  /** Earliest deadline set for it. */
  watched: number
  saved: Saved
}

/** Number of stale deadlines to tolerate, in addition to the number of entities. */
const STALE_DEADLINES = 1000
/** Deletions after which the map is made anew, in addition to the number of entities. */
const DELETIONS = 1000

export class Table<E extends Entity> {
  readonly name: string
  readonly #codec: Codec<E>
  readonly #backing: Backing | undefined
  // A map makes a new table every few deletions. Once a table is among the old objects, it keeps the next one and what is in it, that
  // one the next: deleted entities would be copied until all objects are collected. A new map has no table before it.
  #slots = new Map<string, Slot<E>>()
  #deleted = 0
  #dirty = new Map<string, Saved>() // as it is, or after the flush will be
  readonly #deadlines = new Deadlines<string>()
  /** All entities are in memory: a missing key does not exist. */
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

  /** Adds a row that is already stored. */
  adopt(key: string, row: Row): E {
    const entity = this.#codec.decode(row.text, row.expires)
    const slot = { entity, watched: Number.POSITIVE_INFINITY, saved: row.expires }
    this.#slots.set(key, slot)
    this.#watch(key, slot)
    return slot.entity
  }

  /** Adds, replaces, or marks as changed. */
  put(key: string, entity: E): void {
    let slot = this.#slots.get(key)
    if (slot === undefined) {
      slot = { entity, watched: Number.POSITIVE_INFINITY, saved: this.#savedOf(key) }
      this.#slots.set(key, slot)
    }
    slot.entity = entity
    if (this.#backing !== undefined) this.#dirty.set(key, slot.saved)
    this.#watch(key, slot)
  }

  delete(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#slots.delete(key)
    if (this.#backing !== undefined) this.#dirty.set(key, slot.saved)
    if (++this.#deleted <= this.#slots.size + DELETIONS) return
    this.#slots = new Map(this.#slots)
    this.#deleted = 0
  }

  /** The next key whose entity expired. The caller deletes it or sets a later time. */
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

  /** Number of deadlines set, including stale ones. */
  get watched(): number {
    return this.#deadlines.size
  }

  keys(): IterableIterator<string> {
    return this.#slots.keys()
  }

  /** Writes changes to the backing. */
  flush(): void {
    for (const [key, saved] of this.#dirty) {
      const entity = this.#slots.get(key)?.entity
      const text = entity === undefined ? undefined : this.#codec.encode(entity)
      const row = text === undefined ? undefined : { text, expires: entity!.expires }
      if (row !== undefined || saved !== undefined) this.#backing!.save(this.name, key, row, saved)
      this.#dirty.set(key, row?.expires)
    }
  }

  /** Called after the commit of `flush`. Evicts the oldest entities beyond `max`. */
  committed(max: number): void {
    for (const [key, saved] of this.#dirty) {
      const slot = this.#slots.get(key)
      if (slot !== undefined) slot.saved = saved
    }
    if (this.#dirty.size > 0) this.#dirty = new Map()
    if (this.resident) return
    for (const key of this.#slots.keys()) {
      if (this.#slots.size <= max) break
      this.#slots.delete(key)
    }
  }

  /** Drops everything; the backing is authoritative. */
  reset(): void {
    this.#slots.clear()
    this.#dirty.clear()
    this.#deadlines.clear()
  }

  /** State of a key that is not in memory: an unread row may exist. */
  #savedOf(key: string): Saved {
    return this.resident || this.#dirty.has(key) ? this.#dirty.get(key) : 'unknown'
  }

  // One deadline per entity, however often its expiry is extended.
  #watch(key: string, slot: Slot<E>): void {
    const { expires } = slot.entity
    if (expires === null || expires >= slot.watched) return
    slot.watched = expires
    this.#deadlines.add(expires, key)
    if (this.#deadlines.size > 2 * this.#slots.size + STALE_DEADLINES) this.#rewatch()
  }

  /** Removes stale deadlines, which might stay for a month. */
  #rewatch(): void {
    this.#deadlines.clear()
    for (const [key, { watched }] of this.#slots) {
      if (watched !== Number.POSITIVE_INFINITY) this.#deadlines.add(watched, key)
    }
  }
}
