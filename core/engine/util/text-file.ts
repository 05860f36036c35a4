import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Certificates of all public authorities take 250 KB, the largest shipped label file 12 KB. */
const MOST = 1024 * 1024

/**
 * The text of a file that may change while the gateway runs: at most 1 MiB, and no pipe or device, because reading those
 * may never end. Throws errors with a `code`, like `readFileSync`.
 */
export function readTextFile(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (stat.isDirectory()) throw coded('EISDIR', file)
    if (!stat.isFile()) throw coded('ENOTSUP', file)
    if (stat.size > MOST) throw coded('EFBIG', file)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

const coded = (code: string, file: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: cannot read ${file}`), { code })
