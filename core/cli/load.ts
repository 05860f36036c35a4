import { dirname, resolve } from 'node:path'
import { type Config, ConfigError, loadConfig, type Problem, withLines } from '../config.ts'
import { type LoadedPlugin, validatePlugins } from '../loader.ts'

/** Reads a config and loads its plugins; throws one `ConfigError` with the problems of both. */
export async function loadEverything(file: string): Promise<{ config: Config; plugins: LoadedPlugin[] }> {
  const folder = dirname(resolve(file))
  const { config, error } = tryLoad(file)
  const readable = config ?? error.partial
  if (readable === undefined) throw error
  const { plugins, problems } = await validatePlugins(readable, folder)
  const known = error?.problems ?? []
  const paths = new Set(known.map(({ path }) => path))
  const all: Problem[] = [...known, ...problems.filter(({ path }) => !paths.has(path))]
  if (all.length > 0) throw new ConfigError(file, withLines(readable, all))
  return { config: config!, plugins }
}

function tryLoad(file: string): { config: Config; error?: never } | { config?: never; error: ConfigError } {
  try {
    return { config: loadConfig(file) }
  } catch (error) {
    if (error instanceof ConfigError) return { error }
    throw error
  }
}
