import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of this package, whether it runs from source or from dist. */
export const PACKAGE_ROOT: string = findRoot(dirname(fileURLToPath(import.meta.url)))
/** What `start` and `check` use when no file is named. */
export const DEFAULT_CONFIG: string = join(PACKAGE_ROOT, 'config', 'gateway.yaml')

export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string }).version
}

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}
