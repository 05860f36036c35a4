/**
 * The operations of a driver, as plain data. The same messages go to the engine in this process, to the owner in a
 * worker thread, or from a cluster worker to its primary.
 */
import type { Reservation, ScopeState, StoreStatus, StreamStats, Trimmed } from '../../engine/contract/store.ts'

/** A scope as drivers see it. `meter` is the window's tag and the key: `d/team:blue`, `r60000/key:app`. */
export interface WireScope {
  readonly key: string
  readonly meter: string
  readonly limit: number
  readonly amount: number
  readonly least: number
  /** null: the full grant. */
  readonly due: number | null
}

export interface WireRef {
  readonly key: string
  readonly meter: string
}

/** Values are JSON text: drivers do not parse them, except to add to a counter. */
export interface WireEntry {
  readonly text: string
  readonly version: number
  readonly expiresAt: number | null
}

/** Cursor and JSON text of a record. */
export type WireRecord = readonly [cursor: string, text: string]

interface BeginArgs {
  readonly id: string
  readonly leaseMs: number
  readonly scopes: readonly WireScope[]
  /** Opaque JSON text. */
  readonly marker: string | null
  readonly stream: string
  /** Sealed, see `canonical.ts`. */
  readonly events: readonly string[]
}

interface EndArgs {
  readonly id: string
  /** null: see `EndRequest.used`. */
  readonly used: { readonly [key: string]: number } | null
  readonly stream: string
  /** Sealed. */
  readonly events: readonly string[]
}

interface GroupArgs {
  readonly stream: string
  readonly group: string
  readonly consumer: string
}

/** Arguments and result of every operation. */
interface Ops {
  get: [{ key: string }, WireEntry | null]
  set: [{ key: string; text: string; ttlMs: number | null; ifVersion: number | null; notify: boolean }, boolean]
  delete: [{ key: string; ifVersion: number | null; notify: boolean }, boolean]
  increment: [{ key: string; by: number; ttlMs: number | null; prolong: boolean }, number]
  /** Subscribes to changes; see `Notice`. */
  watch: [Record<string, never>, null]
  begin: [BeginArgs, Reservation]
  topUp: [{ id: string; op: string; scopes: readonly WireScope[] }, Reservation]
  end: [EndArgs, { closed: boolean; scopes: ScopeState[] }]
  /** Releases a reservation whose `begin` may have happened, and refuses it if it arrives later. */
  cancel: [{ id: string }, null]
  renew: [
    { holds: readonly { id: string; due: { readonly [key: string]: number } | null }[]; leaseMs: number },
    string[],
  ]
  inspect: [{ scopes: readonly WireRef[] }, ScopeState[]]
  lapsed: [{ max: number; claimMs: number }, { id: string; marker: string; since: number }[]]
  append: [{ stream: string; events: readonly string[] }, null]
  read: [GroupArgs & { from: 'start' | 'end'; max: number; leaseMs: number }, WireRecord[]]
  /** The newest cursor of each chain, in reading order; false if the claim was lost. */
  ack: [GroupArgs & { cursors: readonly string[]; leaseMs: number }, boolean]
  leave: [GroupArgs, null]
  scan: [
    { stream: string; instance: string | null; after: string | null; order: 'asc' | 'desc'; limit: number },
    { records: WireRecord[]; more: boolean },
  ]
  trim: [{ stream: string; before: number | null; keep: number | null; unread: 'keep' | 'drop' }, Trimmed]
  stats: [{ stream: string }, StreamStats]
  forget: [{ stream: string; group: string }, null]
  push: [{ log: string; texts: readonly string[]; cap: number }, null]
  recent: [{ log: string; limit: number; cursor: string | null }, { texts: string[]; next: string | null }]
  acquire: [{ name: string; holder: string; leaseMs: number }, boolean]
  release: [{ name: string; holder: string }, boolean]
}

export type OpName = keyof Ops
/** Operations that need space: refused while a store is full. */
export const GROWING: ReadonlySet<OpName> = new Set(['begin', 'topUp', 'append', 'push', 'set', 'increment'])
export type Args<K extends OpName> = Ops[K][0]
export type Result<K extends OpName> = Ops[K][1]

/** An unsolicited message of a driver. */
export type Notice =
  | { readonly type: 'status'; readonly status: StoreStatus }
  /** null: anything may have changed. */
  | { readonly type: 'changed'; readonly key: string | null }
  /** New records; sent at least to clients whose last `read` was empty. */
  | { readonly type: 'appended'; readonly stream: string }

export interface Driver {
  readonly kind: 'memory' | 'embedded' | 'redis'
  readonly reach: 'process' | 'machine' | 'cluster'
  readonly status: StoreStatus
  call<K extends OpName>(name: K, args: Args<K>): Promise<Result<K>>
  listen(listener: (notice: Notice) => void): void
  close(): Promise<void>
}

/** How long to remember a settled id, so that a late or repeated call cannot count again. */
export const ID_MEMORY_MS = 60_000
/** How long a reservation can be settled after its lease expired. */
export const LATE_MS = 600_000
/** Maximum number of records that one `trim` removes. */
export const TRIM_SLICE = 10_000
/** Slices of a rolling window. */
export const SLICES = 60
export const GENESIS = '0'.repeat(64)
