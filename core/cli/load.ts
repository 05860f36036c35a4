import { dirname, resolve } from 'node:path'
import type { Config } from '../config/types.ts'
import { ConfigError, type Problem, parseConfig, readConfig, withLines } from '../config.ts'
import type { LoadedPlugin } from '../loaded-plugin.ts'
import { validatePlugins } from '../validate-plugins.ts'

export interface Everything {
  readonly config: Config
  readonly plugins: LoadedPlugin[]
  /** What is worth a look, and no problem. */
  readonly warnings: readonly Problem[]
  /** The file as it was read. */
  readonly text: string
}

/** Reads a config and loads its plugins; throws one `ConfigError` with the problems of both. */
export async function loadEverything(file: string): Promise<Everything> {
  const folder = dirname(resolve(file))
  const text = readConfig(file)
  const { config, error } = tryLoad(text, file)
  const readable = config ?? error.partial
  if (readable === undefined) throw error
  const { plugins, problems, warnings } = await validatePlugins(readable, folder)
  const known = error?.problems ?? []
  const paths = new Set(known.map(({ path }) => path))
  const all: Problem[] = [...known, ...problems.filter(({ path }) => !paths.has(path))]
  if (all.length > 0) throw new ConfigError(file, withLines(readable, all))
  return { config: config!, plugins, warnings: withLines(config!, warnings), text }
}

function tryLoad(
  text: string,
  file: string,
): { config: Config; error?: never } | { config?: never; error: ConfigError } {
  try {
    return { config: parseConfig(text, file) }
  } catch (error) {
    if (error instanceof ConfigError) return { error }
    throw error
  }
}
