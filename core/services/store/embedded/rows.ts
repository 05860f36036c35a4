import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { LogStorage, StoredRecord } from '../engine/storage.ts'
import type { Backing, Row, Saved } from '../engine/table.ts'
import { corrupt } from './faults.ts'
import { Recent } from './recent.ts'

/** Numbers of the engine's tables. Tables up to 2 are purged by time, see the index in `schema.ts`. */
const KINDS: Readonly<Record<string, number>> = { kv: 1, meter: 2, meta: 3, hold: 4, chain: 5, group: 6 }

// A record's id combines its stream's number (high bits) and its seq: one tree with one append position per stream.
const STREAM = 2 ** 40
const LAST = STREAM - 1

type Statements = { readonly [name in keyof typeof SQL]: StatementSync }
type Values = { [column: string]: unknown }

/** The engine's rows, streams and bounded logs in SQLite. The owner wraps calls in transactions. */
export class Rows implements Backing, LogStorage {
  readonly #file: string
  readonly #sql: Statements
  readonly #streams = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  readonly #recent = new Recent()

  constructor(db: DatabaseSync, file: string) {
    this.#file = file
    const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)])
    this.#sql = Object.fromEntries(prepared) as Statements
    this.reset()
  }

  /** After a rollback: drops cached streams, numbers and records, which may not exist. */
  reset(): void {
    this.#streams.clear()
    this.#numbers.clear()
    this.#recent.clear()
    for (const row of this.#sql.streams.all()) this.#streams.set(String(row.name), Number(row.number))
  }

  load(table: string, key: string): Row | undefined {
    const row = this.#sql.load.get(KINDS[table]!, key)
    return row === undefined ? undefined : this.#row(key, row)
  }

  *loadAll(table: string): Generator<[key: string, row: Row]> {
    for (const row of this.#sql.loadAll.iterate(KINDS[table]!)) yield [String(row.key), this.#row(String(row.key), row)]
  }

  save(table: string, key: string, row: Row | undefined, saved: Saved): void {
    const kind = KINDS[table]!
    if (row === undefined) {
      this.#sql.drop.run(kind, key)
      return
    }
    const { text, expires } = row
    const crc = check(key, text, expires)
    // Most updates count a meter without changing its expiry, so the deadline index need not change.
    const altered = saved === expires && this.#sql.alter.run(text, crc, kind, key).changes === 1
    if (!altered) this.#sql.save.run(kind, key, text, expires, crc)
  }

  /** Removes expired values and meters, a few hundred per call. */
  purge(now: number): void {
    this.#sql.purge.run(now)
  }

  append(stream: string, record: StoredRecord): void {
    const { seq, time, text } = record
    const id = this.#stream(stream) * STREAM + seq
    this.#sql.append.run(id, time, text, check(String(id), text, time))
    this.#recent.add(stream, record)
  }

  range(stream: string, from: number, order: 'asc' | 'desc', limit: number): StoredRecord[] {
    const known = order === 'asc' ? this.#recent.after(stream, from, limit) : undefined
    if (known !== undefined) return known
    const base = this.#stream(stream) * STREAM
    const rows =
      order === 'asc'
        ? this.#sql.ascending.all(base + Math.min(from, LAST), base + LAST, limit)
        : this.#sql.descending.all(base + Math.min(from, LAST), base, limit)
    return rows.map((row) => {
      const id = Number(row.id)
      const [time, text] = [Number(row.time), String(row.text)]
      this.#verify(String(id), text, time, row)
      return { seq: id - base, time, text }
    })
  }

  remove(stream: string, seq: number): void {
    const base = this.#stream(stream) * STREAM
    this.#sql.remove.run(base, base + seq)
    this.#recent.forget(stream)
  }

  push(log: string, texts: readonly string[], cap: number): void {
    let number = this.#numbers.get(log) ?? Number(this.#sql.newest.get(log)?.number ?? -1)
    for (const text of texts) {
      number++
      this.#sql.push.run(log, number, text, check(log, text, number))
    }
    this.#numbers.set(log, number)
    this.#sql.cap.run(log, number - cap)
  }

  recent(log: string, before: number, limit: number): { number: number; text: string }[] {
    return this.#sql.recent.all(log, before, limit).map((row) => {
      const [number, text] = [Number(row.number), String(row.text)]
      this.#verify(log, text, number, row)
      return { number, text }
    })
  }

  #stream(name: string): number {
    let number = this.#streams.get(name)
    if (number === undefined) {
      number = this.#streams.size + 1
      this.#sql.stream.run(number, name)
      this.#streams.set(name, number)
    }
    return number
  }

  #row(key: string, row: Values): Row {
    const text = String(row.text)
    const expires = row.expires === null ? null : Number(row.expires)
    this.#verify(key, text, expires, row)
    return { text, expires }
  }

  #verify(key: string, text: string, number: number | null, row: Values): void {
    if (row.crc !== check(key, text, number)) throw corrupt(this.#file, 'a row does not match its checksum')
  }
}

const check = (key: string, text: string, number: number | null): number => crc32(text, crc32(`${key} ${number}`))

const SQL = {
  load: 'SELECT text, expires, crc FROM entity WHERE kind = ? AND key = ?',
  loadAll: 'SELECT key, text, expires, crc FROM entity WHERE kind = ?',
  save: `INSERT INTO entity(kind, key, text, expires, crc) VALUES(?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET text = excluded.text, expires = excluded.expires, crc = excluded.crc`,
  alter: 'UPDATE entity SET text = ?, crc = ? WHERE kind = ? AND key = ?',
  drop: 'DELETE FROM entity WHERE kind = ? AND key = ?',
  purge: `DELETE FROM entity WHERE (kind, key) IN
    (SELECT kind, key FROM entity WHERE kind <= 2 AND expires IS NOT NULL AND expires < ? LIMIT 500)`,
  streams: 'SELECT number, name FROM stream',
  stream: 'INSERT INTO stream(number, name) VALUES(?, ?)',
  append: 'INSERT INTO record(id, time, text, crc) VALUES(?, ?, ?, ?)',
  ascending: 'SELECT id, time, text, crc FROM record WHERE id > ? AND id <= ? ORDER BY id LIMIT ?',
  descending: 'SELECT id, time, text, crc FROM record WHERE id < ? AND id > ? ORDER BY id DESC LIMIT ?',
  remove: 'DELETE FROM record WHERE id > ? AND id <= ?',
  newest: 'SELECT max(number) AS number FROM bounded WHERE log = ?',
  push: 'INSERT INTO bounded(log, number, text, crc) VALUES(?, ?, ?, ?)',
  cap: 'DELETE FROM bounded WHERE log = ? AND number <= ?',
  recent: 'SELECT number, text, crc FROM bounded WHERE log = ? AND number < ? ORDER BY number DESC LIMIT ?',
} as const
