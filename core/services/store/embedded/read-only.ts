import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

export interface ReadOnly {
  readonly db: DatabaseSync
  /** Reads are consistent only while no process opens the store to write. */
  readonly frozen: boolean
}

/** SQLite's primary code: the low byte of an extended code. */
export const primaryCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff

/** Read-only, or cannot open: errors of a reader that may not create write-ahead log files. */
export const cannotWrite = (code: number): boolean => code === 8 || code === 14

/**
 * Opens a store for reading. A closed store has no write-ahead log, and SQLite cannot create one in a read-only folder.
 * Then the file contains the whole store, and is opened as immutable.
 */
export function openReadOnly(file: string): ReadOnly {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    db.prepare('SELECT 1 FROM meta').get()
    return { db, frozen: false }
  } catch (error) {
    db.close()
    if (!cannotWrite(primaryCode(error))) throw error
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw error
    const url = pathToFileURL(file)
    url.search = '?immutable=1'
    return { db: new DatabaseSync(url, { readOnly: true, timeout: 5000 }), frozen: true }
  }
}
