import type { AuditConsumer, Services } from 'governed-gateway'
import { type Clock, systemClock } from 'governed-gateway/kit'
import type { Written } from '../destinations/destination.ts'
import type { SiemSettings } from '../settings.ts'
import { Backlog } from './backlog.ts'
import { Intake, type Item, wait } from './intake.ts'
import type { Parked, ParkedEvent } from './parked.ts'
import { type Rejected, Sender } from './sender.ts'
import { StatusBoard } from './status.ts'

/** How long an attempt under way may go on when the gateway stops, milliseconds. */
const GRACE_MS = 4000
/** How long what is left may be flushed then. */
const FLUSH_MS = 4000

/** The number of the newest chunk of the dead letter log that is to be replayed. */
export const REPLAY = 'replay'

export interface DelivererParts {
  readonly services: Pick<
    Services<SiemSettings>,
    'auditLog' | 'fetch' | 'connect' | 'settings' | 'store' | 'log' | 'emit'
  >
  readonly deadLetter: Parked
  readonly overflow: Parked
  readonly timeoutMs: number
  /** Batches a second after an outage. */
  readonly fastest: number
  /** Longest queue, events. */
  readonly most: number
  readonly clock?: Clock
}

/** Enabled, and knows where to. */
export const isActive = ({ enabled, url }: SiemSettings): boolean => enabled === true && url !== undefined

/** Set once there is a cursor, so that a later start knows of it. */
const CURSOR = 'cursor'

/** Brings the audit log to the receiver, in one process at a time. */
export class Deliverer {
  readonly #parts: DelivererParts
  readonly #board: StatusBoard
  readonly #backlog: Backlog
  /** Not used to read: tells the length of the queue. */
  readonly #viewer: () => AuditConsumer
  #changed = new AbortController()
  /** The receiver was away when the settings changed. */
  #down = false
  #overflowing = true
  #delivering = false

  constructor(parts: DelivererParts) {
    const { services, overflow, most } = parts
    this.#parts = parts
    this.#board = new StatusBoard(services.store)
    let viewer: AuditConsumer | undefined
    this.#viewer = () => {
      viewer ??= services.auditLog({ from: 'end' })
      return viewer
    }
    const consumer = { backlog: () => this.#viewer().backlog() }
    this.#backlog = new Backlog({ consumer, overflow, board: this.#board, emit: services.emit, most })
  }

  /** In every process, before it serves: what happens from here on is exported. */
  async prepare(): Promise<void> {
    if (!isActive(this.#settings)) return
    this.#viewer()
    const consumer = this.#parts.services.auditLog({ from: 'end' })
    const once = new AbortController()
    const made = consumer.read(1, once.signal)
    once.abort()
    await made
    await consumer.close()
  }

  /** Settings changed, or a replay was asked for. */
  nudge(): void {
    // Asking for the audit log makes the events of this process durable.
    if (isActive(this.#settings)) this.#viewer()
    this.#changed.abort()
    this.#changed = new AbortController()
  }

  async backlog(): Promise<{ readonly events: number; readonly oldest: number | null }> {
    return isActive(this.#settings) ? await this.#viewer().backlog() : { events: 0, oldest: null }
  }

  get #settings(): SiemSettings {
    return this.#parts.services.settings.current
  }

  /** The work of the singleton: ends when the signal aborts, with what is under way. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#board.load()
    while (!signal.aborted) {
      const changed = AbortSignal.any([signal, this.#changed.signal])
      if (isActive(this.#settings)) await this.#deliver(signal)
      else {
        await this.#rest()
        await wait(() => {}, changed)
      }
    }
  }

  /** Disabled: nothing is kept for the receiver. Enabled again, export begins with what happens then. */
  async #rest(): Promise<void> {
    const { store } = this.#parts.services
    this.#board.enter('disabled')
    if ((await store.get(CURSOR)) !== true) return
    await this.#viewer().forget()
    await store.delete(CURSOR)
  }

  async #deliver(signal: AbortSignal): Promise<void> {
    const { auditLog, store } = this.#parts.services
    await store.set(CURSOR, true)
    const intake = new Intake(auditLog({ from: 'end' }), () => undefined, this.#settings.buffer_size)
    const hard = new AbortController()
    const stop = (): void => void setTimeout(() => hard.abort(), GRACE_MS).unref()
    signal.addEventListener('abort', stop, { once: true })
    const stopped = new AbortController()
    const pumping = intake.pump(AbortSignal.any([signal, stopped.signal]))
    this.#delivering = true
    this.#overflowing = true
    try {
      while (!signal.aborted && isActive(this.#settings)) {
        await this.#session(intake, AbortSignal.any([signal, this.#changed.signal]), hard.signal)
      }
      this.#delivering = isActive(this.#settings)
    } finally {
      signal.removeEventListener('abort', stop)
      stopped.abort()
      await pumping
      await intake.close()
      await this.#board.write()
    }
  }

  /** Delivers for as long as the settings stay as they are. */
  async #session(intake: Intake, signal: AbortSignal, hard: AbortSignal): Promise<void> {
    const settings = this.#settings
    const sender = this.#open(settings, intake)
    intake.rewrite(sender.write, sender.limits.events)
    if (!sender.down) this.#board.enter('delivering')
    try {
      await this.#replay(sender, signal, hard)
      while (!signal.aborted) {
        if (this.#overflowing) this.#overflowing = !(await this.#empty(this.#parts.overflow, sender, signal, hard))
        if (await intake.due(sender.limits, settings.flush_interval_seconds * 1000, signal)) sender.pace.end()
        if (!signal.aborted) await this.#batch(intake, sender, signal, hard)
        if (!sender.down) this.#backlog.report(settings.destination, !sender.pace.active)
      }
    } finally {
      this.#down = sender.down
      sender.close()
    }
  }

  /** One batch. True when it is dealt with. */
  async #batch(intake: Intake, sender: Sender, signal: AbortSignal, hard: AbortSignal): Promise<boolean> {
    const items = intake.peek(sender.limits)
    const exported = items.filter(isExported)
    if (exported.length > 0 && !(await sender.dispatch(exported, signal, hard))) return false
    this.#board.count('filtered', items.filter(({ text }) => text === undefined).length)
    intake.done(items)
    return true
  }

  #open(settings: SiemSettings, intake: Intake | undefined): Sender {
    const { services, timeoutMs, fastest, clock = systemClock } = this.#parts
    return new Sender(settings, {
      outside: { fetch: services.fetch, connect: services.connect, timeoutMs },
      board: this.#board,
      log: services.log,
      bury: async (rejected) => {
        this.#backlog.dropped(await this.#parts.deadLetter.push(rejected.map(park)), 'dead_letter_full')
      },
      away: async (signal) => {
        if (intake !== undefined && (await this.#backlog.shed(intake, signal))) this.#overflowing = true
        this.#backlog.report(settings.destination)
      },
      fastest,
      clock,
      patient: intake !== undefined,
      down: this.#down,
    })
  }

  /** What an admin wants to be tried again, oldest first. */
  async #replay(sender: Sender, signal: AbortSignal, hard: AbortSignal): Promise<void> {
    const { store } = this.#parts.services
    const until = await store.get<number>(REPLAY)
    if (until === undefined) return
    if (await this.#empty(this.#parts.deadLetter, sender, signal, hard, until)) await store.delete(REPLAY)
  }

  /** Delivers a log of parked events. True when it is empty. */
  async #empty(
    parked: Parked,
    sender: Sender,
    signal: AbortSignal,
    hard: AbortSignal,
    until?: number,
  ): Promise<boolean> {
    const { limits, write } = sender
    while (!signal.aborted) {
      const chunk = await parked.first(until)
      if (chunk === undefined) return true
      const written = chunk.entries.flatMap(({ event }): Written[] => {
        const text = write(event)
        return text === undefined ? [] : [{ event, text, settled: false }]
      })
      for (let at = 0; at < written.length; at += limits.events) {
        if (!(await sender.dispatch(written.slice(at, at + limits.events), signal, hard))) return false
      }
      await parked.remove(chunk)
    }
    return false
  }

  /** When the gateway stops: one attempt for what is left, within the deadline. The rest is delivered after a restart. */
  async flush(deadline: AbortSignal): Promise<void> {
    if (!this.#delivering || this.#down) return
    this.#delivering = false
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(FLUSH_MS)])
    // What happens from now on, in other workers, is not ours to wait for.
    let { events: left } = await this.#viewer().backlog()
    const sender = this.#open(this.#settings, undefined)
    const intake = new Intake(this.#parts.services.auditLog({ from: 'end' }), sender.write, sender.limits.events)
    const stop = new AbortController()
    const pumping = intake.pump(AbortSignal.any([signal, stop.signal]))
    try {
      while (left > 0 && !signal.aborted) {
        await intake.due(sender.limits, 0, AbortSignal.any([signal, AbortSignal.timeout(QUIET_MS)]))
        const { length } = intake.peek(sender.limits)
        if (length === 0 || !(await this.#batch(intake, sender, signal, deadline))) break
        left -= length
      }
    } finally {
      stop.abort()
      await pumping
      await intake.close()
      sender.close()
      await this.#board.write()
    }
  }
}

/** How long an empty log is listened to before the flush is over. */
const QUIET_MS = 100

const isExported = (item: Item): item is Item & Written => item.text !== undefined && !item.settled

const park = ({ event, error, status }: Rejected): ParkedEvent => ({
  time: new Date().toISOString(),
  error,
  status: status ?? null,
  event: event as ParkedEvent['event'],
})
