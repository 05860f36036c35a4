import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../engine/contract/store-errors.ts'

/** Marks our files, to reject foreign databases ("GGst"). */
const APPLICATION_ID = 0x47_47_73_74

/**
 * Entry n migrates schema n to n + 1. Never change a released entry; add one instead. Every row carries the CRC-32 of
 * its content, since SQLite checks only the structure of a file.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE entity(
     kind INTEGER NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, expires INTEGER, crc INTEGER NOT NULL,
     PRIMARY KEY(kind, key)) STRICT, WITHOUT ROWID;
   CREATE INDEX entity_expires ON entity(expires) WHERE kind <= 2 AND expires IS NOT NULL;
   CREATE TABLE stream(number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE record(
     id INTEGER PRIMARY KEY, time INTEGER NOT NULL, text TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
   CREATE TABLE bounded(
     log TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, crc INTEGER NOT NULL,
     PRIMARY KEY(log, number)) STRICT, WITHOUT ROWID;`,
]

const pragma = (db: DatabaseSync, name: string): number =>
  Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)

/** Migrates a file to the newest schema, each step in its own transaction. */
export function migrate(db: DatabaseSync, file: string, migrations: readonly string[] = MIGRATIONS): void {
  const version = pragma(db, 'user_version')
  const id = pragma(db, 'application_id')
  const foreign = id !== APPLICATION_ID && (id !== 0 || version !== 0 || pragma(db, 'schema_version') !== 0)
  if (foreign) {
    const message = `${file} is an SQLite database, but not a store of this gateway. Point \`store\` at another folder.`
    throw new StoreError('corrupt', message)
  }
  if (version > migrations.length) {
    const versions = `schema ${version}, this version knows ${migrations.length}`
    const message = `${file} was written by a newer version (${versions}). Run that version, or restore a backup from before.`
    throw new StoreError('too_new', message)
  }
  for (let step = version; step < migrations.length; step++) {
    db.exec('BEGIN IMMEDIATE')
    try {
      db.exec(migrations[step]!)
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${step + 1}; COMMIT`)
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
}
