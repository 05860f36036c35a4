import type { Services, Settings } from 'governed-gateway'
import { AuditCursor, type Clock, systemClock } from 'governed-gateway/kit'
import type { SiemSettings } from '../settings.ts'
import { Backlog } from './backlog.ts'
import { deliverBatch, deliverParked, flush, type Signals } from './batch.ts'
import type { DeadLetter, DeadLetterLog } from './dead-letter-log.ts'
import { Intake, type Write, wait } from './intake.ts'
import { type Rejected, Sender } from './sender.ts'
import { StatusBoard, targetOf } from './status.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'export.paused': { destination: string; reason: 'secret_unreadable'; fields: string[] }
  }
}

/** How long a running attempt may continue when the gateway stops, milliseconds. */
const GRACE_MS = 4000
/** Time to flush the remaining events after that, milliseconds. */
const FLUSH_MS = 4000
/** Store key: number of the newest dead-letter chunk to replay. */
export const REPLAY = 'replay'

export interface DelivererParts {
  readonly services: Pick<
    Services<SiemSettings>,
    'auditLog' | 'describe' | 'fetch' | 'connect' | 'settings' | 'store' | 'log' | 'emit'
  >
  readonly deadLetter: DeadLetterLog
  readonly overflow: DeadLetterLog
  readonly timeoutMs: number
  /** Maximum batches per second after an outage. */
  readonly fastest: number
  /** Maximum length of the queue, events. */
  readonly most: number
  readonly clock?: Clock
  /** How long to keep the cursor after export is disabled, milliseconds. Default 60,000. */
  readonly keepMs?: number
}

/** Enabled, with a destination; also if the destination is a secret that cannot be read. */
export const isActive = ({ current, unreadable }: Pick<Settings<SiemSettings>, 'current' | 'unreadable'>): boolean =>
  current.enabled === true && (current.url !== undefined || unreadable.includes('url'))

/** Store key: true if a cursor exists, for later starts. */
const CURSOR = 'cursor'

/** Delivers the audit log to the receiver, in one process at a time. */
export class Deliverer {
  readonly #parts: DelivererParts
  readonly #board: StatusBoard
  readonly #backlog: Backlog
  /** Every process holds it while export is active. */
  readonly #cursor: AuditCursor
  #changed = new AbortController()
  /** The receiver was unavailable when the settings changed. */
  #down = false
  #overflowing = true
  #delivering = false
  /** `export.paused` was emitted. */
  #pauseReported = false

  constructor(parts: DelivererParts) {
    const { services, overflow, most } = parts
    this.#parts = parts
    this.#board = new StatusBoard(services.store)
    this.#cursor = new AuditCursor(services.auditLog)
    const consumer = { backlog: () => this.backlog() }
    this.#backlog = new Backlog({
      consumer,
      describe: services.describe,
      overflow,
      board: this.#board,
      emit: services.emit,
      most,
    })
  }

  /** Runs in every process before it serves, so that all later events are exported. */
  async prepare(): Promise<void> {
    if (this.#active) await this.#cursor.hold()
  }

  /** Call after a change of the settings or a request to replay. */
  nudge(): void {
    // The deliverer needs the same cursor and reports the error.
    this.#cursor.follow(this.#active).catch(() => {})
    this.#changed.abort()
    this.#changed = new AbortController()
  }

  async backlog(): Promise<{ readonly events: number; readonly oldest: number | null }> {
    return (await this.#cursor.consumer?.backlog()) ?? { events: 0, oldest: null }
  }

  close(): Promise<void> {
    return this.#cursor.close()
  }

  get #active(): boolean {
    return isActive(this.#parts.services.settings)
  }

  get #settings(): SiemSettings {
    return this.#parts.services.settings.current
  }

  /** Runs as the singleton. After an abort, it ends with the running attempts. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#board.load()
    while (!signal.aborted) {
      const changed = AbortSignal.any([signal, this.#changed.signal])
      if (this.#active) await this.#deliver(signal)
      else await this.#rest(changed)
    }
  }

  /** Export is disabled: drops the cursor after a grace period. If it is enabled again before, export continues. */
  async #rest(changed: AbortSignal): Promise<void> {
    const { services, keepMs } = this.#parts
    const { store } = services
    this.#board.aim(null)
    this.#board.enter('disabled')
    const isLeft = async () => (await store.get(CURSOR)) === true && !this.#active
    if (await this.#cursor.retire(changed, { isLeft, keepMs })) await store.delete(CURSOR)
    await wait(() => {}, changed)
  }

  async #deliver(signal: AbortSignal): Promise<void> {
    const { store } = this.#parts.services
    // Ignore failures: on a full disk, delivery makes room.
    if ((await store.get(CURSOR)) !== true) await store.set(CURSOR, true).catch(() => false)
    const intake = this.#intake(() => undefined, this.#settings.buffer_size)
    const hard = new AbortController()
    const stop = (): void => void setTimeout(() => hard.abort(), GRACE_MS).unref()
    signal.addEventListener('abort', stop, { once: true })
    const stopped = new AbortController()
    const pumping = intake.pump(AbortSignal.any([signal, stopped.signal]))
    this.#delivering = true
    this.#overflowing = true
    try {
      while (!signal.aborted && this.#active) {
        await this.#session(intake, { soft: AbortSignal.any([signal, this.#changed.signal]), hard: hard.signal })
      }
      // Do not flush if the last attempt ran out of time.
      this.#delivering = this.#active && !hard.signal.aborted
    } finally {
      signal.removeEventListener('abort', stop)
      stopped.abort()
      await pumping
      await intake.close()
      await this.#board.write()
    }
  }

  /** Delivers until the settings change. */
  async #session(intake: Intake, signals: Signals): Promise<void> {
    const { soft } = signals
    const settings = this.#settings
    this.#reportUnreadable(settings)
    if (this.#board.aim(targetOf(settings))) this.#down = false
    const sender = this.#open(settings, intake)
    intake.rewrite(sender.write, sender.limits.events)
    if (!sender.down) this.#board.enter('delivering')
    try {
      await this.#replay(sender, signals)
      while (!soft.aborted) {
        if (this.#overflowing) this.#overflowing = !(await deliverParked(this.#parts.overflow, sender, signals))
        if (await intake.due(sender.limits, settings.flush_interval_seconds * 1000, soft)) sender.pace.end()
        if (!soft.aborted) await deliverBatch(intake, sender, signals)
        if (!sender.down) this.#backlog.report(settings.destination, !sender.pace.active)
      }
    } finally {
      this.#down = sender.down
      sender.close()
    }
  }

  /** Emits `export.paused` while secrets of the destination cannot be read. */
  #reportUnreadable({ destination }: SiemSettings): void {
    const { unreadable } = this.#parts.services.settings
    if (unreadable.length > 0 && !this.#pauseReported)
      this.#parts.services.emit('export.paused', { destination, reason: 'secret_unreadable', fields: [...unreadable] })
    this.#pauseReported = unreadable.length > 0
  }

  #intake(write: Write, events: number): Intake {
    const { auditLog } = this.#parts.services
    return new Intake(auditLog({ from: 'end' }), write, events, (count) => this.#board.count('filtered', count))
  }

  #open(settings: SiemSettings, intake: Intake | undefined): Sender {
    const { services, timeoutMs, fastest, clock = systemClock } = this.#parts
    return new Sender(settings, {
      outside: { fetch: services.fetch, connect: services.connect, timeoutMs },
      describe: services.describe,
      unreadable: services.settings.unreadable,
      board: this.#board,
      log: services.log,
      deadLetter: async (rejected) => {
        this.#backlog.dropped(await this.#parts.deadLetter.push(rejected.map(park)), 'dead_letter_full')
      },
      away: async (signal) => {
        if (intake !== undefined && (await this.#backlog.dropOldest(intake, signal))) this.#overflowing = true
        this.#backlog.report(settings.destination)
      },
      fastest,
      clock,
      patient: intake !== undefined,
      down: this.#down,
    })
  }

  /** Delivers the events that an admin wants to replay, oldest first. */
  async #replay(sender: Sender, signals: Signals): Promise<void> {
    const { store } = this.#parts.services
    const until = await store.get<number>(REPLAY)
    if (until === undefined) return
    if (await deliverParked(this.#parts.deadLetter, sender, signals, until)) await store.delete(REPLAY)
  }

  /**
   * At stop: makes one attempt for the remaining events before the deadline. The rest is delivered after the
   * restart.
   */
  async flush(deadline: AbortSignal): Promise<void> {
    if (!this.#delivering || this.#down) return
    this.#delivering = false
    const late = AbortSignal.any([deadline, AbortSignal.timeout(FLUSH_MS)])
    const signals = { soft: late, hard: late }
    // Do not wait for later events of other workers.
    const { events } = await this.backlog()
    const sender = this.#open(this.#settings, undefined)
    const intake = this.#intake(sender.write, sender.limits.events)
    await flush(intake, sender, this.#board, signals, events)
  }
}

const park = ({ event, error, status }: Rejected): DeadLetter => ({
  time: new Date().toISOString(),
  error,
  status: status ?? null,
  event: event as DeadLetter['event'],
})
