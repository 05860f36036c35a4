/** Between the host and whoever opens the services of plugins. */

import type { Log, Route, Services } from '../contract/plugin.ts'
import type { Chain } from '../exchange/chain.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'

/** What the plugins of a chain declare together. */
export type Declared = Pick<Chain, 'flags' | 'eventTypes' | 'describe' | 'errors'>

/** A plugin within the newest chain that it runs in, as its services see it. */
export interface PluginContext {
  readonly log: Log
  readonly declared: Declared
  readonly emit: Services['emit']
  /** An admin changed these fields of its settings. */
  settingsUpdated(fields: readonly string[], keyId: string): void
}

/** What one plugin was given, and what ends with it. */
export interface OpenedServices {
  readonly services: Services
  /** Those of its settings. */
  readonly routes: readonly Route[]
  /** What runs in one process at a time; started and stopped with the plugin. */
  readonly singletons: readonly { start(): void; stop(): Promise<void> }[]
  /** It took hold of the store. */
  usesStore(): boolean
  /** Reads its settings anew. */
  reload(): Promise<void>
  /** Closes its settings; it no longer reads the audit log. */
  close(): void
}

export type OpenServices = (plugin: LoadedPlugin, context: PluginContext) => Promise<OpenedServices>
