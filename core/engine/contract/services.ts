/** What the gateway gives plugins: state, settings, egress, the audit log. */
import type { JSONSchema } from 'json-schema-to-ts'
import type { Awaitable, CallerLimit, Emit, FlagSpec, GovernanceEvent, Json, Log } from './basics.ts'
import type { DescribeEvent } from './event-spec.ts'
import type { Level } from './labels.ts'
import type { Figure, FigureSpec, Peers } from './observe.ts'
import type { BoundedLogs, KeyValue, Leases, Limits } from './store.ts'

export type { RecentPage } from './store.ts'

export interface Services<T = unknown> {
  /** The plugin's name. */
  readonly name: string
  /** This process's `instance` in events: the configured one, or a name created at its start. */
  readonly instance: string
  /** Version of the gateway. */
  readonly version: string
  readonly log: Log
  readonly store: Store
  /** Absolute path of the config file's folder, the base of relative paths in options. */
  readonly configFolder: string
  /**
   * Absolute path of this plugin's folder for files that must survive a killed process; the plugin creates it with mode
   * 0700. Undefined if the store is in memory.
   */
  readonly localFolder: string | undefined
  /** Derives a key from the deployment's secret for one purpose (HKDF-SHA256, 32 bytes). */
  subkey(purpose: string): Buffer
  /** Keeps a value across reloads of this entry, in this process. */
  keep<V>(key: string, init: () => V): V
  /** Flags declared by the plugins of this chain; complete when `apply` runs. */
  readonly flags: ReadonlyMap<string, FlagSpec & { readonly owner: string }>
  /** The plugins of this chain in order; complete when `apply` runs. */
  readonly plugins: readonly PluginInfo[]
  /** Keys of the facts that plugins of this chain provide; complete when `apply` runs. */
  readonly provided: ReadonlySet<string>
  /** The keys of the config as it is now, without their secrets. */
  readonly keys: readonly ConfiguredKey[]
  /** Title, category and disposition of an event, as declared by the core or an enabled plugin. */
  readonly describe: DescribeEvent
  /** Offers a figure, such as the length of a queue, to plugins that export figures. Call it in `create`. */
  figure(spec: FigureSpec): void
  /** All figures of the core and of enabled plugins, read now. Leaves out those that fail or take over a second. */
  figures(): Promise<readonly Figure[]>
  /**
   * Registers a function that returns the current limits of a key or team, of those that this plugin provides as `limitsFact`.
   * Call it in `create`.
   */
  offerLimits(read: ReadLimits): void
  /** The current limits of a key or team, in addition to those in the config; undefined if no plugin knows the key or team. */
  limitsOf: ReadLimits
  /** This plugin in the other workers. */
  readonly peers: Peers
  /** The settings this plugin declares. */
  readonly settings: Settings<T>
  /**
   * The audit log for this plugin's group, with a durable cursor. Events are durable in each process with an open
   * consumer, even if it does not read. Hold a consumer in every process while events are wanted, and close it
   * afterwards. Read it in a `singleton`, so that one process delivers.
   */
  auditLog(options?: AuditLogOptions): AuditConsumer
  /**
   * Runs in one of the processes that share the store; another takes over if it dies. `run` settles when its signal
   * aborts; if it fails, it restarts with backoff. Begins after `start`, ends before `drain` settles.
   */
  singleton(name: string, run: (signal: AbortSignal) => Promise<void>): void
  /**
   * HTTP to a receiver, through the egress guard: no private addresses, no redirects, and connects only to the checked
   * address.
   */
  fetch(url: string, init: FetchInit): Promise<FetchReply>
  /** A TCP or TLS connection through the same guard. */
  connect(target: ConnectTarget): Promise<import('node:net').Socket>
  /** For urls in options, in `start`: a problem if the guard refuses the url's spelling. Does not resolve names. */
  readonly checkUrl: SettingsTools['checkUrl']
  /**
   * Emits an event outside of exchanges, as durable as any other. Events from `create` and `start` are written once all
   * plugins have started, with the time of the call.
   */
  readonly emit: Emit
}

/** Undefined for a key or team that it does not know. */
export type ReadLimits = (scope: CallerLimit['scope'], subject: string) => readonly CallerLimit[] | undefined

/** An enabled plugin. */
export interface PluginInfo {
  readonly name: string
  /** Its own version, or that of its npm package. */
  readonly version?: string
  readonly description?: string
  /** `monitor`: its decisions are only recorded. */
  readonly mode: 'enforce' | 'monitor'
  /** What happens to a request when it fails. */
  readonly on_error: 'block' | 'allow'
  /** Its settings, if any; `GET path` returns the values. */
  readonly settings?: { readonly path: string; readonly schema: JSONSchema }
}

/** A key of the config. */
export interface ConfiguredKey {
  readonly id: string
  readonly team?: string
  /** Globs of allowed models. */
  readonly models: readonly string[]
  readonly admin: boolean
  readonly disabled: boolean
  /** As in the config. */
  readonly expires?: string
  readonly maxClassification?: Level
}

/** State that outlives an exchange, shared by all processes on the same store. Names are the plugin's own. */
export interface Store extends KeyValue, BoundedLogs, Leases, Pick<Limits, 'inspect'> {
  /** Extent of shared state: this process, every process of the machine, or every node. */
  readonly reach: 'process' | 'machine' | 'cluster'
}

/**
 * Settings that operators change at run time. The host serves `GET` and `PUT` of `path` for admin keys. Precedence per
 * field: PUT > environment > the entry's `options` of the same name > default.
 */
export interface SettingsSpec {
  /** Such as `/api/settings/pager`. */
  readonly path: string
  /** JSON Schema of a flat object, with the defaults of its fields. */
  readonly schema: JSONSchema
  /** Environment variable by field. */
  readonly env?: Readonly<Record<string, string>>
  /** Fields to set if a variable of `env` is set: `{ SERVICE_SIEM_URL: { enabled: true } }`. */
  readonly envImplies?: Readonly<Record<string, Readonly<Record<string, Json>>>>
  /** Fields that GET shows as `********` with `<name>_set`; `destinations[].url` names one in a list. */
  readonly secrets?: readonly string[]
  /** Url fields that are secret while they contain user info, a query, or a token in the path. */
  readonly secretUrls?: readonly string[]
  /**
   * Fields that determine where secrets are sent: after a change of scheme, host or port, kept secrets must be sent
   * again.
   */
  readonly targets?: readonly string[]
  /**
   * Checks beyond the schema; each problem names a field. Runs at PUT and when stored or configured settings are
   * loaded.
   */
  check?(settings: never, tools: SettingsTools): Awaitable<readonly SettingsProblem[]>
}

export interface SettingsTools {
  /**
   * A problem if the egress guard refuses the url, else undefined. At PUT its name is resolved; failure is a warning in
   * the answer.
   */
  checkUrl(field: string, url: string): Promise<SettingsProblem | undefined>
  /**
   * For a field that selects events: a problem for each entry that matches no event type of the gateway or of enabled
   * plugins, with the nearest type. An entry may end with `*`. For settings PUT earlier, perhaps with other plugins
   * enabled, it is a warning instead.
   */
  checkEventTypes(field: string, types: readonly string[]): readonly SettingsProblem[]
}

export interface SettingsProblem {
  readonly field: string
  readonly message: string
  /** Default `validation_error`. */
  readonly code?: 'validation_error' | 'ssrf_blocked'
}

export interface Settings<T> {
  /** The effective settings; `{}` if the plugin declares none. */
  readonly current: Readonly<T>
  /**
   * Fields whose stored secrets cannot be read because the deployment's secret changed; usually empty. Until they are
   * PUT again, `fetch` and `connect` of this plugin fail, so that nothing is sent without its secret.
   */
  readonly unreadable: readonly string[]
  /** Calls the listener after every change, including changes by other processes. Returns a function to stop it. */
  onChange(listener: (settings: Readonly<T>) => void): () => void
}

export interface AuditLogOptions {
  /** Separates several cursors of one plugin; default none. */
  readonly group?: string
  /** Where a new cursor starts; default `end`. */
  readonly from?: 'start' | 'end'
}

/** At-least-once delivery of the audit log, in order per instance. */
export interface AuditConsumer {
  /** The next events, at least one; waits for them, and returns none only if the signal aborts. */
  read(max: number, signal: AbortSignal): Promise<readonly AuditEntry[]>
  /** Acknowledges this event and all that were read before it; they are never delivered again. */
  ack(cursor: string): Promise<void>
  /** Number of unacknowledged events, and when the oldest was written (Unix milliseconds). */
  backlog(): Promise<{ readonly events: number; readonly oldest: number | null }>
  /**
   * Removes the cursor, so that nothing is kept for this group. A later `read` creates a new one. May be called after
   * `close`.
   */
  forget(): Promise<void>
  /** Stops reading. If no plugin has an open consumer in this process, its exchanges are no longer written. */
  close(): Promise<void>
}

export interface AuditEntry {
  readonly cursor: string
  /** The record in the log: canonical JSON (RFC 8785). */
  readonly text: string
  /** The parsed record; parsed on first use. */
  readonly event: GovernanceEvent
}

export interface FetchInit {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For the whole exchange, milliseconds. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Maximum bytes of the response body to read; default 65536 (64 KiB). */
  readonly maxBytes?: number
}

/** Rejects with `GW_SSRF_BLOCKED` if the guard refuses, with `GW_EGRESS_FAILED` if there is no response. */
export interface FetchReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body was longer than `maxBytes`. */
  readonly truncated: boolean
  /** At most `maxBytes`; the rest is not read. Rejects with `GW_EGRESS_FAILED` if the body broke off. */
  text(): Promise<string>
  /** The same, as bytes. */
  bytes(): Promise<Uint8Array>
}

export interface ConnectTarget {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string
  readonly timeoutMs: number
  /** Aborts earlier. */
  readonly signal?: AbortSignal
}

/** A candidate provider, and the model's name there. */
export interface Target {
  readonly upstream: string
  readonly model: string
}

/** Data for a plugin's `check`. */
export interface CheckTools {
  /** Flags declared by the enabled plugins. */
  readonly flags: ReadonlyMap<string, FlagSpec>
  /** Ids of the configured keys; undefined if there are none, because the first start creates some. */
  readonly keys: ReadonlySet<string> | undefined
  /** Names of the teams of these keys. */
  readonly teams: ReadonlySet<string> | undefined
  /** Names of the configured upstreams; undefined if unknown. */
  readonly upstreams: ReadonlySet<string> | undefined
  /** Models at their upstreams, of routes that name one model; not those of routes with `*`. Empty if unknown. */
  readonly targets: readonly Target[]
}

export interface OptionProblem {
  /** Path of the option: `limits[0].window`. */
  readonly option: string
  /** Problem and remedy, as a phrase that may follow the option's name. */
  readonly message: string
  /** Default `error`. `governed-gateway check` shows warnings; they do not prevent a start. */
  readonly severity?: 'error' | 'warning'
}
