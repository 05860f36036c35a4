/**
 * The store: everything that outlives an exchange. One interface, three drivers (`memory`, embedded SQLite, Redis), one
 * conformance suite.
 *
 * Rules that hold everywhere:
 * - Times are Unix milliseconds of the store's own clock (with Redis: the server's), durations are milliseconds.
 * - A call is atomic: all of it happened or none. Calls of one process are carried out in the order they were made.
 * - When a promise fulfils, the write survives `kill -9` of any process (embedded: by durability option also a power
 *   cut; memory: nothing survives; Redis: as its `appendfsync` says).
 * - Failures are `StoreError`. After `unavailable` a write may or may not have happened: calls that carry an id
 *   (`reserve`, `topUp`, `settle`, `begin`, `end`) may simply be made again, with the same id they never count twice. A
 *   reservation whose call failed so is released by the driver as soon as the store is back, and its id is used up.
 */
import type { Json } from './basics.ts'
import type { Amounts, Reservation, ScopeRef, ScopeRequest, ScopeState } from './store-limits.ts'

export type * from './store-limits.ts'
export type JsonObject = { [key: string]: Json }

export interface Store extends KeyValue, Limits, Exchanges, Logs, BoundedLogs, Leases {
  readonly kind: 'memory' | 'embedded' | 'redis'
  /** Extent of shared state: this process, every process of the machine, or every node. */
  readonly reach: 'process' | 'machine' | 'cluster'
  /** The same store with `<prefix>/` before every key, stream, log and lock name. Reservation ids are not prefixed. */
  namespace(prefix: string): Store
  readonly status: StoreStatus
  /** Calls the listener at every change of `status`. Returns a function to stop it. */
  onStatus(listener: (status: StoreStatus) => void): () => void
  /** Waits for pending calls, then closes. Later calls are `unavailable`. */
  close(): Promise<void>
}

export interface StoreStatus {
  /** `full`: growing writes are refused, reads and cleaning work. `failed`: needs an operator; see `detail`. */
  readonly state: 'ready' | 'unavailable' | 'full' | 'failed' | 'closed'
  readonly detail: string
  /** For readiness, in addition to the state. */
  readonly reason?: 'instance_in_use' | 'folder_replaced'
}

/** Values by key. A counter is a whole number. */
export interface KeyValue {
  get<V extends Json>(key: string): Promise<V | undefined>
  entry<V extends Json>(key: string): Promise<Entry<V> | undefined>
  /** Resolves to false, without writing, if `ifVersion` does not match; `ifVersion: 0` means "only if absent". */
  set(key: string, value: Json, options?: SetOptions): Promise<boolean>
  /** Resolves to true if a value was deleted and `ifVersion`, if given, matched. */
  delete(key: string, options?: { ifVersion?: number; notify?: boolean }): Promise<boolean>
  /**
   * Adds and returns the new value; `by` 0 reads. The time to live starts with the first write, or restarts with each
   * if `prolong`. A value that is not a whole number is a `usage` error.
   */
  increment(key: string, by: number, ttlMs?: number, options?: { prolong?: boolean }): Promise<number>
  /**
   * Calls the listener after a `set` or `delete` with `notify` of a key that starts with `prefix`, in any process.
   * Without a key after an interruption: anything may have changed.
   */
  watch(prefix: string, listener: (key: string | undefined) => void): () => void
}

export interface SetOptions {
  /** Absent: kept until deleted. */
  ttlMs?: number
  ifVersion?: number
  notify?: boolean
}

export interface Entry<V extends Json> {
  readonly value: V
  /** Rises with each write; never reused for a key. */
  readonly version: number
  readonly expiresAt: number | null
}

/**
 * Metering. Use is charged to the window (or slice of a rolling window) of its reservation, however late the
 * settlement. Open reservations of a past calendar window do not count in the next.
 */
export interface Limits {
  /**
   * Takes an amount from every scope, or from none: atomic over all scopes. If only a part fits, each scope is granted
   * `least` plus the same share of `amount − least`, so that amounts in different units stay proportional. Repeating an
   * id returns the first answer. An id is valid for one reservation; after settlement, it is a `usage` error for a
   * minute.
   */
  reserve(request: ReserveRequest): Promise<Reservation>
  /** Takes more for an open reservation, all or nothing above `least`. `op` is unique within the reservation. */
  topUp(request: TopUpRequest): Promise<Reservation>
  /**
   * Replaces the held amounts by the used ones. An omitted scope was not used, so `{}` releases all. More than the
   * grant is accepted. Only the first call counts. A reservation can be settled up to ten minutes after its lease
   * expired, which corrects the charge. Unknown ids are ignored.
   */
  settle(id: string, used: Amounts): Promise<readonly ScopeState[]>
  /**
   * Extends leases to now + `leaseMs` and updates the due amounts. Returns the ids that are no longer open: their due
   * amounts were charged; the owner may continue, and settle late.
   */
  renew(holds: readonly Renewal[], leaseMs: number): Promise<readonly string[]>
  /** Spent and reserved amounts and reset time of each scope, in the given order. */
  inspect(scopes: readonly ScopeRef[]): Promise<readonly ScopeState[]>
}

export interface ReserveRequest {
  readonly id: string
  readonly leaseMs: number
  readonly scopes: readonly ScopeRequest[]
}

export interface TopUpRequest {
  readonly id: string
  readonly op: string
  readonly scopes: readonly ScopeRequest[]
}

export interface Renewal {
  readonly id: string
  /** Replaces the amounts charged, by scope key, if the lease expires; omitted scopes keep theirs. */
  readonly due?: Amounts | undefined
}

/** The two writes of an exchange. */
interface Exchanges {
  /**
   * One transaction: reserves, appends the events, opens the marker. Writes the events and opens the marker even if the
   * reservation is refused; such an exchange is closed with `end` like any other. Repeating an id changes nothing and
   * returns the first answer.
   */
  begin(request: BeginRequest): Promise<Begun>
  /**
   * One transaction, only while the exchange is open: settles, appends the events, closes the marker. So an exchange
   * gets its last events once, from its owner or from an orphan sweeper. If another process closed it, `used` still
   * corrects the charge.
   */
  end(request: EndRequest): Promise<Ended>
  /**
   * Exchanges with a marker and an expired lease: their process died. Each is claimed by one caller for `claimMs`.
   * Close them with `end` without `used`: due amounts stay charged.
   */
  lapsed(max: number, claimMs: number): Promise<readonly Lapsed[]>
}

export interface BeginRequest extends ReserveRequest {
  /** Data to write the last event for a dead process. Absent: `end` is only needed for settling. */
  readonly marker?: JsonObject | undefined
  readonly stream?: string | undefined
  readonly events?: readonly JsonObject[] | undefined
}

export interface Begun {
  /** `{ok: true, scopes: []}` if there was nothing to reserve. */
  readonly reservation: Reservation
}

export interface EndRequest {
  readonly id: string
  /** Absent: an open reservation is released, a lapsed one keeps its charge. */
  readonly used?: Amounts | undefined
  readonly stream?: string | undefined
  readonly events?: readonly JsonObject[] | undefined
}

export interface Ended {
  /** False if it was closed before, or never begun: no event was appended. */
  readonly closed: boolean
  readonly scopes: readonly ScopeState[]
}

export interface Lapsed {
  readonly id: string
  readonly marker: JsonObject
  /** When the lease expired. */
  readonly since: number
}

/**
 * Durable streams of JSON records, each a hash chain per instance: the store sets `instance`, `seq` (from 1, no gaps),
 * `prev_hash` and `hash` (SHA-256 over the RFC 8785 form of the record without `hash`).
 */
interface Logs {
  append(stream: string, events: readonly JsonObject[]): Promise<void>
  consumer(stream: string, group: string, options?: ConsumerOptions): Consumer
  /** Reads without consuming. */
  scan(stream: string, options?: ScanOptions): Promise<ScanPage>
  /**
   * Removes the oldest records. Keeps unacknowledged records, unless `unread` is `drop`. Works on a full disk. Removes
   * at most 10,000 records per call; repeat while `more`.
   */
  trim(stream: string, options: TrimOptions): Promise<Trimmed>
  stats(stream: string): Promise<StreamStats>
  /** Removes a group, so that it no longer blocks `trim`. */
  forget(stream: string, group: string): Promise<void>
}

export interface ConsumerOptions {
  /** Start of a new group. Default `start`: the oldest record. */
  from?: 'start' | 'end'
  /** How long this consumer keeps its claim without reading or acknowledging; default 30 s. */
  leaseMs?: number
  /** Interval for polling records of other processes; own ones are noticed at once. Default 500 ms. */
  pollMs?: number
  /** Delay after a read that left no records, to batch new ones. Default 0. */
  gatherMs?: number
}

/**
 * One reader of a group. Each instance's records have one reader at a time, which keeps their order. With several
 * readers, each prefers the records of its own store connection, and takes over those of dead readers.
 */
export interface Consumer {
  /**
   * The next records, at least one; waits for them, and returns none only if the signal aborts or it was closed.
   * Delivery is at least once: unacknowledged records repeat after a restart or a takeover.
   */
  read(max: number, signal?: AbortSignal): Promise<readonly LogRecord[]>
  /** Acknowledges everything this consumer has read up to and including that record. */
  ack(cursor: string): Promise<void>
  /** Returns unacknowledged records and claims at once. */
  close(): Promise<void>
}

export interface LogRecord {
  readonly cursor: string
  /** Canonical JSON (RFC 8785); without its member `hash`, the input of the hash. */
  readonly text: string
  readonly record: JsonObject
}

export interface ScanOptions {
  /** Instance of the chain; default: this store's own. */
  instance?: string
  /** Starts after this cursor, in reading order. */
  after?: string
  /** Default `asc`. */
  order?: 'asc' | 'desc'
  /** 1 to 1000, default 100. */
  limit?: number
}

export interface ScanPage {
  readonly records: readonly LogRecord[]
  /** Undefined at the end. */
  readonly next: string | undefined
}

export interface TrimOptions {
  /** Removes records appended before this time. */
  before?: number
  /** Removes all but the newest records of each instance. */
  keep?: number
  unread?: 'keep' | 'drop'
}

export interface Trimmed {
  readonly removed: number
  /** Number of removed records that a group had not acknowledged, by group. */
  readonly unread: Readonly<Record<string, number>>
  readonly more: boolean
}

export interface StreamStats {
  readonly records: number
  /** Approximate size on disk or in memory. */
  readonly bytes: number
  /** Append time of the oldest record. */
  readonly oldest: number | null
  readonly instances: readonly { readonly instance: string; readonly records: number; readonly seq: number }[]
  readonly groups: readonly GroupStats[]
}

export interface GroupStats {
  readonly group: string
  /** Number of unacknowledged records. */
  readonly backlog: number
  /** Append time of the oldest of them. */
  readonly oldest: number | null
}

/** Lists that keep only their newest entries. */
export interface BoundedLogs {
  /** Appends, and drops all but the newest `cap` entries (1 to 100,000). */
  push(log: string, entries: readonly Json[], cap: number): Promise<void>
  /** Newest first. `limit` 1 to 1000. */
  recent(log: string, options: { limit: number; cursor?: string }): Promise<RecentPage>
}

export interface RecentPage {
  readonly entries: readonly Json[]
  /** Undefined at the end. */
  readonly next: string | undefined
}

/** Named locks for work that only one process may do at a time. */
export interface Leases {
  /** Takes or renews a lock; false while another holder has it. */
  acquire(name: string, holder: string, leaseMs: number): Promise<boolean>
  /** True if the holder had the lock. */
  release(name: string, holder: string): Promise<boolean>
}
