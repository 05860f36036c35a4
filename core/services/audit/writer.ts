import type { Json, Log, Severity } from '../../engine/contract/plugin.ts'
import type { Ended, JsonObject, Store } from '../../engine/contract/store.ts'
import { isStoreError, StoreError } from '../../engine/contract/store-errors.ts'
import { Trouble } from '../../engine/util/trouble.ts'
import { AUDIT } from './audit-log.ts'
import { Patience, probe } from './probe.ts'
import type { Waiting, WriteAheadQueue } from './write-ahead-queue.ts'
import { WrittenEvents } from './written-events.ts'

/** Writes kept in memory because the disk queue failed. */
const MAX_IN_MEMORY = 10_000
const LOOK_MS = 500
/** How often to log an ongoing outage. */
const REMIND_MS = 60_000

/** Reports to the operator and the trail. */
export type EmitStoreEvent = (
  type: string,
  payload: Readonly<Record<string, Json | undefined>>,
  severity?: Severity,
) => void

interface Outage {
  readonly since: number
  /** Time of the last log line, on the clock of `performance`. */
  warnedAt: number
  /** The store answers, perhaps only that it is full; operations that do not grow it may work. */
  answers: boolean
  /** A write succeeded; queued entries are being written. */
  takes: boolean
  spilled: number
  lost: number
  allowed: number
  local: number
}

const figuresOf = ({ since, spilled, lost, allowed, local }: Outage) => ({
  seconds: Math.round((Date.now() - since) / 1000),
  spilled,
  lost,
  allowed,
  local,
})

/**
 * Writes to the store, or to the write-ahead queue while the store fails. Queued writes go to the store on recovery,
 * with the same ids, so that they count once.
 */
export class Writer {
  readonly #store: Store
  readonly #log: Log
  readonly #spill: WriteAheadQueue | undefined
  readonly #emit: EmitStoreEvent
  readonly #onHealed: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  readonly #unwatch: () => void
  #memory: Waiting[] = []
  #outage: Outage | undefined = undefined
  #healing: Promise<void> | undefined = undefined
  /** When the last outage began, on the clock of `performance`. */
  downSince = Number.NEGATIVE_INFINITY
  readonly #unkept: Trouble
  readonly #patience = new Patience()

  /** `onHealed` runs before the outage counts as over. */
  constructor(
    store: Store,
    log: Log,
    spill: WriteAheadQueue | undefined,
    emit: EmitStoreEvent,
    onHealed: () => Promise<void>,
  ) {
    this.#store = store
    this.#log = log
    this.#spill = spill
    this.#emit = emit
    this.#onHealed = onHealed
    this.#unkept = new Trouble({
      log,
      level: 'error',
      begins: 'the write-ahead queue failed while the store is down',
      ends: 'the write-ahead queue works again',
    })
    this.#timer = setInterval(() => {
      if (this.#outage === undefined) return
      this.#remind(this.#outage)
      if (this.#patience.over) void this.heal()
    }, LOOK_MS).unref()
    this.#notice(store.status)
    this.#unwatch = store.onStatus((status) => {
      const { state, detail, reason } = status
      this.#notice(status)
      if (state === 'ready') void this.heal()
      else if (state !== 'closed') {
        const kind = state === 'failed' ? 'corrupt' : reason === 'instance_in_use' ? 'in_use' : state
        this.failed(new StoreError(kind, detail))
      }
    })
  }

  /** The store rejected a write and has not yet accepted the queued ones. */
  get down(): boolean {
    return this.#outage !== undefined
  }

  /**
   * Whether new requests are refused. Not while queued entries are being written: under load, the events of refused
   * requests would keep that queue growing.
   */
  get refuses(): boolean {
    return this.#outage !== undefined && !this.#outage.takes
  }

  /** Whether entries wait for the store. */
  get pending(): boolean {
    return this.#memory.length > 0 || this.#spill?.pending === true
  }

  /** The last write of an exchange. `kept`: in the log, or certain to get there while `keep` or the disk lasts. */
  async end(entry: Waiting, keep: boolean): Promise<{ kept: boolean; ended?: Ended | undefined }> {
    if (this.#outage !== undefined && !this.#outage.answers) return { kept: await this.wait([entry], keep) }
    try {
      return { kept: true, ended: await this.#end(entry) }
    } catch (error) {
      if (isStoreError(error, 'usage')) return this.#unsettled(entry, error, keep)
      this.failed(error)
      return { kept: await this.wait([entry], keep) }
    }
  }

  /** Retrying cannot fix an internal or plugin error, so keeps at least the events. */
  #unsettled({ used, ...entry }: Waiting, error: StoreError, keep: boolean) {
    this.#log.error({ err: error }, 'an exchange was not settled')
    if (used !== undefined) return this.end(entry, keep)
    // The events themselves are invalid.
    if (entry.id === undefined) return { kept: false }
    return this.end({ events: [...(entry.first ?? []), ...entry.events] }, keep)
  }

  /** Appends events after those that wait. False: these wait now, too. */
  async append(events: readonly JsonObject[]): Promise<boolean> {
    if (this.#outage === undefined) {
      try {
        await this.#store.append(AUDIT, events)
        return true
      } catch (error) {
        this.failed(error)
      }
    }
    await this.wait([{ events }], true)
    return false
  }

  /** Queues writes until the store recovers. False: they are lost. */
  async wait(entries: readonly Waiting[], keep: boolean): Promise<boolean> {
    const own = entries.filter(({ events, used }) => events.length > 0 || used !== undefined)
    if (own.length === 0) return true
    // Starts recovery, which an entry alone would not.
    if (this.#outage === undefined) this.failed(new Error('a write waits'), true)
    const outage = this.#outage as Outage | undefined
    try {
      if (this.#spill === undefined) throw new Error('no folder to spill to')
      await Promise.all(own.map((entry) => this.#spill?.add(entry)))
      if (outage !== undefined) outage.spilled += own.length
      return true
    } catch (error) {
      this.#unkept.note({ err: error })
    }
    if (keep && this.#memory.length + own.length <= MAX_IN_MEMORY) {
      this.#memory.push(...own)
      return true
    }
    if (outage !== undefined) outage.lost += own.reduce((sum, { events }) => sum + events.length, 0)
    return false
  }

  /** Counts requests that continued without a record, or with local limits. */
  count(what: 'allowed' | 'local'): void {
    if (this.#outage !== undefined) this.#outage[what] += 1
  }

  failed(error: unknown, answers = isStoreError(error, 'full')): void {
    if (isStoreError(error, 'usage')) return
    if (this.#outage !== undefined) {
      this.#outage.answers &&= answers
      this.#outage.takes = false
      return
    }
    this.#outage = {
      since: Date.now(),
      warnedAt: performance.now(),
      answers,
      takes: false,
      spilled: 0,
      lost: 0,
      allowed: 0,
      local: 0,
    }
    this.downSince = this.#outage.warnedAt
    this.#patience.begin()
    this.#log.error({ err: error }, 'the store does not accept writes')
    this.#emit('store.unavailable', { code: isStoreError(error) ? error.code : 'GW_STORE_UNAVAILABLE' })
  }

  /** Writes queued entries, including those of dead processes. Settles on success or another failure. */
  heal(): Promise<void> {
    this.#healing ??= this.#heal().finally(() => {
      this.#healing = undefined
    })
    return this.#healing
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#unkept.close()
    this.#unwatch()
  }

  async #heal(): Promise<void> {
    const { state } = this.#store.status
    // A full store reports `full` until a write succeeds, so a write must be tried.
    if (state !== 'ready' && state !== 'full') return
    const outage = this.#outage
    try {
      if (outage !== undefined) {
        await probe(this.#store)
        outage.answers = true
        outage.takes = true
      }
      const known = new WrittenEvents(this.#store)
      do await this.#replay(known)
      while (this.pending)
      await this.#onHealed()
    } catch (error) {
      this.failed(error)
      this.#patience.failed()
      if (!isStoreError(error)) this.#log.error({ err: error }, 'queued writes could not be written to the store')
      return
    }
    // A newer outage has begun.
    if (outage === undefined || this.#outage !== outage) return
    this.#outage = undefined
    this.#patience.healed()
    const figures = figuresOf(outage)
    this.#log.warn(figures, 'the store accepts writes again')
    this.#emit('store.recovered', figures, outage.lost > 0 ? 'detection' : undefined)
  }

  /** Logs what a store that works has to say, such as that Redis lost confirmed records or may drop some. */
  #notice({ state, detail }: Store['status']): void {
    if (state === 'ready' && detail !== '') this.#log.warn({ detail }, 'the store has a notice for its operator')
  }

  /** Logs an ongoing outage from time to time. */
  #remind(outage: Outage): void {
    const now = performance.now()
    if (now - outage.warnedAt < REMIND_MS) return
    outage.warnedAt = now
    this.#log.error(figuresOf(outage), 'the store still does not accept writes')
  }

  async #replay(known: WrittenEvents): Promise<void> {
    await this.#spill?.drain((entries) => this.#rewrite(entries, known))
    const waiting = this.#memory
    await this.#rewrite(waiting, known)
    this.#memory = this.#memory.slice(waiting.length)
  }

  async #end({ id, used, first = [], events }: Waiting): Promise<Ended | undefined> {
    if (id === undefined) {
      if (events.length > 0) await this.#store.append(AUDIT, events)
      return undefined
    }
    const request = { id, ...(used === undefined ? {} : { used }), stream: AUDIT, events }
    const ended = await this.#store.end(request)
    if (!ended.closed && events.length > 0)
      await this.#appendMissing([...first, ...events], new WrittenEvents(this.#store))
    return ended
  }

  async #rewrite(entries: readonly Waiting[], known: WrittenEvents): Promise<void> {
    const ended = await Promise.all(
      entries.map(async ({ id, used, events }) => {
        if (id === undefined) return false
        try {
          return (await this.#store.end({ id, ...(used && { used }), stream: AUDIT, events })).closed
        } catch (error) {
          // The store would never accept it, and it would block all later entries.
          if (isStoreError(error, 'usage')) return false
          throw error
        }
      }),
    )
    const rest = entries.flatMap(({ first = [], events }, i) => (ended[i] ? [] : [...first, ...events]))
    await this.#appendMissing(rest, known)
  }

  async #appendMissing(events: readonly JsonObject[], known: WrittenEvents): Promise<void> {
    if (events.length === 0) return
    const missing = await known.missing(events)
    if (missing.length === 0) return
    await this.#store.append(AUDIT, missing)
    known.add(missing)
  }
}
