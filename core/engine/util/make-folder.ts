/** Makes folders. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder with all that it is in, unless it is there. `recursive` of `mkdirSync` never returns where a file system says that
 * there is no such place though its parent exists, as /proc does.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
    const parent = dirname(folder)
    if (code !== 'ENOENT' || parent === folder || statSync(parent, { throwIfNoEntry: false }) !== undefined) throw error
    makeFolder(parent, mode)
    mkdirSync(folder, { mode })
  }
}
