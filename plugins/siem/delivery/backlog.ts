import type { AuditConsumer, DescribeEvent, GovernanceEvent, Services } from 'governed-gateway'
import type { DeadLetterLog } from './dead-letter-log.ts'
import { covered, type Intake, type Item } from './intake.ts'
import type { Status, StatusBoard } from './status.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'export.dropped': { destination: string; reason: string; count: number; kept: number }
  }
}

/** Minimum time between `export.dropped` events, milliseconds. */
const REPORT_MS = 60_000
const SLICE = 500

export interface BacklogParts {
  readonly consumer: Pick<AuditConsumer, 'backlog'>
  readonly describe: DescribeEvent
  readonly overflow: DeadLetterLog
  readonly board: StatusBoard
  readonly emit: Services['emit']
  readonly most: number
}

/** Limits the queue while the receiver is unavailable, and reports every dropped event. */
export class Backlog {
  readonly #parts: BacklogParts
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(parts: BacklogParts) {
    this.#parts = parts
  }

  /**
   * Removes the oldest events from a queue that is too long. Block and terminal events go to the overflow log,
   * which is delivered first after the outage. Other events are dropped.
   *
   * @returns true if any event went to the overflow log
   */
  async dropOldest(intake: Intake, signal: AbortSignal): Promise<boolean> {
    const { events } = await this.#parts.consumer.backlog()
    let kept = 0
    for (let excess = events - this.#parts.most; excess > 0 && !signal.aborted; ) {
      const oldest = await intake.front(Math.min(excess, SLICE), signal)
      if (oldest.length === 0) break
      kept += await this.#dropOldest(oldest)
      intake.done(oldest)
      excess -= covered(oldest)
    }
    return kept > 0
  }

  async #dropOldest(items: readonly Item[]): Promise<number> {
    const open = items.filter(({ text, settled }) => text !== undefined && !settled)
    const important = open.filter(({ event }) => this.#isImportant(event))
    const time = new Date().toISOString()
    const lost = await this.#parts.overflow.push(
      important.map(({ event }) => ({ time, error: 'backlog_full', status: null, event: event as never })),
    )
    for (const item of open) item.settled = true
    this.#add({ count: open.length - important.length + lost, kept: important.length, reason: 'backlog_full' })
    // Before the acknowledgement: what a killed process dropped is reported by the next one.
    await this.#parts.board.write()
    return important.length
  }

  /** Important for audits: how each exchange ended, and every block. */
  #isImportant(event: GovernanceEvent): boolean {
    return event.severity === 'block' || this.#parts.describe(event).category === 'exchange'
  }

  dropped(count: number, reason: string): void {
    if (count > 0) this.#add({ count, kept: 0, reason })
  }

  #add({ count, kept, reason }: Status['unreported']): void {
    const { board } = this.#parts
    const before = board.status.unreported
    board.status.unreported = {
      count: before.count + count,
      kept: before.kept + kept,
      reason: count > 0 ? reason : before.reason,
    }
    board.count('dropped', count)
  }

  /** Reports events dropped since the last report; without `now`, at most once a minute. */
  report(destination: string, now = false): void {
    const { board, emit } = this.#parts
    const { count, kept, reason } = board.status.unreported
    const at = performance.now()
    if (count === 0 || (!now && at - this.#reportedAt < REPORT_MS)) return
    this.#reportedAt = at
    emit('export.dropped', { destination, reason, count, kept })
    board.status.unreported = { count: 0, kept: 0, reason: '' }
    void board.write()
  }
}
