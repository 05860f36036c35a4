/**
 * The store's logic without storage. `memory` uses it alone; the embedded driver's owner backs it with SQLite.
 * Single-threaded; an operation either returns, or throws a usage error without any change.
 */
import type { Args, Notice, OpName, Result } from '../ops.ts'
import { Holds } from './holds.ts'
import { KeyValues } from './kv.ts'
import type { LogStorage } from './storage.ts'
import { Streams } from './streams.ts'
import { type Backing, type Entity, Table } from './table.ts'

interface Lock extends Entity {
  holder: string
}

export interface EngineOptions {
  /** Name of the chains; read lazily, since the embedded driver gets it from the file. */
  readonly instance: () => string
  readonly logs: LogStorage
  readonly backing?: Backing
  /**
   * Maximum number of values, and of meters, kept in memory after a commit; only with a backing. Default 100,000 of
   * each.
   */
  readonly cached?: number
}

type Handlers = { [K in OpName]: (args: Args<K>, now: number) => Result<K> }

export class Engine {
  /** Notices to send once the operations so far are durable. */
  notices: Notice[] = []
  readonly #kv: KeyValues
  readonly #holds: Holds
  readonly #streams: Streams
  readonly #locks: Table<Lock>
  readonly #logs: LogStorage
  readonly #cached: number
  readonly #handlers: Handlers

  constructor({ backing, logs, instance, cached = 100_000 }: EngineOptions) {
    this.#cached = cached
    this.#kv = new KeyValues(backing)
    this.#holds = new Holds(backing)
    this.#streams = new Streams(backing, logs, instance)
    // Lock holders do not survive the engine, so locks are not saved.
    this.#locks = new Table<Lock>('lock', { encode: () => undefined, decode: () => never() }, undefined, true)
    this.#logs = logs
    this.#handlers = this.#operations()
  }

  apply<K extends OpName>(name: K, args: Args<K>, now: number): Result<K> {
    this.sweep(now)
    return this.#handlers[name](args, now)
  }

  tables(): Table<Entity>[] {
    const { table: kv, meta } = this.#kv
    const { table: hold, meters } = this.#holds
    return [kv, meta, hold, meters.table, this.#streams.chains, this.#streams.groups] as unknown as Table<Entity>[]
  }

  flush(): void {
    for (const table of this.tables()) table.flush()
  }

  committed(): void {
    for (const table of this.tables()) table.committed(this.#cached)
  }

  reset(): void {
    this.notices = []
    for (const table of this.tables()) table.reset()
  }

  /** Call after loading the tables from a backing; see `Holds.restore`. */
  restore(now: number, ended: boolean): void {
    this.#holds.restore(now, ended)
  }

  /** Ends the leases of a dead process. */
  lapse(ids: readonly string[], now: number): void {
    this.#holds.lapse(ids, now)
    this.sweep(now)
  }

  /** Ends expired leases and removes expired entries. Every operation calls this first. */
  sweep(now: number): void {
    this.#holds.sweep(now)
    for (const table of [this.#kv.table, this.#holds.meters.table, this.#locks]) {
      for (let i = 0; i < 100; i++) {
        const key = table.expired(now)
        if (key === undefined) break
        table.delete(key)
      }
    }
  }

  #operations(): Handlers {
    const kv = this.#kv
    const holds = this.#holds
    const streams = this.#streams
    return {
      get: (args, now) => kv.get(args, now),
      set: (args, now) => this.#changed(kv.set(args, now), args),
      delete: (args, now) => this.#changed(kv.delete(args, now), args),
      increment: (args, now) => kv.increment(args, now),
      watch: () => null,
      begin: (args, now) => {
        const [reservation, first] = holds.begin(args, now)
        if (first) this.#append(args.stream, args.events, now)
        return reservation
      },
      topUp: (args, now) => holds.topUp(args, now),
      end: ({ id, used, stream, events }, now) => {
        const ended = holds.end(id, used, now)
        if (ended.closed) this.#append(stream, events, now)
        return ended
      },
      cancel: ({ id }, now) => done(holds.cancel(id, now)),
      renew: (args, now) => holds.renew(args, now),
      inspect: ({ scopes }, now) => scopes.map((scope) => holds.meters.state(scope, now)),
      lapsed: (args, now) => holds.lapsed(args, now),
      append: ({ stream, events }, now) => done(this.#append(stream, events, now)),
      read: (args, now) => streams.read(args, now),
      ack: (args, now) => streams.ack(args, now),
      leave: (args) => done(streams.leave(args)),
      scan: (args) => streams.scan(args),
      trim: (args) => streams.trim(args),
      stats: ({ stream }) => streams.stats(stream),
      forget: (args) => done(streams.forget(args)),
      push: ({ log, texts, cap }) => done(this.#logs.push(log, texts, cap)),
      recent: ({ log, limit, cursor }) => this.#recent(log, limit, cursor),
      acquire: ({ name, holder, leaseMs }, now) => this.#acquire(name, holder, now, leaseMs),
      release: ({ name, holder }, now) => this.#release(name, holder, now),
    }
  }

  #changed(done: boolean, { key, notify }: { key: string; notify: boolean }): boolean {
    if (done && notify) this.notices.push({ type: 'changed', key })
    return done
  }

  #append(stream: string, events: Args<'append'>['events'], now: number): void {
    if (events.length === 0) return
    this.#streams.append(stream, events, now)
    this.notices.push({ type: 'appended', stream })
  }

  #recent(log: string, limit: number, cursor: string | null): Result<'recent'> {
    const before = cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor)
    const found = this.#logs.recent(log, before, limit + 1)
    const page = found.slice(0, limit)
    return { texts: page.map((entry) => entry.text), next: found.length > limit ? String(page.at(-1)!.number) : null }
  }

  #acquire(name: string, holder: string, now: number, leaseMs: number): boolean {
    const lock = this.#locks.get(name)
    // A lease of over an hour more than a new one dates from before the clock was set back.
    const last = now + leaseMs + 3_600_000
    if (lock !== undefined && lock.holder !== holder && lock.expires! > now && lock.expires! <= last) return false
    this.#locks.put(name, { holder, expires: now + leaseMs })
    return true
  }

  #release(name: string, holder: string, now: number): boolean {
    const lock = this.#locks.get(name)
    if (lock?.holder !== holder || lock.expires! <= now) return false
    this.#locks.delete(name)
    return true
  }
}

const done = (_: unknown): null => null
const never = (): never => {
  throw new Error('locks are not kept')
}
