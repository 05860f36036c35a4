import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { JsonObject } from '../../engine/contract/store.ts'
import { isStoreError, StoreError } from '../../engine/contract/store-errors.ts'
import { sentence } from '../../engine/util/sentence.ts'
import { isThere } from '../../engine/util/system-error.ts'
import { cannotWrite, openReadOnly, primaryCode } from '../store/embedded/read-only.ts'
import { eventIn, PAGE, type RawRecord, type TrailReader } from './reader.ts'

// Same values as in `store/embedded/rows.ts`.
const STREAM = 2 ** 40
const CHAIN_KIND = 5

// SQLite's primary code: the low byte of an extended code.
const SQLITE_CORRUPT = 11

/** The store's metadata of its newest record. */
export interface StoredHead {
  readonly instance: string
  readonly seq: number
  readonly hash: string
  /** Number of kept records up to it; retention removed earlier ones. */
  readonly records: number
}

/**
 * Reads the trail from an embedded store's file, even while a gateway runs on it. The write-ahead log allows concurrent
 * readers, each page is a separate transaction, and nothing is written.
 */
export class EmbeddedTrail implements TrailReader {
  readonly #db: DatabaseSync
  readonly #frozen: boolean
  /** The only instance that writes the trail. */
  readonly instance: string
  /** First id of the stream's records; undefined if the stream does not exist. */
  readonly #base: number | undefined
  readonly #stream: string
  readonly #file: string
  readonly #skipped: (cursor: string) => void

  /** @param skipped called for each skipped record that is not an event; may repeat */
  constructor(folder: string, stream: string, skipped: (cursor: string) => void = () => {}) {
    const file = join(folder, 'store.db')
    this.#file = file
    this.#skipped = skipped
    if (!isThere(file)) {
      throw new StoreError('unavailable', `There is no store in ${folder}: ${file} does not exist. Check the path.`)
    }
    this.#stream = stream
    try {
      const { db, frozen } = openReadOnly(file)
      this.#db = db
      this.#frozen = frozen
      this.instance = String(this.#db.prepare("SELECT value FROM meta WHERE key = 'instance'").get()?.value)
      const number = this.#db.prepare('SELECT number FROM stream WHERE name = ?').get(stream)?.number
      this.#base = number === undefined ? undefined : Number(number) * STREAM
    } catch (cause) {
      throw unreadable(file, cause)
    }
  }

  async instances(): Promise<readonly string[]> {
    return this.#base === undefined ? [] : [this.instance]
  }

  async page(_instance: string, order: 'asc' | 'desc', after: string | undefined) {
    for (let from = after; ; ) {
      const rows = this.#rows(order, from)
      const records = rows.flatMap(({ cursor, text }) => {
        const record = eventIn(text) as JsonObject | undefined
        if (record === undefined) this.#skipped(cursor)
        return record === undefined ? [] : [{ cursor, text, record }]
      })
      // Only a page without rows is the end; a page may have no readable record.
      if (records.length > 0 || rows.length === 0) return records
      from = rows.at(-1)?.cursor
    }
  }

  async raw(_instance: string, after: string | undefined): Promise<readonly RawRecord[]> {
    return this.#rows('asc', after)
  }

  /** Undefined before the first record. */
  head(): StoredHead | 'damaged' | undefined {
    const [row] = this.#all('SELECT text FROM entity WHERE kind = ? AND key = ?', CHAIN_KIND, this.#stream)
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
    return this.#all(sql, low, high, PAGE).map(({ id, text }) => ({
      cursor: `${this.instance}/${Number(id) - base}`,
      text: String(text),
    }))
  }

  #all(sql: string, ...values: SQLInputValue[]) {
    if (this.#frozen && isThere(`${this.#file}-wal`)) throw changed(this.#file)
    try {
      return this.#db.prepare(sql).all(...values)
    } catch (cause) {
      throw unreadable(this.#file, cause)
    }
  }
}

const changed = (file: string): StoreError =>
  new StoreError('unavailable', `A gateway began to use ${file} meanwhile. Run the command again.`)

function unreadable(file: string, cause: unknown): StoreError {
  if (isStoreError(cause)) return cause
  const { message } = cause as Error
  const code = primaryCode(cause)
  const advice =
    code === SQLITE_CORRUPT
      ? ' Restore a backup of the store; keep this one as evidence.'
      : cannotWrite(code)
        ? ' Run as the user of the gateway, or copy the whole folder to where you may write and name it by --store.'
        : ''
  return new StoreError('unavailable', sentence(`${file} cannot be read: ${message}`) + advice, cause)
}

function list(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
