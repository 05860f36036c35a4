import type { PluginEntry } from '../config/types.ts'
import type { PluginSpec } from '../contract/plugin.ts'

export interface LoadedPlugin {
  /** Path of the entry in the config: `plugins[2]`. */
  readonly path: string
  readonly entry: PluginEntry
  readonly spec: PluginSpec
  /** With defaults. */
  readonly options: unknown
}
