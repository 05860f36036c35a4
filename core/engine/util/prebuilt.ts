import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { CODE_EXTENSION, CODE_ROOT } from './package.ts'

const FOLDER = 'prebuilt'
/** As high as it goes without more memory: the package has a limit. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 19 } }

/**
 * What takes long to compute and depends on code and `inputs` alone, such as the tables of an automaton. The build
 * (`core/build.js`) computes it for the default options and keeps it in `dist/prebuilt`; a start reads it from there. With
 * other inputs, and from the sources, it is computed.
 *
 * @param name prefix of the file's name: letters and hyphens
 * @param inputs everything besides the code that the value depends on, as JSON
 * @param compute returns plain objects, arrays, typed arrays, numbers and strings
 */
export function prebuilt<T>(name: string, inputs: unknown, compute: () => T): T {
  // Sources may have been edited since the build.
  if (CODE_EXTENSION === '.ts') return compute()
  const file = `${name}-${createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16)}`
  const value = recorded === undefined ? read(file) : undefined
  if (value !== undefined) return value as T
  const fresh = compute()
  recorded?.set(`${FOLDER}/${file}`, zstdCompressSync(serialize(fresh), COMPRESSION))
  return fresh
}

/** Keeps what is computed from now on, by path below `dist`. For the build. */
export function recordPrebuilt(): ReadonlyMap<string, Buffer> {
  recorded ??= new Map()
  return recorded
}
let recorded: Map<string, Buffer> | undefined

/** Whether the build runs: what otherwise waits until it is needed must be computed at once, so that it is kept. */
export const isBuilding = (): boolean => recorded !== undefined

/** Undefined if the build did not compute it, or with another version of Node.js. */
function read(file: string): unknown {
  try {
    return deserialize(zstdDecompressSync(readFileSync(join(CODE_ROOT, FOLDER, file))))
  } catch {
    return undefined
  }
}
