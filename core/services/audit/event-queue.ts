import type { Log } from '../../engine/contract/plugin.ts'
import type { JsonObject } from '../../engine/contract/store.ts'
import type { Writer } from './writer.ts'

const BATCH = 500
/** Maximum number of waiting events. Further events are lost but counted, since emitters are unbounded. */
const MAX_WAITING = 20_000

/** Events outside of exchanges: written in order, in batches, and asynchronously. */
export class EventQueue {
  readonly #writer: Writer
  readonly #log: Log
  #queue: JsonObject[] = []
  #writing: Promise<void> | undefined = undefined
  #dropped = 0

  constructor(writer: Writer, log: Log) {
    this.#writer = writer
    this.#log = log
  }

  add(event: JsonObject): void {
    if (this.#queue.length >= MAX_WAITING) {
      this.#dropped++
      return
    }
    this.#queue.push(event)
    this.#writing ??= this.#write()
  }

  /** Settles when all events so far are in the log or the write-ahead queue. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  async #write(): Promise<void> {
    // Batches events of the same turn.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, BATCH)
      await this.#writer.append(batch)
      this.#queue.splice(0, batch.length)
      if (this.#dropped > 0) this.#log.error({ events: this.#dropped }, 'events were lost: the queue was full')
      this.#dropped = 0
    }
    this.#writing = undefined
  }
}
