import type { AuditConsumer } from '../engine/contract/plugin.ts'

/** How long events stay durable after `release`: the one that tells of a change is written after the change. */
const RELEASE_MS = 1000

/**
 * Makes the events of this process durable without reading them, for plugins whose reader runs in one process only.
 *
 * @example
 * const cursor = new AuditCursor(services.auditLog)
 * await cursor.hold() // in every process, before it serves
 */
export class AuditCursor {
  readonly #open: () => AuditConsumer
  #consumer: AuditConsumer | undefined
  #releasing: NodeJS.Timeout | undefined

  /** @param open gives a consumer of the group that the reader reads, from its end */
  constructor(open: () => AuditConsumer) {
    this.#open = open
  }

  /** Of the group, while events are durable. Not to be read. */
  get consumer(): AuditConsumer | undefined {
    return this.#consumer
  }

  /** From here on events are durable, and the first of them is behind the group's cursor. */
  async hold(): Promise<void> {
    clearTimeout(this.#releasing)
    this.#releasing = undefined
    if (this.#consumer !== undefined) return
    this.#consumer = this.#open()
    const once = this.#open()
    const stop = new AbortController()
    // A read that waits for nothing: it makes the cursor, and what it may find comes again.
    const made = once.read(1, stop.signal)
    stop.abort()
    await made.finally(() => once.close())
  }

  /** Events need not be durable any more, unless `hold` follows within a second. */
  release(): void {
    this.#releasing ??= setTimeout(() => void this.close().catch(() => {}), RELEASE_MS).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#releasing)
    this.#releasing = undefined
    const consumer = this.#consumer
    this.#consumer = undefined
    await consumer?.close()
  }
}
