import { type FSWatcher, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Editors and mounted volumes write in several steps; milliseconds of quiet before the file is read. */
const QUIET = 100

/**
 * Calls `onChange` when the content of a file may have changed. Watches the folder, not the file: editors replace files
 * and Kubernetes swaps a symbolic link beside them, after which a watch on the file itself stays silent.
 */
export function watchConfig(
  file: string,
  onChange: () => void,
  onError: (error: Error) => void = () => {},
): { close(): void } {
  let seen = stampOf(file)
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
  } catch (error) {
    onError(error as Error) // Out of watches, or a file system without them: SIGHUP still works.
  }
  return {
    close() {
      clearTimeout(timer)
      watcher?.close()
    },
  }
}

function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.mtimeNs} ${stat.size} ${stat.ino}`
}
