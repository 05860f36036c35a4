/** Makes folders. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder with all that it is in, unless it is there. `recursive` of `mkdirSync` never returns where a file system says that
 * there is no such place though its parent exists, as /proc does.
 *
 * @param mode of each folder that is made; default 0o700
 */
export function makeFolder(folder: string, mode = 0o700): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isFolder(folder)) return
    const parent = dirname(folder)
    if (code !== 'ENOENT' || parent === folder) throw error
    if (!isFolder(parent)) makeFolder(parent, mode)
    makeLast(folder, mode)
  }
}

/** Another process may have made it, or its parent, meanwhile. */
function makeLast(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
