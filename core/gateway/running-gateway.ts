/** What a gateway is started with, and what can be asked of one that runs. */
import type { Config } from '../engine/config/types.ts'
import type { GatewayError } from '../engine/contract/errors.ts'
import type { PluginSpec } from '../engine/contract/plugin.ts'
import type { Store } from '../engine/contract/store.ts'
import type { Logger } from '../services/logger.ts'
import type { CreatedKey, FirstStart } from './identity.ts'

export interface GatewayOptions {
  readonly config: Config
  /** Absolute path of the file the config came from; `reload` reads it again, and plugin paths are relative to it. */
  readonly configFile?: string
  /** Default: a new one at the level of the config, on stderr. */
  readonly logger?: Logger
  /** Plugins that are there already; `use` looks for its name here before the loader does. */
  readonly specs?: ReadonlyMap<string, PluginSpec>
  /** Where plugins' settings read their variables. Default: that of the process, as it is at start and at reload. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Keys and secret; default: those of the config and the data folder, made where there are none. */
  readonly identity?: FirstStart
  /** Set for one of several processes that serve the same port. */
  readonly worker?: WorkerShare
  /** Gets the tree of taps of each exchange (`start --trace-hooks`); default: nothing is traced. */
  readonly traceHooks?: ((tree: string) => void) | undefined
  /** For tests: told of each payload that does not fit the event's schema. */
  readonly onContractFault?: (error: GatewayError) => void
}

/** What a worker is given by its primary. */
export interface WorkerShare {
  /** From 1; a worker that replaces another has its number. */
  readonly number: number
  /** How many came before it under this number. */
  readonly restarts: number
  /** Unlike that of any other process that shares the store. */
  readonly instance: string
  /** The same for a worker and those that take its place. */
  readonly holder: string
  readonly port: number
  /** Every worker has a socket of its own on the port. */
  readonly reusePort: boolean
  readonly identity: Pick<FirstStart, 'keys' | 'secret'>
  /** The primary's store; absent: each opens what the config names. Closed with the gateway. */
  readonly store?: Store
}

/** A config that is built and started, but not in force. */
export interface Prepared {
  commit(): Promise<void>
  discard(): Promise<void>
}

/** A running gateway. */
export interface Gateway {
  /** `http://host:port`, with the port that was really taken. */
  readonly url: string
  /** Names of the plugins that run, in order. */
  readonly plugins: readonly string[]
  /** What an operator should know, such as state that is not shared between processes. */
  readonly notes: readonly string[]
  /** Keys made by this very start; shown once, never again. */
  readonly createdKeys: readonly CreatedKey[]
  /** Reads the config file again; a bad file throws and changes nothing. */
  reload(): Promise<void>
  /** The first half of a reload, for several processes that change together. */
  prepare(config: Config): Promise<Prepared>
  /** Records that a config was not taken. */
  rejected(problems: number): void
  /** Readiness says `draining` from now on and connections are not kept, so that balancers look elsewhere. */
  leave(): void
  /** Closes the port, lets running exchanges end within `listen.drain_seconds`, then stops everything. */
  close(): Promise<void>
}
