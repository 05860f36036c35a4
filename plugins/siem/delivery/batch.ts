import type { Written } from '../destinations/destination.ts'
import type { DeadLetterLog } from './dead-letter-log.ts'
import { covered, type Intake, type Item, type Limits } from './intake.ts'
import type { Sender } from './sender.ts'
import type { StatusBoard } from './status.ts'

/** A flush ends after the log was empty for this long, milliseconds. */
const QUIET_MS = 100

/** `soft` ends waiting; `hard` also aborts running attempts. */
export interface Signals {
  readonly soft: AbortSignal
  readonly hard: AbortSignal
}

const isExported = (item: Item): item is Item & Written => item.text !== undefined && !item.settled

/**
 * Delivers the oldest batch.
 *
 * @returns true if all its events are settled
 */
export async function deliverBatch(intake: Intake, sender: Sender, { soft, hard }: Signals): Promise<boolean> {
  const items = intake.peek(sender.limits)
  const exported = items.filter(isExported)
  if (exported.length > 0 && !(await sender.dispatch(exported, soft, hard))) return false
  intake.done(items)
  return true
}

/**
 * Delivers events of a dead letter log, oldest first, up to the chunk `until`.
 *
 * @returns true if none are left
 */
export async function deliverParked(
  parked: DeadLetterLog,
  sender: Sender,
  { soft, hard }: Signals,
  until?: number,
): Promise<boolean> {
  const { limits, write } = sender
  while (!soft.aborted) {
    const chunk = await parked.first(until)
    if (chunk === undefined) return true
    const written = chunk.entries.flatMap(({ event }): Written[] => {
      const text = write({ event })
      return text === undefined ? [] : [{ id: event.id, event, text, settled: false }]
    })
    for (const batch of batches(written, limits)) {
      if (!(await sender.dispatch(batch, soft, hard))) return false
    }
    await parked.remove(chunk)
  }
  return false
}

/** Splits events into batches within the limits. An event that is too large becomes its own batch. */
function batches(items: readonly Written[], { events, bytes }: Limits): Written[][] {
  const cut: Written[][] = []
  let size = 0
  for (const item of items) {
    const more = Buffer.byteLength(item.text)
    const last = cut.at(-1)
    if (last === undefined || last.length === events || size + more > bytes) {
      cut.push([item])
      size = more
    } else {
      last.push(item)
      size += more
    }
  }
  return cut
}

/** Delivers the next `left` events without waiting for more, until an attempt fails. */
export async function flush(
  intake: Intake,
  sender: Sender,
  board: StatusBoard,
  signals: Signals,
  left: number,
): Promise<void> {
  const stop = new AbortController()
  const pumping = intake.pump(AbortSignal.any([signals.soft, stop.signal]))
  try {
    for (let open = left; open > 0 && !signals.soft.aborted; ) {
      await intake.due(sender.limits, 0, AbortSignal.any([signals.soft, AbortSignal.timeout(QUIET_MS)]))
      const batch = intake.peek(sender.limits)
      if (batch.length === 0 || !(await deliverBatch(intake, sender, signals))) break
      open -= covered(batch)
    }
  } finally {
    stop.abort()
    await pumping
    await intake.close()
    sender.close()
    await board.write()
  }
}
