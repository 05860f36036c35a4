/** Options to start a gateway, and the interface of a running one. */
import type { Config } from '../engine/config/types.ts'
import type { GatewayError } from '../engine/contract/errors.ts'
import type { PluginSpec } from '../engine/contract/plugin.ts'
import type { Store } from '../engine/contract/store.ts'
import type { SharedPort } from '../engine/http/listening.ts'
import type { OnFailure } from '../engine/text/inspection.ts'
import type { Logger } from '../services/logger.ts'
import type { PeerChannel } from '../services/peers.ts'
import type { CreatedKey, FirstStart } from './identity.ts'

export interface GatewayOptions {
  readonly config: Config
  /** Absolute path of the file the config came from; `reload` reads it again, and plugin paths are relative to it. */
  readonly configFile?: string
  /** Default: a new one at the level of the config, on stderr. */
  readonly logger?: Logger
  /** Preloaded plugins by name; `use` checks them before the loader. */
  readonly specs?: ReadonlyMap<string, PluginSpec>
  /** Environment of plugin settings. Default: the process environment at start and at reload. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Keys and secret; default: from the config and the data folder, created if missing. */
  readonly identity?: FirstStart
  /** Set for one of several processes that serve the same port. */
  readonly worker?: WorkerShare
  /** Receives the tree of taps of each exchange (`start --trace-hooks`); default: no tracing. */
  readonly traceHooks?: ((tree: string) => void) | undefined
  /** For tests: called for each payload that does not match its event's schema. */
  readonly onContractFault?: (error: GatewayError) => void
  readonly onFailure?: OnFailure
}

/** A worker's data from its primary. */
export interface WorkerShare {
  /** From 1; a replacement worker has the same number. */
  readonly number: number
  /** Number of predecessors with this number. */
  readonly restarts: number
  /** Unique among the processes that share the store. */
  readonly instance: string
  /** The same for a worker and its successors. */
  readonly holder: string
  /** Called when everything else is there; rejects if the worker is to stop before. */
  port(): Promise<SharedPort>
  readonly identity: Pick<FirstStart, 'keys' | 'secret'>
  /** The other workers. */
  readonly peers?: PeerChannel
  /** The primary's store; absent: each worker opens the configured store. Closed with the gateway. */
  readonly store?: Store
}

/** A config that was built and started, but is not active yet. */
export interface Prepared {
  commit(): Promise<void>
  discard(): Promise<void>
}

/** A running gateway. */
export interface Gateway {
  /** `http://host:port`, with the actual port. */
  readonly url: string
  /** Names of the running plugins, in order. */
  readonly plugins: readonly string[]
  /** Notes for the operator, such as state not shared between processes. */
  readonly notes: readonly string[]
  /** Keys created by this start; shown only once. */
  readonly createdKeys: readonly CreatedKey[]
  /** Reads the config file again; throws on a bad file, without any change. */
  reload(): Promise<void>
  /** The first half of a reload, for several processes that change together. */
  prepare(config: Config): Promise<Prepared>
  /** Records a rejected config. */
  rejected(problems: number): void
  /** Sets readiness to `draining` and closes connections after their request, so that balancers switch over. */
  leave(): void
  /** Closes the port, lets running exchanges end within `listen.drain_seconds`, then stops everything. */
  close(): Promise<void>
}
