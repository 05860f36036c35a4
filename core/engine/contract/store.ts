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
  /** Who sees the same state: this process only, every process of the machine, every node. */
  readonly reach: 'process' | 'machine' | 'cluster'
  /** The same store with `<prefix>/` before every key, stream, log and lock name. Ids of reservations stay as they are. */
  namespace(prefix: string): Store
  readonly status: StoreStatus
  /** Told of every change of `status`. Returns the way to stop. */
  onStatus(listener: (status: StoreStatus) => void): () => void
  /** Waits for calls under way, then closes. Later calls are `unavailable`. */
  close(): Promise<void>
}

export interface StoreStatus {
  /** `full`: growing writes are refused, reads and cleaning work. `failed`: needs a person; see `detail`. */
  readonly state: 'ready' | 'unavailable' | 'full' | 'failed' | 'closed'
  readonly detail: string
  /** For readiness, when the state does not say it. */
  readonly reason?: 'instance_in_use' | 'folder_replaced'
}

/** Values by key. A counter is a value that is a whole number. */
export interface KeyValue {
  get<V extends Json>(key: string): Promise<V | undefined>
  entry<V extends Json>(key: string): Promise<Entry<V> | undefined>
  /** False, and nothing written, when `ifVersion` no longer matches; `ifVersion: 0` means "only if absent". */
  set(key: string, value: Json, options?: SetOptions): Promise<boolean>
  /** True when there was something to delete and `ifVersion`, if given, matched. */
  delete(key: string, options?: { ifVersion?: number; notify?: boolean }): Promise<boolean>
  /**
   * Adds and returns the new value; `by` 0 reads. The time to live starts with the first write, or with `prolong` anew
   * with each. A value that is not a whole number is a `usage` error.
   */
  increment(key: string, by: number, ttlMs?: number, options?: { prolong?: boolean }): Promise<number>
  /**
   * Calls back after a `set` or `delete` with `notify` under a key that starts with `prefix`, from any process. Without
   * a key after an interruption: anything may have changed.
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
  /** Rises with each write and is never used twice for a key. */
  readonly version: number
  readonly expiresAt: number | null
}

/**
 * Metering. Use belongs to the moment it was reserved: the window (or slice of a rolling window) of that moment pays,
 * however late the settlement. What is open when a calendar window ends does not weigh on the next one.
 */
export interface Limits {
  /**
   * Takes what every scope grants, or nothing: atomic over all scopes. When only a part fits, each scope is granted
   * `least` plus the same share of `amount − least`, so that amounts in different units stay in step.
   *
   * The same id again returns the first answer. An id is good for one reservation; one that was settled is a `usage`
   * error for a minute.
   */
  reserve(request: ReserveRequest): Promise<Reservation>
  /** Takes more for an open reservation, all or nothing above `least`. `op` is unique within the reservation. */
  topUp(request: TopUpRequest): Promise<Reservation>
  /**
   * Replaces what was held by what was used; a scope that is not named was not used, so `{}` releases. More than was
   * granted is accepted, it was used after all. Only the first call counts. A reservation whose lease ran out can be
   * settled up to ten minutes later: what was charged then is corrected. Unknown ids are ignored.
   */
  settle(id: string, used: Amounts): Promise<readonly ScopeState[]>
  /**
   * Prolongs leases to now + `leaseMs` and updates what is due. Returns the ids that are no longer open: their due
   * amounts are charged; the owner may go on, and settle late.
   */
  renew(holds: readonly Renewal[], leaseMs: number): Promise<readonly string[]>
  /** Spent, reserved and reset of each scope, in the order asked. */
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
  /** Replaces what is charged, by scope key, if the lease runs out; scopes not named keep theirs. */
  readonly due?: Amounts | undefined
}

/** The two writes of an exchange. */
export interface Exchanges {
  /**
   * One transaction: reserves, appends the events, opens the marker. The events are written and the marker is open
   * even when the reservation is refused (they happened); such an exchange is closed with `end` like any other. The
   * same id again changes nothing and returns the first answer.
   */
  begin(request: BeginRequest): Promise<Begun>
  /**
   * One transaction, carried out only while the exchange is open: settles, appends the events, closes the marker. So
   * an exchange gets its last events once, whether its owner or a finder of lost exchanges writes them. An exchange
   * that somebody else closed has its charge corrected by `used` all the same.
   */
  end(request: EndRequest): Promise<Ended>
  /**
   * Exchanges with a marker whose lease ran out: their process died. They are handed to one caller at a time, for
   * `claimMs`. Close them with `end` without `used`: what was due stays charged.
   */
  lapsed(max: number, claimMs: number): Promise<readonly Lapsed[]>
}

export interface BeginRequest extends ReserveRequest {
  /** Anything needed to write the last event for a process that died. Absent: `end` is needed for settling only. */
  readonly marker?: JsonObject | undefined
  readonly stream?: string | undefined
  readonly events?: readonly JsonObject[] | undefined
}

export interface Begun {
  /** `{ok: true, scopes: []}` when there was nothing to reserve. */
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
  /** False when it was closed before, or never begun: no event was appended. */
  readonly closed: boolean
  readonly scopes: readonly ScopeState[]
}

export interface Lapsed {
  readonly id: string
  readonly marker: JsonObject
  /** When the lease ran out. */
  readonly since: number
}

/**
 * Durable streams of JSON records, each a hash chain per instance: the store sets `instance`, `seq` (from 1, no gaps),
 * `prev_hash` and `hash` (SHA-256 over the RFC 8785 form of the record without `hash`).
 */
export interface Logs {
  append(stream: string, events: readonly JsonObject[]): Promise<void>
  consumer(stream: string, group: string, options?: ConsumerOptions): Consumer
  /** Reads without consuming. */
  scan(stream: string, options?: ScanOptions): Promise<ScanPage>
  /**
   * Removes from the old end. What a group has not acknowledged stays, unless `unread` is `drop`. Works on a full
   * disk. Removes at most 10,000 records a call; call again while `more`.
   */
  trim(stream: string, options: TrimOptions): Promise<Trimmed>
  stats(stream: string): Promise<StreamStats>
  /** Removes a group, so that it no longer holds back `trim`. */
  forget(stream: string, group: string): Promise<void>
}

export interface ConsumerOptions {
  /** Where a group that does not exist yet starts. Default `start`: with the oldest record there is. */
  from?: 'start' | 'end'
  /** How long this consumer keeps its claim without reading or acknowledging; default 30 s. */
  leaseMs?: number
  /** How often to look for records of other processes; own ones are noticed at once. Default 500 ms. */
  pollMs?: number
  /** How long records gather after a read that left none behind, so that each does not cost a call. Default 0. */
  gatherMs?: number
}

/**
 * One reader of a group. Each instance's records have one reader at a time, so their order is kept; with several readers
 * each first serves the records of its own store connection and takes over those of readers that died.
 */
export interface Consumer {
  /**
   * The next records, at least one; waits for them, and returns none only when the signal aborts or it was closed.
   * Delivery is at least once: what was read but not acknowledged comes again after a restart or a takeover.
   */
  read(max: number, signal?: AbortSignal): Promise<readonly LogRecord[]>
  /** Acknowledges everything this consumer has read up to and including that record. */
  ack(cursor: string): Promise<void>
  /** Gives unacknowledged records and claims back at once. */
  close(): Promise<void>
}

export interface LogRecord {
  readonly cursor: string
  /** Canonical JSON (RFC 8785): without its member `hash`, what the hash was made of. */
  readonly text: string
  readonly record: JsonObject
}

export interface ScanOptions {
  /** Whose chain; default: this store's own. */
  instance?: string
  /** Start after this cursor, in the direction of reading. */
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
  /** Removes what was appended before this time. */
  before?: number
  /** Removes all but the newest of each instance. */
  keep?: number
  unread?: 'keep' | 'drop'
}

export interface Trimmed {
  readonly removed: number
  /** How many of them a group had not acknowledged, by group. */
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
  /** Records not acknowledged. */
  readonly backlog: number
  /** Append time of the oldest of them. */
  readonly oldest: number | null
}

/** Lists that keep their newest entries only. */
export interface BoundedLogs {
  /** Appends and drops all but the newest `cap` (1 to 100,000). */
  push(log: string, entries: readonly Json[], cap: number): Promise<void>
  /** Newest first. `limit` 1 to 1000. */
  recent(log: string, options: { limit: number; cursor?: string }): Promise<RecentPage>
}

export interface RecentPage {
  readonly entries: readonly Json[]
  /** Undefined at the end. */
  readonly next: string | undefined
}

/** Named locks, for work that one process at a time does. */
export interface Leases {
  /** Takes or prolongs; false while another holder has it. */
  acquire(name: string, holder: string, leaseMs: number): Promise<boolean>
  /** True when the holder had it. */
  release(name: string, holder: string): Promise<boolean>
}
