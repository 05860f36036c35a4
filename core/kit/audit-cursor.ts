import type { AuditConsumer } from '../engine/contract/plugin.ts'
import { type Clock, systemClock } from './deliver.ts'

/** How long events stay durable after `release`: the one that tells of a change is written after the change. */
const RELEASE_MS = 1000

/**
 * How long the group's cursor is kept once nobody wants events. Processes learn of a change one after the other, in 30 s at
 * the latest: one that drops the cursor must not meet one where they are wanted again already, and whose events are behind it.
 */
const KEEP_MS = 60_000

export interface RetireOptions {
  /** Asked when the time is over: whether there is a cursor, and still nobody who wants it. */
  isLeft(): Promise<boolean>
  readonly clock?: Pick<Clock, 'sleep'> | undefined
  /** Milliseconds, default 60,000. */
  readonly keepMs?: number | undefined
}

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

  /** Holds or releases, as settings that changed say. */
  async follow(isWanted: boolean): Promise<void> {
    if (isWanted) await this.hold()
    else this.release()
  }

  /** Nobody wants events: in the end nothing is kept for the group. True when its cursor was removed, not before the signal aborted. */
  async retire(
    signal: AbortSignal,
    { isLeft, clock = systemClock, keepMs = KEEP_MS }: RetireOptions,
  ): Promise<boolean> {
    await clock.sleep(keepMs, signal)
    if (signal.aborted || !(await isLeft()) || signal.aborted) return false
    const consumer = this.#open()
    // At once, so that nothing is written for the sake of this one.
    const closed = consumer.close()
    await consumer.forget()
    await closed
    return true
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
