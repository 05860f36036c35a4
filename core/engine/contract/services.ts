/** What the gateway gives a plugin: state, settings, egress, the audit log. */
import type { JSONSchema } from 'json-schema-to-ts'
import type { Awaitable, Emit, FlagSpec, GovernanceEvent, Json, Log } from './basics.ts'
import type { DescribeEvent } from './event-spec.ts'
import type { BoundedLogs, KeyValue, Leases, Limits } from './store.ts'

export type { RecentPage } from './store.ts'

export interface Services<T = unknown> {
  /** The plugin's name. */
  readonly name: string
  /** What this process is called in the `instance` of events: the config's `instance`, else a name made at its start. */
  readonly instance: string
  readonly log: Log
  readonly store: Store
  /** Absolute path of the folder of the config file: relative paths in options count from it. */
  readonly configFolder: string
  /** Derives a key of the deployment's secret for one purpose (HKDF-SHA256, 32 bytes). */
  subkey(purpose: string): Buffer
  /** Lives through reloads of this entry, in this process. */
  keep<V>(key: string, init: () => V): V
  /** The flags that the plugins of this chain declare; complete once `apply` runs. */
  readonly flags: ReadonlyMap<string, FlagSpec & { readonly owner: string }>
  /** Title, category and disposition of an event, as the core or an enabled plugin declares them. */
  readonly describe: DescribeEvent
  /** The settings this plugin declares. */
  readonly settings: Settings<T>
  /**
   * The audit log as this plugin's group reads it, with a durable cursor. Events are durable in each process that has a
   * consumer open, whether it reads or not: hold one in every process for as long as events are wanted, close it when
   * they are not. Read it in a `singleton`, so that one process delivers.
   */
  auditLog(options?: AuditLogOptions): AuditConsumer
  /**
   * Runs in one process at a time of all that share the store, and elsewhere when that one dies. `run` settles when its
   * signal aborts; when it fails it is started again with backoff. Begins after `start`, ends before `drain` settles.
   */
  singleton(name: string, run: (signal: AbortSignal) => Promise<void>): void
  /** HTTP to a receiver, through the egress guard: no private addresses, no redirects, the checked address is the one used. */
  fetch(url: string, init: FetchInit): Promise<FetchReply>
  /** A TCP or TLS connection through the same guard. */
  connect(target: ConnectTarget): Promise<import('node:net').Socket>
  /** For urls of options, in `start`: a problem when the guard refuses one by its spelling. Names are not resolved. */
  readonly checkUrl: SettingsTools['checkUrl']
  /**
   * Emits an event that belongs to no exchange. It is durable like any other. In `create` and `start` it is written
   * once all plugins have started, with the time of the call.
   */
  readonly emit: Emit
}

/** State that outlives an exchange, shared by every process that shares the store. Names are the plugin's own. */
export interface Store extends KeyValue, BoundedLogs, Leases, Pick<Limits, 'inspect'> {
  /** Who sees the same state: this process only, every process of the machine, every node. */
  readonly reach: 'process' | 'machine' | 'cluster'
}

/**
 * Settings that operators change while the gateway runs. The host serves `GET` and `PUT` of `path` for admin keys.
 * Precedence for each field: what was PUT > environment > the entry's `options` of the same name > default.
 */
export interface SettingsSpec {
  /** Such as `/api/settings/pager`. */
  readonly path: string
  /** JSON Schema of one flat object with a default for each field that has one. */
  readonly schema: JSONSchema
  /** Environment variable by field. */
  readonly env?: Readonly<Record<string, string>>
  /** Fields that are set when a variable of `env` is: `{ SERVICE_SIEM_URL: { enabled: true } }`. */
  readonly envImplies?: Readonly<Record<string, Readonly<Record<string, Json>>>>
  /** Fields that read back as `********` with `<name>_set`; `destinations[].url` names one in a list. */
  readonly secrets?: readonly string[]
  /** Fields with a url that is such a secret while it carries one: user info, a query, or a token in its path. */
  readonly secretUrls?: readonly string[]
  /** Fields that say where secrets are sent: when one names another scheme, host or port, kept secrets must be sent again. */
  readonly targets?: readonly string[]
  /** What a schema cannot say; each problem names a field. Runs at PUT and when stored or configured settings are loaded. */
  check?(settings: never, tools: SettingsTools): Awaitable<readonly SettingsProblem[]>
}

export interface SettingsTools {
  /**
   * A problem when the egress guard refuses the url, else undefined. At PUT its name is resolved; one that does not
   * resolve then is a warning in the answer.
   */
  checkUrl(field: string, url: string): Promise<SettingsProblem | undefined>
  /**
   * For a field that selects events: a problem for each entry that selects none, neither of the gateway's types nor of
   * those that enabled plugins declare in `events`, with the nearest one. An entry may end with `*` for any rest. In
   * settings that were PUT before, perhaps while other plugins were enabled, it is a warning instead.
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
  /** The effective settings; `{}` for a plugin that declares none. */
  readonly current: Readonly<T>
  /**
   * Fields whose stored secrets cannot be read, since the secret of the deployment changed; empty as a rule. Until they
   * are PUT again, `fetch` and `connect` of this plugin fail: nothing leaves without the secret that was meant for it.
   */
  readonly unreadable: readonly string[]
  /** Called after every change of these, also one made by another process. Returns how to stop. */
  onChange(listener: (settings: Readonly<T>) => void): () => void
}

export interface AuditLogOptions {
  /** Distinguishes several cursors of one plugin; default none. */
  readonly group?: string
  /** Where a new cursor starts; default `end`. */
  readonly from?: 'start' | 'end'
}

/** At-least-once delivery of the audit log, in order for each instance. */
export interface AuditConsumer {
  /** The next events, at least one; waits for them, and gives none only when the signal aborts. */
  read(max: number, signal: AbortSignal): Promise<readonly AuditEntry[]>
  /** Never to be read again: this one and all that were read before it. */
  ack(cursor: string): Promise<void>
  /** Events not acknowledged, and the time the oldest was written (Unix milliseconds). */
  backlog(): Promise<{ readonly events: number; readonly oldest: number | null }>
  /**
   * Removes the cursor, so that nothing is kept for this group any more. A later `read` makes a new one. May be called
   * after `close`.
   */
  forget(): Promise<void>
  /** Ends reading. Once no consumer of any plugin is open in this process, its exchanges are not written any more. */
  close(): Promise<void>
}

export interface AuditEntry {
  readonly cursor: string
  /** The record as it is in the log: canonical JSON (RFC 8785). */
  readonly text: string
  /** The same, parsed when it is first looked at. */
  readonly event: GovernanceEvent
}

export interface FetchInit {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For the whole exchange, milliseconds. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Most of the answer's body that is read, bytes; default 65536 (64 KiB). */
  readonly maxBytes?: number
}

/** Rejects with `GW_SSRF_BLOCKED` when the guard refuses, with `GW_EGRESS_FAILED` when there is no answer. */
export interface FetchReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body was longer than `maxBytes`. */
  readonly truncated: boolean
  /** At most `maxBytes`; the rest is not read. Rejects with `GW_EGRESS_FAILED` when the body broke off. */
  text(): Promise<string>
}

export interface ConnectTarget {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string
  readonly timeoutMs: number
  /** Gives up before that. */
  readonly signal?: AbortSignal
}

/** What `check` of a plugin may ask. */
export interface CheckTools {
  /** The flags that the enabled plugins declare. */
  readonly flags: ReadonlyMap<string, FlagSpec>
  /** Ids of the config's keys; undefined where it lists none, since the first start makes some. */
  readonly keys: ReadonlySet<string> | undefined
  /** Names of the teams of these keys. */
  readonly teams: ReadonlySet<string> | undefined
  /** Names of the config's upstreams; undefined where nobody can tell. */
  readonly upstreams: ReadonlySet<string> | undefined
}

export interface OptionProblem {
  /** Which one: `limits[0].window`. */
  readonly option: string
  /** What is wrong and what to do, in a sentence that may follow the option's name. */
  readonly message: string
  /** Default `error`. A warning is told by `governed-gateway check` and hinders nothing. */
  readonly severity?: 'error' | 'warning'
}
