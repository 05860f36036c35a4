/** Files of a process, whose names show other processes whether it lives. */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './process-life.ts'

/** A file this old has no living owner: owners soon write what is in theirs to the store. */
const STALE_MS = 600_000
const NAME = /^(.+)-(\d+)-([0-9a-z]+)-\d+\.jsonl$/

/**
 * Host and process id show whether the owner lives. Random bytes make the name unique, since two containers may share
 * both. Name the files `<owner>-<number>.jsonl`.
 */
export const fileOwner = (): string => `${hostname()}-${process.pid}-${randomBytes(8).toString('hex')}`

/** Whether a file in a folder was left by a dead process. */
export async function isOrphan(folder: string, name: string, own: string): Promise<boolean> {
  const match = NAME.exec(name)
  if (match === null || name.startsWith(`${own}-`)) return false
  const [, host, pid] = match
  if (host === hostname() && !isAlive(Number(pid))) return true
  const found = await stat(join(folder, name)).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}

/** Our own process id means a dead owner: in containers every process may be number 1. */
const isAlive = (pid: number): boolean => pid !== process.pid && isRunning(pid)
