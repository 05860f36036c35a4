import type { AuditConsumer } from '../engine/contract/plugin.ts'
import { type Clock, systemClock } from './deliver.ts'

/** How long events stay durable after `release`: the event about a change is written after the change. */
const RELEASE_MS = 1000

/**
 * How long to keep the group's cursor while no process wants events. Processes learn of a change at different times, up
 * to 30 s apart. Dropping the cursor earlier could lose events of a process that wants them again.
 */
const KEEP_MS = 60_000

interface RetireOptions {
  /** Called after the delay: whether there is a cursor that is still unwanted. */
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

  /** @param open opens a consumer of the reader's group, starting at the end */
  constructor(open: () => AuditConsumer) {
    this.#open = open
  }

  /** The group's consumer, while events are durable. Do not read from it. */
  get consumer(): AuditConsumer | undefined {
    return this.#consumer
  }

  /** Makes events durable from here on; the first of them follows the group's cursor. */
  async hold(): Promise<void> {
    clearTimeout(this.#releasing)
    this.#releasing = undefined
    if (this.#consumer !== undefined) return
    this.#consumer = this.#open()
    const once = this.#open()
    const stop = new AbortController()
    // A read that does not wait creates the cursor; records it returns are delivered again.
    const made = once.read(1, stop.signal)
    stop.abort()
    await made.finally(() => once.close())
  }

  /** Holds or releases, according to changed settings. */
  async follow(isWanted: boolean): Promise<void> {
    if (isWanted) await this.hold()
    else this.release()
  }

  /** After a delay, drops the group's cursor unless events are wanted again. Returns true if the cursor was removed. */
  async retire(
    signal: AbortSignal,
    { isLeft, clock = systemClock, keepMs = KEEP_MS }: RetireOptions,
  ): Promise<boolean> {
    await clock.sleep(keepMs, signal)
    if (signal.aborted || !(await isLeft()) || signal.aborted) return false
    const consumer = this.#open()
    // Close at once, so that nothing is written for this consumer.
    const closed = consumer.close()
    await consumer.forget()
    await closed
    return true
  }

  /** Ends durability after a second, unless `hold` is called first. */
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
