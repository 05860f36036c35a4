import { dirname } from 'node:path'
import { isStoreError, StoreError } from '../../../engine/contract/store-errors.ts'
import { sentence } from '../../../engine/util/sentence.ts'

// Primary result codes, https://www.sqlite.org/rescode.html
const BUSY = 5
const CORRUPT = 11
const FULL = 13
const NOTADB = 26
// Extending the shared-memory file of the write-ahead log failed; happens only on a full disk.
const IOERR_SHMSIZE = 4874

/** Converts an SQLite or file system error to one that names the file and the remedy. */
export function fault(error: unknown, file: string): StoreError {
  if (isStoreError(error)) return error
  const { errcode, code, message } = error as { errcode?: number; code?: string; message?: string }
  const primary = (errcode ?? 0) & 0xff
  if (primary === FULL || errcode === IOERR_SHMSIZE || code === 'ENOSPC' || code === 'EDQUOT') return full(file, error)
  if (primary === CORRUPT || primary === NOTADB) return corrupt(file, message ?? 'damaged', error)
  if (primary === BUSY) {
    const remedy = 'Another program holds a lock on it; end that program.'
    return new StoreError('unavailable', `The store file ${file} is locked. ${remedy}`, error)
  }
  const reason = message ?? String(error)
  const remedy = `Check that ${dirname(file)} exists, is on a local disk and may be written by this user.`
  return new StoreError(
    'unavailable',
    `${sentence(`The store file ${file} cannot be used: ${reason}`)} ${remedy}`,
    error,
  )
}

export function displaced(file: string): StoreError {
  const remedy = 'Put the folder back as it was, or restart the gateway.'
  return new StoreError('unavailable', `The store file ${file} was deleted or replaced under the gateway. ${remedy}`)
}

export function full(file: string, cause?: unknown): StoreError {
  const remedy = `Free space there, or shorten the retention; writing goes on by itself once there is room.`
  return new StoreError('full', `The disk of the store file ${file} is full. ${remedy}`, cause)
}

export function corrupt(file: string, what: string, cause?: unknown): StoreError {
  const message =
    `${sentence(`The store file ${file} is damaged: ${what}`)} Nothing was changed. Stop the gateway, then restore a backup, or move ` +
    `${file}, ${file}-wal and ${file}-shm aside to start empty (budgets start at zero and the audit trail starts a new ` +
    `chain). \`sqlite3 ${file} .recover\` reads what is left.`
  return new StoreError('corrupt', message, cause)
}
