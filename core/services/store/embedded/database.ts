import { chmodSync, closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../engine/contract/store-errors.ts'
import { makeFolder } from '../../../engine/util/make-folder.ts'
import { corrupt, fault } from './faults.ts'
import { migrate } from './schema.ts'

/**
 * What a completed write survives: `synced` a power failure, `stored` the death of any process, `relaxed` nothing for
 * up to 0.2 s.
 */
export type Durability = 'synced' | 'stored' | 'relaxed'

export interface DatabaseOptions {
  /** Created if missing. Holds store.db, its -wal and -shm, store.lock, store.pid and the ballast. */
  readonly folder: string
  readonly durability: Durability
  /** `quick` checks the structure at open (about 1 s per 2 GB); `none` checks only what is read. */
  readonly check: 'quick' | 'none'
}

export interface Database {
  readonly db: DatabaseSync
  readonly file: string
  /** Whether the opened file is still at its path; otherwise writes are lost. */
  inPlace(): boolean
  /** If another folder replaced ours, locks it until ours is back. */
  guard(): void
  close(): void
}

const LOCK = 'store.lock'

export function openDatabase({ folder, durability, check }: DatabaseOptions): Database {
  const file = join(folder, 'store.db')
  let lock: DatabaseSync | undefined
  let db: DatabaseSync | undefined
  try {
    makeFolder(folder)
    lock = takeLock(folder)
    // SQLite would create it world-readable. The -wal and -shm files copy this file's mode.
    closeSync(openSync(file, 'a', 0o600))
    db = new DatabaseSync(file, { timeout: 5000 })
    configure(db, durability)
    if (check === 'quick') verify(db, file)
    migrate(db, file)
  } catch (error) {
    db?.close()
    lock?.close()
    throw fault(error, file)
  }
  const [main, guard] = [db, lock]
  const [isOurs, isOurLock] = [sameFile(file), sameFile(join(folder, LOCK))]
  let second: DatabaseSync | undefined
  const release = (): void => {
    second?.close()
    second = undefined
  }
  return {
    db: main,
    file,
    inPlace: isOurs,
    guard() {
      if (isOurs()) release()
      // We already hold the lock, or another gateway does and keeps others out.
      else if (second === undefined && !isOurLock()) second = tryLock(folder)
    },
    close() {
      release()
      try {
        main.close()
      } finally {
        guard.close()
      }
    },
  }
}

/** Returns a check that a path still refers to the same file. */
function sameFile(path: string): () => boolean {
  const own = statSync(path, { bigint: true })
  return () => {
    try {
      const now = statSync(path, { bigint: true, throwIfNoEntry: false })
      return now !== undefined && now.ino === own.ino && now.dev === own.dev
    } catch {
      return false
    }
  }
}

function tryLock(folder: string): DatabaseSync | undefined {
  try {
    return takeLock(folder)
  } catch {
    return undefined
  }
}

function configure(db: DatabaseSync, durability: Durability): void {
  // Works only while the file is empty. Lets `trim` return space to a full disk.
  db.exec('PRAGMA auto_vacuum = INCREMENTAL')
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`PRAGMA synchronous = ${durability === 'synced' ? 'FULL' : 'NORMAL'}`)
  // Checkpoints delay commits, so make them frequent and short.
  db.exec('PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = 33554432')
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF')
  // Truncating a memory-mapped file would end the process with SIGBUS.
  db.exec('PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON')
}

function verify(db: DatabaseSync, file: string): void {
  const found = db
    .prepare('PRAGMA quick_check(3)')
    .all()
    .map((row) => String(Object.values(row)[0]))
  if (found.length !== 1 || found[0] !== 'ok') throw corrupt(file, found.join('; '))
}

/**
 * One owner per folder. Locks a separate SQLite file for the life of this process: the kernel releases the lock however
 * the process ends. The store itself stays open for readers such as backups.
 */
function takeLock(folder: string): DatabaseSync {
  const file = join(folder, LOCK)
  const lock = new DatabaseSync(file)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    // Any user who can read the file could lock it.
    chmodSync(file, 0o600)
  } catch (error) {
    lock.close()
    if (((error as { errcode?: number }).errcode ?? 0) !== 5) throw error
    const remedy = 'Stop that gateway, or give this one a folder of its own (`store: file:…`).'
    throw new StoreError('in_use', `The store in ${folder} is in use by ${holder(folder)}. ${remedy}`)
  }
  // Not in the lock file: closing any other handle on a file drops this process's locks on it.
  writeFileSync(join(folder, 'store.pid'), String(process.pid), { mode: 0o600 })
  return lock
}

function holder(folder: string): string {
  try {
    return `process ${Number(readFileSync(join(folder, 'store.pid'), 'utf8'))}`
  } catch {
    return 'another process'
  }
}
