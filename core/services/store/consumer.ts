import type { Consumer, ConsumerOptions, JsonObject, LogRecord } from '../../engine/contract/store.ts'
import { usage } from '../../engine/contract/store-errors.ts'
import type { Driver } from './ops.ts'

/** Parses on first use: many readers only pass the text on. */
class ReadRecord implements LogRecord {
  readonly cursor: string
  readonly text: string
  #record: JsonObject | undefined

  constructor(cursor: string, text: string) {
    this.cursor = cursor
    this.text = text
  }

  get record(): JsonObject {
    this.#record ??= JSON.parse(this.text) as JsonObject
    return this.#record
  }
}

/** Reads a group's records over any driver: waits, keeps the claim alive, and turns `ack(upTo)` into cursors. */
export class LogConsumer implements Consumer {
  readonly #driver: Driver
  readonly #names: { stream: string; group: string; consumer: string }
  readonly #options: Required<ConsumerOptions>
  readonly #keepAlive: NodeJS.Timeout
  readonly #onClose: () => void
  #given: string[] = []
  #reading = false
  #claimed = false
  #closed = false
  #woken = false
  /** Earliest time of the next read, unless more records are known. */
  #nextAt = 0
  #wake: () => void = () => {}

  constructor(driver: Driver, stream: string, group: string, options: ConsumerOptions, onClose: () => void) {
    this.#driver = driver
    this.#names = { stream, group, consumer: crypto.randomUUID() }
    const { from = 'start', leaseMs = 30_000, pollMs = 500, gatherMs = 0 } = options
    this.#options = { from, leaseMs, pollMs, gatherMs }
    this.#onClose = onClose
    this.#keepAlive = setInterval(() => this.#renew(), this.#options.leaseMs / 3).unref()
  }

  /** Wakes the reader when there may be new records. */
  wake(): void {
    this.#woken = true
    this.#wake()
  }

  async read(max: number, signal?: AbortSignal): Promise<readonly LogRecord[]> {
    if (this.#reading) throw usage('A consumer can only read once at a time.')
    this.#reading = true
    try {
      while (!this.#closed && signal?.aborted !== true) {
        const early = this.#nextAt - performance.now()
        if (early > 0) {
          await this.#sleep(early, signal)
          continue
        }
        this.#woken = false
        const { from, leaseMs, pollMs, gatherMs } = this.#options
        const found = await this.#driver.call('read', { ...this.#names, from, max, leaseMs })
        this.#claimed = true
        if (found.length > 0) {
          this.#nextAt = found.length < max ? performance.now() + gatherMs : 0
          for (const [cursor] of found) this.#given.push(cursor)
          return found.map(([cursor, text]) => new ReadRecord(cursor, text))
        }
        if (!this.#woken) await this.#sleep(pollMs, signal)
      }
      return []
    } finally {
      this.#reading = false
    }
  }

  async ack(cursor: string): Promise<void> {
    const end = this.#given.lastIndexOf(cursor) + 1
    if (end === 0) return
    const newest = new Map<string, string>()
    for (const given of this.#given.splice(0, end)) newest.set(given.slice(0, given.lastIndexOf('/')), given)
    await this.#driver.call('ack', { ...this.#names, cursors: [...newest.values()], leaseMs: this.#options.leaseMs })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#keepAlive)
    this.#onClose()
    this.wake()
    if (this.#claimed && this.#driver.status.state !== 'closed') await this.#driver.call('leave', this.#names)
  }

  #renew(): void {
    if (!this.#claimed || this.#driver.status.state !== 'ready') return
    // The next read detects a lost claim and restarts after the acknowledged records.
    this.#driver.call('ack', { ...this.#names, cursors: [], leaseMs: this.#options.leaseMs }).catch(() => {})
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        this.#wake = () => {}
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done)
      this.#wake = done
    })
  }
}
