import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const THIS_FILE = fileURLToPath(import.meta.url)

/** Folder of this package, whether it runs from source or from dist. */
export const PACKAGE_ROOT: string = findRoot(dirname(THIS_FILE), 'package.json')
/** `.ts` from source, `.js` from dist. Chunks in dist move code, so no path may be relative to its own file. */
export const CODE_EXTENSION: string = extname(THIS_FILE)
/** Folder of the running `core` and `plugins`: the package's own, or its `dist`. */
export const CODE_ROOT: string = findRoot(dirname(THIS_FILE), join('core', `index${CODE_EXTENSION}`))
/** Default config of `start` and `check`. */
export const DEFAULT_CONFIG: string = join(PACKAGE_ROOT, 'config', 'gateway.yaml')

let version: string | undefined

/** Version of this package, read once. */
export function packageVersion(): string {
  version ??= (JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { version: string }).version
  return version
}

/** URL of a running source file, such as `core/kit/index`. */
export const codeUrl = (file: string): URL => pathToFileURL(join(CODE_ROOT, file + CODE_EXTENSION))

function findRoot(folder: string, file: string): string {
  return existsSync(join(folder, file)) ? folder : findRoot(dirname(folder), file)
}
