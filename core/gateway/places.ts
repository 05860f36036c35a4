/** Whether a start could write where the config says. Nothing stays there. */
import { closeSync, constants, lstatSync, mkdtempSync, openSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Problem } from '../engine/config/report.ts'
import type { Config } from '../engine/config/types.ts'
import type { LoadedPlugin } from '../engine/host/loaded-plugin.ts'
import { explainSystem, isThere, writeProblem } from '../engine/util/system-error.ts'
import { dataFolder } from './config/load.ts'

export interface PlaceProblems {
  /** A start would be refused. */
  readonly problems: readonly Problem[]
  /** It would continue, and say so in its log. */
  readonly warnings: readonly Problem[]
}

/** Looks at the data folder, the log file, the unix socket and the spill folder as the user that runs this process. */
export function placeProblems(config: Config): PlaceProblems {
  const data = dataFolder(config)
  const { spill_folder: spill } = config.audit
  return {
    problems: [
      ...problemsOf('store', data, (folder) => folderProblem(folder) ?? fileProblem(join(folder, 'store.db'))),
      ...problemsOf('log.file', config.log.file, (path) => existingFolderProblem(path) ?? fileProblem(path)),
      ...problemsOf(
        'listen.socket.path',
        config.listen.socket?.path,
        (path) => existingFolderProblem(path) ?? socketProblem(path),
      ),
    ],
    warnings: problemsOf('audit.spill_folder', spill === data ? undefined : spill, folderProblem),
  }
}

/** A file that a plugin writes while it runs. */
export interface WrittenFile {
  /** Path of the option in the config: `plugins[2].options.path`. */
  readonly path: string
  readonly file: string
  /** Why it cannot be written, or its folder, where old ones go; a start would continue. */
  readonly problem: string | undefined
}

/** @param folder where relative paths start */
export const writtenFiles = (plugins: readonly LoadedPlugin[], folder: string): WrittenFile[] =>
  plugins.flatMap(({ path, spec: { writes = [] }, options }) =>
    writes.flatMap((name) => {
      const given = (options as Readonly<Record<string, unknown>>)[name]
      if (typeof given !== 'string') return []
      const file = resolve(folder, given)
      const problem = attempt(file, () => fileProblem(file) ?? folderProblem(dirname(file)))
      return [{ path: `${path}.options.${name}`, file, problem }]
    }),
  )

function problemsOf(
  path: string,
  place: string | undefined,
  problemOf: (place: string) => string | undefined,
): Problem[] {
  if (place === undefined) return []
  const message = attempt(place, () => problemOf(place))
  return message === undefined ? [] : [{ path, message }]
}

/** What `look` returns, or why it could not look. */
function attempt(place: string, look: () => string | undefined): string | undefined {
  try {
    return look()
  } catch (error) {
    return explainSystem(error, place) ?? `${place} cannot be used: ${(error as NodeJS.ErrnoException).code}.`
  }
}

/** Of a folder that a start makes with all that it is in. Permissions are not enough on every file system: `/proc` takes no folder. */
function folderProblem(folder: string): string | undefined {
  const problem = writeProblem(folder)
  if (problem !== undefined) return problem
  let there = folder
  while (!isThere(there)) there = dirname(there)
  rmdirSync(mkdtempSync(join(there, '.check-')))
  return undefined
}

/** Of the folder of a file; a start does not make it. */
function existingFolderProblem(file: string): string | undefined {
  const folder = dirname(file)
  if (!isThere(folder)) return `${file} cannot be opened for writing: there is no folder ${folder}; make it`
  return isThere(file) ? undefined : folderProblem(folder)
}

function fileProblem(path: string): string | undefined {
  if (!isThere(path)) return undefined
  if (statSync(path).isDirectory()) return `${path} is a folder. Name a file.`
  // A pipe without a reader must not stop this.
  closeSync(openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK))
  return undefined
}

const socketProblem = (path: string): string | undefined =>
  lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false
    ? `${path} exists and is not a socket. Choose another path.`
    : undefined
