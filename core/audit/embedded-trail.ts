import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store/errors.ts'
import type { JsonObject } from '../store/store.ts'
import { PAGE, type RawRecord, type TrailReader } from './reader.ts'

// As `store/embedded/rows.ts` writes them.
const STREAM = 2 ** 40
const CHAIN_KIND = 5

/** What the store believes its newest record to be. */
export interface StoredHead {
  readonly instance: string
  readonly seq: number
  readonly hash: string
  /** How many up to it are kept; those before were removed by the retention. */
  readonly records: number
}

/**
 * The trail of an embedded store, read from its file. It works while a gateway runs on it: the write-ahead log lets others
 * read, each page is a transaction of its own, and nothing is written.
 */
export class EmbeddedTrail implements TrailReader {
  readonly #db: DatabaseSync
  /** Who writes the trail: nobody else does. */
  readonly instance: string
  /** Where the stream's records are; undefined when it has none. */
  readonly #base: number | undefined
  readonly #stream: string

  constructor(folder: string, stream: string) {
    const file = join(folder, 'store.db')
    if (!existsSync(file)) {
      throw new StoreError('unavailable', `There is no store in ${folder}: ${file} does not exist. Check the path.`)
    }
    this.#stream = stream
    try {
      this.#db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
      this.instance = String(this.#db.prepare("SELECT value FROM meta WHERE key = 'instance'").get()?.value)
      const number = this.#db.prepare('SELECT number FROM stream WHERE name = ?').get(stream)?.number
      this.#base = number === undefined ? undefined : Number(number) * STREAM
    } catch (cause) {
      throw new StoreError('unavailable', `${file} cannot be read: ${(cause as Error).message}.`, cause)
    }
  }

  async instances(): Promise<readonly string[]> {
    return this.#base === undefined ? [] : [this.instance]
  }

  async page(_instance: string, order: 'asc' | 'desc', after: string | undefined) {
    return this.#rows(order, after).flatMap(({ cursor, text }) => {
      const record = parsed(text)
      return record === undefined ? [] : [{ cursor, text, record }]
    })
  }

  async raw(_instance: string, after: string | undefined): Promise<readonly RawRecord[]> {
    return this.#rows('asc', after)
  }

  /** Undefined before the first record. */
  head(): StoredHead | 'damaged' | undefined {
    const row = this.#db.prepare('SELECT text FROM entity WHERE kind = ? AND key = ?').get(CHAIN_KIND, this.#stream)
    if (row === undefined) return undefined
    const [seq, hash, records] = list(String(row.text))
    const whole = Number.isSafeInteger(seq) && typeof hash === 'string' && Number.isSafeInteger(records)
    return whole ? ({ instance: this.instance, seq, hash, records } as StoredHead) : 'damaged'
  }

  close(): void {
    this.#db.close()
  }

  #rows(order: 'asc' | 'desc', after: string | undefined): RawRecord[] {
    const base = this.#base
    if (base === undefined) return []
    const from = after === undefined ? undefined : Number(after.slice(after.lastIndexOf('/') + 1))
    const sql =
      order === 'asc'
        ? 'SELECT id, text FROM record WHERE id > ? AND id < ? ORDER BY id LIMIT ?'
        : 'SELECT id, text FROM record WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ?'
    const low = order === 'asc' ? base + (from ?? 0) : base
    const high = order === 'asc' || from === undefined ? base + STREAM : base + from
    const rows = this.#db.prepare(sql).all(low, high, PAGE)
    return rows.map(({ id, text }) => ({ cursor: `${this.instance}/${Number(id) - base}`, text: String(text) }))
  }
}

function list(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return undefined
  }
}
