import type { AuditConsumer, Log, Services } from 'governed-gateway'
import { type Clock, systemClock } from 'governed-gateway/kit'
import type { Written } from '../destinations/destination.ts'
import type { SiemSettings } from '../settings.ts'
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
  readonly services: Pick<Services<SiemSettings>, 'auditLog' | 'fetch' | 'connect' | 'settings' | 'store' | 'log'>
  readonly deadLetter: Parked
  readonly overflow: Parked
  readonly timeoutMs: number
  readonly fastest: number
  readonly clock?: Clock
}

/** Enabled, and knows where to. */
export const isActive = ({ enabled, url }: SiemSettings): boolean => enabled === true && url !== undefined

/** Brings the audit log to the receiver, in one process at a time. */
export class Deliverer {
  readonly #parts: DelivererParts
  readonly #board: StatusBoard
  readonly #log: Log
  #changed = new AbortController()
  /** The receiver was away when the settings changed. */
  #down = false
  #delivering = false

  constructor(parts: DelivererParts) {
    this.#parts = parts
    this.#board = new StatusBoard(parts.services.store)
    this.#log = parts.services.log
  }

  /** Settings changed, or a replay was asked for. */
  nudge(): void {
    this.#changed.abort()
    this.#changed = new AbortController()
  }

  get #settings(): SiemSettings {
    return this.#parts.services.settings.current
  }

  /** The work of the singleton: ends when the signal aborts, with what is under way. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#board.load()
    while (!signal.aborted) {
      if (isActive(this.#settings)) await this.#deliver(signal)
      else {
        this.#board.enter('disabled')
        await wait(() => {}, AbortSignal.any([signal, this.#changed.signal]))
      }
    }
  }

  async #deliver(signal: AbortSignal): Promise<void> {
    const consumer = this.#parts.services.auditLog({ from: 'end' })
    const intake = new Intake(consumer, () => undefined, this.#settings.buffer_size)
    const hard = new AbortController()
    signal.addEventListener('abort', () => setTimeout(() => hard.abort(), GRACE_MS).unref(), { once: true })
    const stopped = new AbortController()
    const pumping = intake.pump(AbortSignal.any([signal, stopped.signal]))
    this.#delivering = true
    try {
      while (!signal.aborted && isActive(this.#settings)) {
        await this.#session(intake, AbortSignal.any([signal, this.#changed.signal]), hard.signal)
      }
      this.#delivering = isActive(this.#settings)
    } finally {
      stopped.abort()
      await pumping
      await intake.close()
      await this.#board.write()
    }
  }

  /** Delivers for as long as the settings stay as they are. */
  async #session(intake: Intake, signal: AbortSignal, hard: AbortSignal): Promise<void> {
    const settings = this.#settings
    const sender = this.#open(settings)
    intake.rewrite(sender.write, sender.limits.events)
    if (!sender.down) this.#board.enter('delivering')
    try {
      while (!signal.aborted) {
        await this.#replay(sender, signal, hard)
        if (await intake.due(sender.limits, settings.flush_interval_seconds * 1000, signal)) sender.pace.end()
        if (!signal.aborted) await this.#batch(intake, sender, signal, hard)
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
    this.#board.count('filtered', items.length - exported.length)
    intake.done(items.length)
    return true
  }

  #open(settings: SiemSettings): Sender {
    const { services, timeoutMs, fastest, clock = systemClock } = this.#parts
    return new Sender(settings, {
      outside: { fetch: services.fetch, connect: services.connect, timeoutMs },
      board: this.#board,
      log: this.#log,
      bury: (rejected) => this.#bury(rejected),
      paused: async () => {},
      fastest,
      clock,
      down: this.#down,
    })
  }

  async #bury(rejected: readonly Rejected[]): Promise<void> {
    const lost = await this.#parts.deadLetter.push(rejected.map(park))
    if (lost > 0) this.#board.count('dropped', lost)
  }

  /** What an admin wants to be tried again, oldest first. */
  async #replay(sender: Sender, signal: AbortSignal, hard: AbortSignal): Promise<void> {
    const { store } = this.#parts.services
    const until = await store.get<number>(REPLAY)
    if (until === undefined) return
    if (await this.#empty(this.#parts.deadLetter, until, sender, signal, hard)) await store.delete(REPLAY)
  }

  async #empty(
    parked: Parked,
    until: number,
    sender: Sender,
    signal: AbortSignal,
    hard: AbortSignal,
  ): Promise<boolean> {
    while (!signal.aborted) {
      const chunk = await parked.first(until)
      if (chunk === undefined) return true
      const { limits, write } = sender
      let left = chunk.entries.flatMap(({ event }): Written[] => {
        const text = write(event)
        return text === undefined ? [] : [{ event, text, settled: false }]
      })
      while (left.length > 0) {
        if (!(await sender.dispatch(left.slice(0, limits.events), signal, hard))) return false
        left = left.slice(limits.events)
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
    const consumer: AuditConsumer = this.#parts.services.auditLog({ from: 'end' })
    const sender = this.#open({ ...this.#settings, max_retries: 0 })
    const stop = new AbortController()
    const over = AbortSignal.any([signal, stop.signal])
    const intake = new Intake(consumer, sender.write, sender.limits.events)
    const pumping = intake.pump(over)
    try {
      while (!over.aborted) {
        const aged = await intake.due(sender.limits, 0, AbortSignal.any([over, AbortSignal.timeout(QUIET_MS)]))
        if (aged || intake.peek(sender.limits).length === 0) break
        if (!(await this.#batch(intake, sender, over, over))) break
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
