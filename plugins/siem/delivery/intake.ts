import type { AuditConsumer, AuditEntry, GovernanceEvent } from 'governed-gateway'
import type { RecordedEvent } from 'governed-gateway/kit'

/** One waiting event. */
export class Item {
  readonly recorded: RecordedEvent
  /** Id of the record, the same for every reader. */
  readonly id: string
  /** Acknowledging it includes filtered events after this one. */
  cursor: string
  /** Time of reading, in milliseconds of `performance.now()`. */
  readonly at: number
  /** Text for the destination; undefined if the event is not exported. */
  text: string | undefined = undefined
  bytes = 0
  /** Number of log events that it stands for: itself, and filtered events after it. */
  covers = 1
  /** The receiver or the dead letter log has it. */
  settled = false

  constructor(entry: AuditEntry, at: number) {
    this.recorded = entry
    this.id = entry.cursor
    this.cursor = entry.cursor
    this.at = at
  }

  get event(): GovernanceEvent {
    return this.recorded.event
  }
}

/** Number of log events that the items stand for. */
export const covered = (items: readonly Item[]): number => items.reduce((sum, { covers }) => sum + covers, 0)

/** Formats an event; undefined if it is not exported. */
export type Write = (recorded: RecordedEvent) => string | undefined

/** Maximum size of a batch. */
export interface Limits {
  readonly events: number
  readonly bytes: number
}

/** Maximum number of events to read ahead: enough to have the next batch ready. */
const READ = 500
/**
 * Time after which filtered events are acknowledged, milliseconds. It saves a call per read, and lets a change of
 * the settings still export them.
 */
const SKIP_MS = 2000

/**
 * Reads the audit log slightly ahead of the deliverer, which then need not wait. Events stay here until they are
 * settled, and are then acknowledged together if possible.
 */
export class Intake {
  readonly #consumer: AuditConsumer
  readonly #items: Item[] = []
  #write: Write
  readonly #onFiltered: (count: number) => void
  #capacity: number
  #selected = 0
  #bytes = 0
  #failure: unknown
  #wake: () => void = () => {}
  #room: () => void = () => {}
  #ackUpTo: string | undefined
  #acking: Promise<void> | undefined

  /** @param onFiltered called with the number of filtered events */
  constructor(consumer: AuditConsumer, write: Write, events: number, onFiltered: (count: number) => void) {
    this.#consumer = consumer
    this.#write = write
    this.#onFiltered = onFiltered
    this.#capacity = capacityFor(events)
  }

  /** Number of events that wait for a batch. */
  get waiting(): number {
    return this.#selected
  }

  /** Reads until the signal aborts. */
  async pump(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        if (this.#items.length >= this.#capacity) this.#compact()
        const room = this.#capacity - this.#items.length
        if (room <= 0) await wait((wake) => (this.#room = wake), signal)
        else this.#take(await this.#consumer.read(Math.min(room, READ), signal))
      }
    } catch (error) {
      this.#failure = error
      this.#wake()
    }
  }

  #take(entries: readonly AuditEntry[]): void {
    const at = performance.now()
    for (const entry of entries) {
      const item = new Item(entry, at)
      this.#put(item)
      this.#items.push(item)
    }
    this.#wake()
  }

  #put(item: Item): void {
    item.text = this.#write(item.recorded)
    item.bytes = item.text === undefined ? 0 : Buffer.byteLength(item.text)
    if (item.text !== undefined) this.#selected++
    this.#bytes += item.bytes
  }

  /** Applies new settings: filters and formats waiting events again. */
  rewrite(write: Write, events: number): void {
    this.#write = write
    this.#capacity = capacityFor(events)
    this.#selected = 0
    this.#bytes = 0
    for (const item of this.#items) this.#put(item)
    this.#room()
    this.#wake()
  }

  /**
   * Waits until a batch is full, or its oldest event has waited `longestMs`.
   *
   * @returns true if it had to wait, so there is no backlog
   */
  async due(limits: Limits, longestMs: number, signal: AbortSignal): Promise<boolean> {
    let waited = false
    while (!signal.aborted) {
      if (this.#failure !== undefined) throw this.#failure
      if (this.#selected >= limits.events || this.#bytes >= limits.bytes) return waited
      const oldest = this.#items.find(isExported)?.at
      const left = oldest === undefined ? Number.POSITIVE_INFINITY : oldest + longestMs - performance.now()
      if (left <= 0) return waited
      const skip = this.#skip(Math.min(longestMs, SKIP_MS))
      waited = true
      const ms = Math.min(left, skip)
      await wait((wake) => (this.#wake = wake), signal, Number.isFinite(ms) ? ms : undefined)
    }
    return waited
  }

  /**
   * Acknowledges filtered events before the first exported one.
   *
   * @returns milliseconds until the next call is due
   */
  #skip(afterMs: number): number {
    const now = performance.now()
    const oldest = this.#items[0]
    if (oldest === undefined || isExported(oldest)) return Number.POSITIVE_INFINITY
    const left = oldest.at + afterMs - now
    if (left > 0) return left
    const end = this.#items.findIndex((item) => isExported(item) || item.at + afterMs / 2 > now)
    this.done(this.#items.slice(0, end < 0 ? undefined : end))
    const next = this.#items[0]
    return next === undefined || isExported(next) ? Number.POSITIVE_INFINITY : next.at + afterMs - now
  }

  /** Makes room: filtered events must not stop others from being read. */
  #compact(): void {
    const first = this.#items.findIndex(isExported)
    this.done(this.#items.slice(0, first < 0 ? undefined : first))
    let kept = 0
    for (const item of this.#items) {
      const last = this.#items[kept - 1]
      if (isExported(item) || last === undefined) this.#items[kept++] = item
      else {
        last.cursor = item.cursor
        last.covers += item.covers
      }
    }
    this.#items.length = kept
  }

  /** The oldest events that fit into one batch, including filtered events between them. */
  peek({ events, bytes }: Limits): readonly Item[] {
    let count = 0
    let size = 0
    for (const [i, item] of this.#items.entries()) {
      if (item.text === undefined || item.settled) continue
      if (count === events || (count > 0 && size + item.bytes > bytes)) return this.#items.slice(0, i)
      count++
      size += item.bytes
    }
    return this.#items.slice()
  }

  /** The oldest events, exported or filtered, that stand for about `most` log events. Waits until there are any. */
  async front(most: number, signal: AbortSignal): Promise<readonly Item[]> {
    while (this.#items.length === 0 && this.#failure === undefined && !signal.aborted) {
      await wait((wake) => (this.#wake = wake), signal)
    }
    let end = 0
    for (let sum = 0; sum < most && end < this.#items.length; end++) sum += (this.#items[end] as Item).covers
    return this.#items.slice(0, end)
  }

  /** Removes the oldest items after they are settled. */
  done(items: readonly Item[]): void {
    // Meanwhile an earlier item may cover the last one.
    const last = items.findLast((item) => this.#items.includes(item))
    if (last === undefined) return
    const removed = this.#items.splice(0, this.#items.indexOf(last) + 1)
    let filtered = 0
    for (const item of removed) {
      filtered += isExported(item) ? item.covers - 1 : item.covers
      if (isExported(item)) this.#selected--
      this.#bytes -= item.bytes
    }
    if (filtered > 0) this.#onFiltered(filtered)
    this.#ackUpTo = last.cursor
    this.#acking ??= this.#ack()
    this.#room()
  }

  async #ack(): Promise<void> {
    try {
      while (this.#ackUpTo !== undefined) {
        const cursor = this.#ackUpTo
        this.#ackUpTo = undefined
        await this.#consumer.ack(cursor)
      }
    } catch (error) {
      this.#failure = error
      this.#wake()
    } finally {
      this.#acking = undefined
    }
  }

  /** Waits for running acknowledgements, and returns other events to the log. */
  async close(): Promise<void> {
    await this.#acking
    await this.#consumer.close()
  }
}

const isExported = ({ text }: Item): boolean => text !== undefined

const capacityFor = (events: number): number => Math.max(2 * events, 2 * READ)

/** Settles on wake, on abort, or after `ms` milliseconds. */
export function wait(register: (wake: () => void) => void, signal: AbortSignal, ms?: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      register(() => {})
      resolve()
    }
    const timer = ms === undefined ? undefined : setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    register(done)
  })
}
