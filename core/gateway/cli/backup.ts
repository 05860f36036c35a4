import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../engine/contract/store-errors.ts'
import { makeFolder } from '../../engine/util/make-folder.ts'
import { DEFAULT_CONFIG } from '../../engine/util/package.ts'
import { sentence } from '../../engine/util/sentence.ts'
import { isThere } from '../../engine/util/system-error.ts'
import { openReadOnly } from '../../services/store/embedded/read-only.ts'
import { dataFolder, loadConfig } from '../config/load.ts'
import { shown } from './check.ts'
import { type Command, UsageError } from './command.ts'

/** Files that a start creates beside the store; without the secret, encrypted data in the store cannot be read. */
const BESIDE = ['secret', 'keys.json']

export const storeBackup: Command = {
  name: 'store backup',
  summary: 'Back up the store of a gateway, even while it runs',
  operands: '[--config FILE] FOLDER',
  maxOperands: 1,
  options: {
    config: { type: 'string', value: 'FILE', description: 'Config file; default: the one in the package' },
  },
  details: `Creates FOLDER, which must not exist, with a consistent copy of the current store, and
with the secret and the keys that a first start created. Verifies the copy. To restore,
stop the gateway and replace its data folder with FOLDER, or name FOLDER in \`store\`.
Only for \`store: file:…\`; for Redis, use its own backups.`,
  run({ values, positionals, io }) {
    const [target] = positionals
    if (target === undefined)
      throw new UsageError('store backup needs a folder.', 'governed-gateway store backup --help')
    const config = loadConfig(shown(typeof values.config === 'string' ? values.config : DEFAULT_CONFIG))
    const folder = dataFolder(config)
    if (folder === undefined) throw new UsageError('`store` of this config is not a folder: there is nothing to copy.')
    const bytes = backUp(folder, resolve(target))
    io.stdout.write(`${shown(target)}: store copied and checked, ${bytes} bytes\n`)
    return 0
  },
}

/** Returns the size of the copy. Removes it on failure. */
function backUp(folder: string, target: string): number {
  const source = join(folder, 'store.db')
  if (!isThere(source)) throw failed(`there is no store in ${folder}`)
  if (isThere(target)) throw failed(`${target} exists already: name a new folder`)
  makeFolder(target)
  try {
    const copy = join(target, 'store.db')
    copyStore(source, copy)
    check(copy)
    for (const name of BESIDE) {
      if (!isThere(join(folder, name))) continue
      copyFileSync(join(folder, name), join(target, name))
      chmodSync(join(target, name), 0o600)
      sync(join(target, name))
    }
    sync(target)
    return statSync(copy).size
  } catch (error) {
    rmSync(target, { recursive: true, force: true })
    if ((error as { errcode?: number }).errcode === undefined) throw error
    const remedy = `Check that ${folder} may be read, and that both disks have room.`
    throw new StoreError(
      'unavailable',
      `${sentence(`${source} cannot be copied to ${target}: ${(error as Error).message}`)} ${remedy}`,
      error,
    )
  }
}

/**
 * `VACUUM INTO` copies a snapshot despite concurrent writes; SQLite's backup would restart on each write of another
 * process.
 */
function copyStore(source: string, copy: string): void {
  closeSync(openSync(copy, 'wx', 0o600))
  const { db } = openReadOnly(source)
  try {
    db.prepare('VACUUM INTO ?').run(copy)
  } finally {
    db.close()
  }
  sync(copy)
}

function check(copy: string): void {
  const db = new DatabaseSync(copy, { readOnly: true })
  try {
    const found = db
      .prepare('PRAGMA integrity_check(3)')
      .all()
      .map((row) => String(Object.values(row)[0]))
    if (found.length !== 1 || found[0] !== 'ok')
      throw failed(`the copy is damaged, and so is the store: ${found.join('; ')}`)
  } finally {
    db.close()
  }
}

function sync(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

const failed = (why: string): UsageError =>
  new UsageError(`store backup: ${why}.`, 'governed-gateway store backup --help')
