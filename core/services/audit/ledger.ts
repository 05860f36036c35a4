import { GatewayError, stackOf } from '../../engine/contract/errors.ts'
import type { GovernanceEvent, Log, Rejection, Reservation, ScopeState, Verdict } from '../../engine/contract/plugin.ts'
import type { Begun, JsonObject, ScopeRequest, Store, TopUpRequest } from '../../engine/contract/store.ts'
import { isStoreError } from '../../engine/contract/store-errors.ts'
import type { Emitter } from '../../engine/events/emitter.ts'
import type { ExchangeHolds } from '../../engine/exchange/holds.ts'
import type { RecordedExchange, Recorder } from '../../engine/exchange/recorder.ts'
import { errorName } from '../../engine/util/outside.ts'
import { PROCESS_NAME } from '../../engine/util/process-life.ts'
import { Slots } from '../../engine/util/slots.ts'
import { AUDIT } from './audit-log.ts'
import { EventQueue } from './event-queue.ts'
import { LEASE_MS, Leases, RENEW_MS } from './leases.ts'
import { LocalLimits } from './local-limits.ts'
import { OrphanSweeper } from './orphan-sweeper.ts'
import type { Waiting, WriteAheadQueue } from './write-ahead-queue.ts'
import { Writer } from './writer.ts'

export interface LedgerSettings {
  /** How to handle requests that cannot be recorded. Default `block`. */
  readonly onError?: 'block' | 'allow'
  /** How to handle limits while the store is down. Default `block`. */
  readonly onStoreError?: 'block' | 'local'
  /** Whether the client waits for the last write. Default true. */
  readonly waits?: boolean
}

export interface LedgerOptions {
  /** Queue for writes while the store is down; none for a store in memory. */
  readonly spill?: WriteAheadQueue | undefined
  /** How long the exchanges of a killed process keep their holds, milliseconds, default 60,000. */
  readonly leaseMs?: number
  /** Default 15,000. */
  readonly renewMs?: number
  /** Interval for finding exchanges of dead processes, milliseconds, default 10,000. */
  readonly findMs?: number
}

/** Longest wait of a request for limits, regardless of its plugins; longer than in any bundled plugin, milliseconds. */
const INSIST_MS = 400_000

/**
 * The two writes of an exchange: before the prompt leaves and before the last byte. They carry events if the audit log
 * has a reader, and limits if a plugin requests any. Without both, nothing is written.
 */
export class Ledger implements Recorder {
  /** The operator's policy; a reload changes it. */
  settings: LedgerSettings = {}
  readonly #store: Store
  readonly #leaseMs: number
  readonly #findMs: number
  readonly #leases: Leases
  readonly #writer: Writer
  readonly #journal: EventQueue
  readonly #finder: OrphanSweeper
  readonly #local = new LocalLimits()
  readonly #readers = new Set<object>()
  readonly #ending = new Slots<Promise<unknown>>()
  #emitter: (() => Emitter) | undefined = undefined
  #limits = false
  #timer: NodeJS.Timeout | undefined = undefined
  #work: Promise<void> = Promise.resolve()

  constructor(store: Store, log: Log, options: LedgerOptions = {}) {
    const { spill, leaseMs = LEASE_MS, renewMs = RENEW_MS, findMs = 10_000 } = options
    this.#store = store
    this.#leaseMs = leaseMs
    this.#findMs = findMs
    this.#leases = new Leases(store, log, leaseMs, renewMs)
    const emit: ConstructorParameters<typeof Writer>[3] = (type, payload, severity) =>
      this.#emitter?.().emit(type, { ...payload, ...(type === 'store.unavailable' && this.#policy) }, severity)
    this.#writer = new Writer(store, log, spill, emit, () => this.#local.flush(store))
    this.#journal = new EventQueue(this.#writer, log)
    const isOpen = (id: string): boolean => this.#leases.has(id)
    this.#finder = new OrphanSweeper(store, log, isOpen, async () => (await spill?.awaited()) === true)
  }

  /** Writes queued entries, ends orphaned exchanges, and repeats both regularly. */
  start(emitter: () => Emitter): void {
    this.#emitter = emitter
    this.#work = this.#find()
    this.#timer = setInterval(() => {
      this.#work = this.#work.then(() => this.#find())
    }, this.#findMs).unref()
  }

  /** Registers a reader: events are durable until `unread`. */
  read(reader: object): void {
    this.#readers.add(reader)
  }

  unread(reader: object): void {
    this.#readers.delete(reader)
  }

  /** An exchange has used limits, so others may. */
  get limits(): boolean {
    return this.#limits
  }

  /** The store rejected a write. Requests that need it are refused, whatever its reported status. */
  get down(): boolean {
    return this.#writer.down
  }

  /** When the last outage began, on the clock of `performance`. */
  get downSince(): number {
    return this.#writer.downSince
  }

  get audited(): boolean {
    return this.#readers.size > 0
  }

  begin(x: RecordedExchange): Promise<Verdict | Rejection | undefined> | undefined {
    if (x.holds !== undefined) this.#limits = true
    if (!x.audited && x.holds === undefined) return undefined
    return this.#begin(x)
  }

  end(x: RecordedExchange): Promise<boolean> | undefined {
    if (!x.audited && x.holds === undefined) return undefined
    const ending = this.#end(x).catch((error: unknown) => {
      x.log.error({ error: errorName(error), at: stackOf(error) }, 'not recorded')
      return false
    })
    const slot = this.#ending.add(ending)
    void ending.finally(() => this.#ending.delete(slot))
    return this.settings.waits === false ? undefined : ending
  }

  append(event: GovernanceEvent): void {
    if (this.audited) this.#journal.add(event as JsonObject)
  }

  /** Settles when everything so far is in the log or the write-ahead queue. */
  async flush(): Promise<void> {
    await Promise.all(this.#ending.values())
    await this.#journal.flush()
  }

  /** Call before closing the store. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#leases.stop()
    await this.flush()
    if (this.#writer.pending) await this.#writer.heal()
    await this.flush()
    this.#writer.stop()
    await this.#work
  }

  async #begin(x: RecordedExchange): Promise<Verdict | Rejection | undefined> {
    x.begun = true
    const scopes = x.holds?.requests ?? []
    const events = x.takeRecords()
    let begun: Begun
    try {
      if (this.#writer.refuses) throw new Error('the store does not accept writes')
      // Before the write, so that our own sweeper does not treat it as an orphan.
      this.#keepLease(x, false)
      const marker = x.audited ? markerOf(x) : undefined
      const request = { id: x.id, leaseMs: this.#leaseMs, scopes, marker, stream: AUDIT, events: events as never }
      begun = await this.#store.begin(request)
    } catch (error) {
      if (isStoreError(error, 'usage')) return this.#refuse(x, events, error)
      x.unsure = events
      this.#keepLease(x, true)
      this.#writer.failed(error)
      return this.#goOn(x, error)
    }
    const granter = { topUp: (request: TopUpRequest) => this.#topUp(request) }
    const reservation = begun.reservation.ok ? begun.reservation : await this.#insist(x, begun.reservation)
    return x.holds?.answer(granter, reservation, (verdict) => x.wouldBlock(verdict))
  }

  /** Lets plugins wait for limits held by others. An exchange with a marker is already open and takes more. */
  async #insist(x: RecordedExchange, refusal: Reservation): Promise<Reservation> {
    const { id, holds } = x
    let reservation = refusal
    // Without a marker there is nothing for a lease to keep.
    if (!x.audited) this.#dropLease(x)
    const end = performance.now() + INSIST_MS
    for (let n = 1; !reservation.ok && (await holds?.again(reservation, end - performance.now())) === true; n++) {
      const scopes = holds?.requests ?? []
      if (x.audited) reservation = await this.#topUp({ id, op: `again-${n}`, scopes })
      else reservation = await this.#askAgain(x, scopes)
    }
    return reservation
  }

  async #askAgain(x: RecordedExchange, scopes: readonly ScopeRequest[]): Promise<Reservation> {
    try {
      // A refused reservation leaves no trace: reuse the id, with a new lease.
      this.#keepLease(x, false)
      return (await this.#store.begin({ id: x.id, leaseMs: this.#leaseMs, scopes })).reservation
    } catch (cause) {
      this.#writer.failed(cause)
      throw new GatewayError('GW_LIMITS_UNAVAILABLE', 'The gateway could not check the limits of the request.', {
        cause,
      })
    }
  }

  #keepLease(x: RecordedExchange, unsure: boolean): void {
    this.#dropLease(x)
    x.lease = this.#leases.add({ id: x.id, holds: unsure ? undefined : x.holds, unsure })
  }

  #dropLease(x: RecordedExchange): void {
    this.#leases.delete(x.lease)
    x.lease = undefined
  }

  /** Nothing was begun: a plugin's request was invalid. */
  #refuse(x: RecordedExchange, events: readonly GovernanceEvent[], cause: Error): never {
    this.#dropLease(x)
    x.begun = false
    x.dropHolds()
    x.giveBackRecords(events)
    throw new GatewayError('GW_PLUGIN_CONTRACT', `The limits of the request cannot be taken: ${cause.message}`)
  }

  async #topUp(request: TopUpRequest): Promise<Reservation> {
    try {
      return await this.#store.topUp(request)
    } catch (cause) {
      if (isStoreError(cause, 'usage')) throw cause
      this.#writer.failed(cause)
      if (this.settings.onStoreError === 'local') return this.#local.topUp(request)
      throw new GatewayError('GW_LIMITS_UNAVAILABLE', 'The gateway could not take more of the limits.', { cause })
    }
  }

  /** The first write failed: applies the operator's policy. */
  async #goOn(x: RecordedExchange, cause: unknown): Promise<Verdict | Rejection | undefined> {
    const { onError = 'block', onStoreError = 'block' } = this.settings
    if (x.audited && onError === 'block') {
      const message = 'The gateway could not record the request, so it was not sent.'
      throw new GatewayError('GW_AUDIT_UNAVAILABLE', message, { cause })
    }
    if (x.audited) this.#writer.count('allowed')
    if (x.holds === undefined) return undefined
    if (onStoreError === 'block') {
      const message = 'The gateway could not check the limits of the request, so it was not sent.'
      throw new GatewayError('GW_LIMITS_UNAVAILABLE', message, { cause })
    }
    this.#writer.count('local')
    x.countedLocally = true
    const reservation = await this.#local.reserve({ id: x.id, scopes: x.holds.requests })
    return x.holds.answer(this.#local, reservation, (verdict) => x.wouldBlock(verdict))
  }

  async #end(x: RecordedExchange): Promise<boolean> {
    const { id, holds } = x
    const events = x.takeRecords() as readonly JsonObject[]
    x.ended = true
    const used = holds?.used
    if (!x.begun && used !== undefined) this.#beginLate(x, used)
    // Amounts counted in this process must not count twice if the first write did happen.
    const charged = x.countedLocally ? {} : used
    const first = x.unsure as readonly JsonObject[] | undefined
    const opened = x.begun || used !== undefined
    const entry: { -readonly [K in keyof Waiting]: Waiting[K] } = { events }
    if (opened) entry.id = id
    if (charged !== undefined) entry.used = charged
    if (first !== undefined) entry.first = first
    const allows = this.settings.onError === 'allow'
    const { kept, ended } = await this.#writer.end(entry, allows || x.unsure !== undefined)
    this.#dropLease(x)
    if (holds !== undefined) {
      const local = await this.#local.settle(id, x.countedLocally ? used : undefined)
      if (x.countedLocally && !this.#writer.down) this.#flushLocal()
      this.#tellHolds(x, holds, x.countedLocally ? local : ended?.scopes)
    }
    return kept || allows || events.length === 0
  }

  /**
   * Records limits of an exchange that ended before the model was called. Both calls travel in one message, in order.
   */
  #beginLate(x: RecordedExchange, used: Readonly<Record<string, number>>): void {
    const scopes = (x.holds?.requests ?? []).filter(({ key }) => (used[key] ?? 0) > 0)
    const marker = x.audited ? markerOf(x) : undefined
    this.#store.begin({ id: x.id, leaseMs: this.#leaseMs, scopes, marker }).catch(() => {})
  }

  /** Plugin errors here no longer affect the exchange. */
  #tellHolds(x: RecordedExchange, holds: ExchangeHolds, states: readonly ScopeState[] | undefined): void {
    if (states === undefined) return
    try {
      holds.settled(states)
    } catch (error) {
      x.log.error({ error: errorName(error), at: stackOf(error) }, 'plugin failed')
    }
  }

  #flushLocal(): void {
    this.#local.flush(this.#store).catch((error: unknown) => this.#writer.failed(error))
  }

  /** Writes queued entries first, so that our own finished exchanges are not reported as lost. */
  async #find(): Promise<void> {
    try {
      await this.#writer.heal()
      if (!this.#writer.down) await this.#finder.look(this.#emitter?.() as Emitter)
    } catch (error) {
      this.#writer.failed(error)
    }
  }

  get #policy() {
    const { onError = 'block', onStoreError = 'block' } = this.settings
    return { audit: onError, limits: onStoreError }
  }
}

/** What another process needs to write the last event, and the name of this one. */
const markerOf = (x: RecordedExchange): JsonObject =>
  Object.assign(x.description, {
    stream: x.request.stream,
    rules: x.rules,
    process: PROCESS_NAME,
  }) as object as JsonObject
