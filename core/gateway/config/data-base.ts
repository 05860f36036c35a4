import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { PACKAGE_ROOT } from '../../engine/util/package.ts'
import type { Env } from './env.ts'

/** An npm upgrade replaces everything below such a folder. */
export const isInNodeModules = (path: string): boolean => /[\\/]node_modules([\\/]|$)/.test(path)

/**
 * The base folder of relative data paths in a config: the file's own folder. The package's own configs keep data beside
 * the code in a clone, and in the user's state folder if the package is installed (`$XDG_STATE_HOME/governed-gateway`,
 * XDG Base Directory Specification).
 *
 * @param root folder of this package
 */
export function dataBase(file: string, env: Env, root: string = PACKAGE_ROOT): string {
  const folder = dirname(resolve(file))
  if (folder !== join(root, 'config')) return folder
  return isInNodeModules(root) ? stateFolder(env) : root
}

/** Where an earlier version kept data of the installed package's own configs; undefined if there is none. */
export function abandonedData(file: string, root: string = PACKAGE_ROOT): string | undefined {
  if (dirname(resolve(file)) !== join(root, 'config') || !isInNodeModules(root)) return undefined
  const folder = join(root, 'data')
  return existsSync(folder) ? folder : undefined
}

function stateFolder({ XDG_STATE_HOME }: Env): string {
  // The specification says to ignore relative paths.
  const base = XDG_STATE_HOME?.startsWith('/') === true ? XDG_STATE_HOME : join(homedir(), '.local', 'state')
  return join(base, 'governed-gateway')
}
