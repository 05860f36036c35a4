import { type FSWatcher, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Editors and mounted volumes write in several steps; wait for this many quiet milliseconds before reading. */
const QUIET = 100

interface ConfigWatch {
  /** What the file says now is read for another reason, such as SIGHUP: it is no change any more. */
  taken(): void
  close(): void
}

/**
 * Calls `onChange` when a file's content may have changed since `seen` was taken. Watches the folder: editors replace files and Kubernetes
 * swaps a symbolic link, and a watch on the file itself would miss both.
 */
export function watchConfig(
  file: string,
  onChange: () => void,
  onError: (error: Error) => void = () => {},
  seen = stampOf(file),
): ConfigWatch {
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const stamp = stampOf(file)
    if (stamp === seen || stamp === '') return // '': between the two steps of a replacement.
    seen = stamp
    onChange()
  }
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(dirname(file), { persistent: false }, () => {
      clearTimeout(timer)
      timer = setTimeout(look, QUIET).unref()
    })
    watcher.on('error', onError)
    look()
  } catch (error) {
    onError(error as Error) // Out of watches, or a file system without them: SIGHUP still works.
  }
  return {
    taken() {
      seen = stampOf(file)
    },
    close() {
      clearTimeout(timer)
      watcher?.close()
    },
  }
}

/** Differs for different contents; '' if there is no file. */
export function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.mtimeNs} ${stat.size} ${stat.ino}`
}
