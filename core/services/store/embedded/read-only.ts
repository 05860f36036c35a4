import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

export interface ReadOnly {
  readonly db: DatabaseSync
  /** Right only as long as nobody opens the store to write. */
  readonly frozen: boolean
}

/** Of SQLite; extended codes have more above the first byte. */
export const primaryCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff

/** Read-only, and not to be opened: what a reader meets that may not make the files of the write-ahead log. */
export const cannotWrite = (code: number): boolean => code === 8 || code === 14

/**
 * A store at rest has no write-ahead log, and SQLite makes one even to read, which it cannot in a folder that it may not
 * write to. Then the file alone is the whole store, and is read as one that nobody changes.
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
