import { createHash } from 'node:crypto'
import type { DescribeEvent, GovernanceEvent, Log } from 'governed-gateway'
import { type Attempt, Backoff, type Clock, type DeliveryOutcome, deliver, failedAttempt } from 'governed-gateway/kit'
import {
  type Channel,
  type Destination,
  formatSettings,
  type Outside,
  type Verdict,
  type Written,
} from '../destinations/destination.ts'
import { destinations, openChannel } from '../destinations/index.ts'
import { selector } from '../selection.ts'
import type { SiemSettings } from '../settings.ts'
import type { Limits, Write } from './intake.ts'
import { Pace } from './pace.ts'
import type { StatusBoard } from './status.ts'

/** A person must correct wrong credentials, so do not try them every few seconds. */
const AUTH_PAUSE_MS = 60_000
/** Interval of backlog checks while the receiver is unavailable, milliseconds. */
const CHECK_MS = 5000

export interface Rejected {
  readonly event: GovernanceEvent
  readonly error: string
  readonly status: number | undefined
}

export interface SenderParts {
  readonly outside: Outside
  readonly describe: DescribeEvent
  /** Fields with secrets that cannot be read. */
  readonly unreadable: readonly string[]
  readonly board: StatusBoard
  readonly log: Log
  /** Stores events that the receiver rejects; must be durable when it settles. */
  readonly deadLetter: (rejected: readonly Rejected[]) => Promise<void>
  /** Called every few seconds while the receiver is unavailable; may settle events. */
  readonly away: (signal: AbortSignal) => Promise<void>
  /** Maximum batches per second after an outage. */
  readonly fastest: number
  /** False: makes one attempt and no retries. */
  readonly patient: boolean
  /** The receiver was unavailable at the last attempt. */
  readonly down: boolean
  readonly clock: Clock
}

/** Sends batches to one destination with fixed settings: retries, pauses, splits, and reports rejected events. */
export class Sender {
  readonly #settings: SiemSettings
  readonly #parts: SenderParts
  readonly #destination: Destination
  readonly #channel: Channel
  readonly #clock: Clock
  readonly #backoff: Backoff
  readonly pace: Pace
  #down: boolean

  constructor(settings: SiemSettings, parts: SenderParts) {
    this.#settings = settings
    this.#parts = parts
    this.#clock = parts.clock
    this.#down = parts.down
    this.#destination = destinations[settings.destination]
    this.#channel = openChannel(settings, parts.unreadable, parts.outside)
    this.#backoff = pauseBackoff(settings)
    this.pace = new Pace(this.#clock)
  }

  get down(): boolean {
    return this.#down
  }

  get limits(): Limits {
    const { maxEvents, maxBytes } = this.#destination
    const events = Math.min(this.#settings.buffer_size, maxEvents)
    // One byte for the separator between events, two for the enclosing brackets.
    return { events, bytes: maxBytes - events - 2 }
  }

  get write(): Write {
    const selected = selector(this.#settings)
    const settings = formatSettings(this.#settings, this.#parts.describe)
    return (recorded) =>
      selected === undefined || selected(recorded.event) ? this.#destination.write(recorded, settings) : undefined
  }

  close(): void {
    this.#channel.close?.()
  }

  /**
   * @param signal ends waiting
   * @param hard also aborts running attempts
   * @returns true if every event is settled, by the receiver or in the dead letter log
   */
  async dispatch(items: readonly Written[], signal: AbortSignal, hard: AbortSignal): Promise<boolean> {
    let todo = items.filter(isOpen)
    while (todo.length > 0 && !signal.aborted) {
      await this.pace.turn(this.#parts.fastest, signal)
      const outcome = await this.#deliver(todo, signal, hard)
      todo = todo.filter(isOpen)
      if (outcome.result === 'delivered') this.#up()
      else if (outcome.result === 'rejected') return await this.#rejected(todo, outcome, signal, hard)
      else if (!this.#parts.patient) return false
      else if (!signal.aborted) {
        await this.#pause(outcome, signal)
        todo = todo.filter(isOpen)
      }
    }
    return todo.length === 0
  }

  async #deliver(items: readonly Written[], signal: AbortSignal, hard: AbortSignal): Promise<DeliveryOutcome> {
    const { board } = this.#parts
    let attempts = 0
    return deliver({
      send: async () => {
        if (attempts++ > 0) board.count('retries', 1)
        const attempt = await this.#attempt(items, hard).catch(failedAttempt)
        if (attempt.result !== 'delivered') board.failed(attempt.error ?? attempt.result, attempt.status)
        board.retries(attempt.result === 'unavailable' && this.#parts.patient)
        return attempt
      },
      // While the receiver is unavailable, send one probe at a time.
      maxRetries: this.#down || !this.#parts.patient ? 0 : this.#settings.max_retries,
      backoffSeconds: this.#settings.retry_backoff_seconds,
      signal,
      clock: this.#clock,
    })
  }

  /** One attempt for all unsettled events. Repeats events that the receiver did not process. */
  async #attempt(items: readonly Written[], hard: AbortSignal): Promise<Attempt> {
    for (;;) {
      const todo = items.filter(isOpen)
      const sent = await this.#channel.send({ id: batchId(todo), items: todo }, hard)
      if (sent.each === undefined) {
        if (sent.result === 'delivered') {
          this.#delivered(todo)
          // Of a batch before.
          if (sent.error !== undefined) this.#parts.board.failed(sent.error, sent.status)
        }
        return sent
      }
      const { delivered, rejected, unavailable, again } = sort(todo, sent.each)
      this.#delivered(delivered)
      await this.#deadLetter(rejected, sent.rejection ?? sent.error, sent.status)
      if (unavailable.length + again.length === 0) return { result: 'delivered' }
      if (again.length === 0 || hard.aborted) return { ...sent, result: 'unavailable' }
    }
  }

  #delivered(items: readonly Written[]): void {
    if (items.length === 0) return
    for (const item of items) item.settled = true
    this.#parts.board.count('delivered', items.length)
    this.#parts.board.succeeded()
  }

  /** Halves a body that is too long. Any other rejection is caused by the events. */
  async #rejected(
    items: readonly Written[],
    outcome: DeliveryOutcome,
    signal: AbortSignal,
    hard: AbortSignal,
  ): Promise<boolean> {
    this.#up()
    if (outcome.status === 413 && items.length > 1) {
      const half = Math.ceil(items.length / 2)
      return (
        (await this.dispatch(items.slice(0, half), signal, hard)) &&
        (await this.dispatch(items.slice(half), signal, hard))
      )
    }
    await this.#deadLetter(items, outcome.error, outcome.status)
    return true
  }

  async #deadLetter(items: readonly Written[], error = 'rejected', status?: number): Promise<void> {
    if (items.length === 0) return
    await this.#parts.deadLetter(items.map(({ event }) => ({ event, error, status })))
    for (const item of items) item.settled = true
    this.#parts.board.failed(error, status)
    this.#parts.board.count('rejected', items.length)
    this.#parts.log.error(
      { destination: this.#settings.destination, error, events: items.length },
      'the receiver rejected events; they are in the dead letter log',
    )
  }

  #up(): void {
    if (!this.#down) return
    this.#down = false
    this.#backoff.reset()
    this.pace.begin()
    this.#parts.board.enter('delivering')
    this.#parts.log.info({ destination: this.#settings.destination }, 'the receiver is back')
  }

  async #pause({ result, error = 'unavailable', status, retryAfterMs }: Attempt, signal: AbortSignal): Promise<void> {
    const { board, log } = this.#parts
    const least = result === 'auth' ? AUTH_PAUSE_MS : 0
    const wait = this.#backoff.next(Math.max(retryAfterMs ?? 0, least))
    board.enter('paused', wait)
    if (!this.#down) {
      const fields = { destination: this.#settings.destination, error, status }
      log.warn(fields, 'the receiver does not accept events; they wait in the audit log')
    }
    this.#down = true
    const until = this.#clock.now() + wait
    for (let left = wait; left > 0 && !signal.aborted; left = until - this.#clock.now()) {
      await this.#parts.away(signal)
      await this.#clock.sleep(Math.min(left, CHECK_MS), signal)
    }
  }
}

const isOpen = ({ settled }: Written): boolean => !settled

/** At least one second, because `retry_backoff_seconds: 0` would flood a receiver that is down. */
const pauseBackoff = ({ retry_backoff_seconds, max_retries }: SiemSettings): Backoff =>
  new Backoff(Math.max(1, Math.min(300, retry_backoff_seconds * 2 ** Math.min(max_retries, 9))))

/**
 * The same id for every attempt with the same items, in every process. Includes the texts: a store in memory
 * restarts log positions, and a receiver would drop new events under a known id.
 */
export function batchId(items: readonly Pick<Written, 'id' | 'text'>[]): string {
  const hash = createHash('sha256')
  for (const { id, text } of items) hash.update(id).update('\0').update(text).update('\0')
  return `batch_${hash.digest('hex').slice(0, 32)}`
}

function sort(items: readonly Written[], each: readonly Verdict[]): Record<Verdict, Written[]> {
  const sorted: Record<Verdict, Written[]> = { delivered: [], rejected: [], unavailable: [], again: [] }
  for (const [i, item] of items.entries()) sorted[each[i] ?? 'unavailable'].push(item)
  return sorted
}
