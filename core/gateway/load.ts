import { dirname, resolve } from 'node:path'
import type { PartialConfig } from '../engine/config/report.ts'
import type { Config } from '../engine/config/types.ts'
import type { LoadedPlugin } from '../engine/host/loaded-plugin.ts'
import { watchdog } from '../engine/host/watchdog.ts'
import {
  ConfigError,
  describedIn,
  type Problem,
  parseConfig,
  readConfig,
  warningsOf,
  withLines,
} from './config/load.ts'
import { routeWarnings } from './config/warnings-routes.ts'
import { validatePlugins } from './validate-plugins.ts'

type OnRead = (config: Config) => Promise<void>

export interface Everything {
  readonly config: Config
  readonly plugins: LoadedPlugin[]
  /** Warnings that do not prevent a start. */
  readonly warnings: readonly Problem[]
  /** The file's text. */
  readonly text: string
}

/**
 * Reads a config and loads its plugins; throws one `ConfigError` with the problems of both.
 *
 * @param onRead gets a config without problems, before its plugins are loaded
 */
export async function loadEverything(file: string, onRead?: OnRead): Promise<Everything> {
  const { config, readable, problems, ...rest } = await inspect(file, onRead)
  if (config === undefined || problems.length > 0) throw new ConfigError(file, withLines(readable, problems))
  return { config, ...rest }
}

export interface Inspected extends Omit<Everything, 'config'> {
  /** Undefined if the file itself is invalid. */
  readonly config: Config | undefined
  readonly readable: PartialConfig
  /** Plugins with valid options. */
  readonly sound: readonly LoadedPlugin[]
  readonly problems: readonly Problem[]
}

/** All problems that can be found without creating a plugin. Throws only if nothing can be read. */
export async function inspect(file: string, onRead?: OnRead): Promise<Inspected> {
  const folder = dirname(resolve(file))
  const text = readConfig(file)
  const { config, error } = tryLoad(text, file)
  const readable = config ?? error.partial
  if (readable === undefined) throw error
  if (config !== undefined) await onRead?.(config)
  watchdog.describe = describedIn(file, readable)
  const partial = { ...readable, partial: config === undefined }
  const { plugins, sound, problems, warnings } = await validatePlugins(partial, folder)
  return {
    config,
    readable,
    plugins,
    sound,
    problems: joined(error?.problems ?? [], problems),
    warnings: withLines(readable, [...warningsOf(readable), ...warnings, ...(config ? routeWarnings(config) : [])]),
    text,
  }
}

/** Adds problems of places that have none yet. */
export function joined(known: readonly Problem[], more: readonly Problem[]): Problem[] {
  const paths = new Set(known.map(({ path }) => path))
  return [...known, ...more.filter(({ path }) => !paths.has(path))]
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
