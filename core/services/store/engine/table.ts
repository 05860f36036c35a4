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

/** The expiry of the row that the backing has; undefined when it has none, `unknown` when nobody has looked. */
export type Saved = number | null | undefined | 'unknown'

/** Where rows are kept. */
export interface Backing {
  load(table: string, key: string): Row | undefined
  save(table: string, key: string, row: Row | undefined, saved: Saved): void
}

interface Slot<E> {
  entity: E
  /** The earliest deadline that is set for it. */
  watched: number
  saved: Saved
}

/** Deadlines of what was deleted or forgotten that may be left over, besides as many as there are entities. */
const STALE_DEADLINES = 1000

export class Table<E extends Entity> {
  readonly name: string
  readonly #codec: Codec<E>
  readonly #backing: Backing | undefined
  readonly #slots = new Map<string, Slot<E>>()
  readonly #dirty = new Map<string, Saved>() // as it is, or after the flush will be
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

  /** How many deadlines are set, of entities that are gone included. */
  get watched(): number {
    return this.#deadlines.size
  }

  keys(): IterableIterator<string> {
    return this.#slots.keys()
  }

  /** Writes what changed to the backing. */
  flush(): void {
    for (const [key, saved] of this.#dirty) {
      const entity = this.#slots.get(key)?.entity
      const text = entity === undefined ? undefined : this.#codec.encode(entity)
      const row = text === undefined ? undefined : { text, expires: entity!.expires }
      if (row !== undefined || saved !== undefined) this.#backing!.save(this.name, key, row, saved)
      this.#dirty.set(key, row?.expires)
    }
  }

  /** What `flush` wrote was committed. Forgets the longest known entities beyond `max`. */
  committed(max: number): void {
    for (const [key, saved] of this.#dirty) {
      const slot = this.#slots.get(key)
      if (slot !== undefined) slot.saved = saved
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

  /** Of a key that is not in memory: a row that was never looked at may be there all the same. */
  #savedOf(key: string): Saved {
    return this.resident || this.#dirty.has(key) ? this.#dirty.get(key) : 'unknown'
  }

  // One deadline for each entity, however often its time to live is prolonged.
  #watch(key: string, slot: Slot<E>): void {
    const { expires } = slot.entity
    if (expires === null || expires >= slot.watched) return
    slot.watched = expires
    this.#deadlines.add(expires, key)
    if (this.#deadlines.size > 2 * this.#slots.size + STALE_DEADLINES) this.#rewatch()
  }

  /** Those of entities that are gone would stay until their time, which may be a month away. */
  #rewatch(): void {
    this.#deadlines.clear()
    for (const [key, { watched }] of this.#slots) {
      if (watched !== Number.POSITIVE_INFINITY) this.#deadlines.add(watched, key)
    }
  }
}
