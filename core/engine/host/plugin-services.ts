/** The interface between the host and the opener of plugin services. */

import type { Log, Route, Services } from '../contract/plugin.ts'
import type { Chain } from '../exchange/chain.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'

/** Combined declarations of a chain's plugins. */
export type Declared = Pick<Chain, 'flags' | 'eventTypes' | 'describe' | 'errors' | 'provided' | 'infos'>

/** A plugin in its newest chain, as its services see it. */
export interface PluginContext {
  readonly log: Log
  readonly declared: Declared
  readonly emit: Services['emit']
  /** An admin changed these fields of its settings. */
  settingsUpdated(fields: readonly string[], keyId: string): void
}

/** One plugin's services, and their cleanup. */
export interface OpenedServices {
  readonly services: Services
  /** Routes of its settings. */
  readonly routes: readonly Route[]
  /** Work that runs in one process at a time; started and stopped with the plugin. */
  readonly singletons: readonly { start(): void; stop(): Promise<void> }[]
  /** Whether the plugin used the store. */
  usesStore(): boolean
  /** Reloads its settings. */
  reload(): Promise<void>
  /** Closes its settings and its audit log. */
  close(): void
}

export type OpenServices = (plugin: LoadedPlugin, context: PluginContext) => Promise<OpenedServices>
