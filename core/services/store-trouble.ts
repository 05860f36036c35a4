/** Logging for users of the store: the ledger reports an outage once, instead of every user. */
import type { EventLog } from '../engine/contract/event-log.ts'
import type { Log } from '../engine/contract/plugin.ts'
import { isStoreError } from '../engine/contract/store-errors.ts'
import { Trouble } from '../engine/util/trouble.ts'

/** How long a failed call may precede the report of its outage, milliseconds. */
const AHEAD_MS = 5000

export interface OutageView {
  /** Whether an outage is known. */
  readonly down: boolean
  /** When the last outage began, on the clock of `performance`. */
  readonly downSince: number
}

/** Logs failed store calls: at most once a minute, and never during an outage. */
export class StoreTrouble {
  readonly #outage: () => OutageView
  readonly #trouble: Trouble
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(log: Log, outage: () => OutageView) {
    this.#outage = outage
    this.#trouble = new Trouble({
      log,
      begins: 'some store calls failed',
      ends: 'store calls succeed again',
    })
  }

  /** The same log, without lines that only concern the store. */
  calm(log: EventLog): EventLog {
    const unless =
      (level: 'warn' | 'error') =>
      (fields: object, message?: string): void => {
        if (!this.#takes(fields)) log[level](fields, message)
      }
    return {
      debug: (fields, message) => log.debug(fields, message),
      info: (fields, message) => log.info(fields, message),
      warn: unless('warn'),
      error: unless('error'),
      event: (event, trusted, text) => log.event(event, trusted, text),
    }
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#trouble.close()
  }

  #takes(fields: object): boolean {
    const { err } = fields as { readonly err?: unknown }
    if (!isStoreError(err, 'unavailable') && !isStoreError(err, 'full')) return false
    const noted = performance.now()
    if (this.#outage().down) return true
    // Another part may report the outage first.
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      const { down, downSince } = this.#outage()
      if (!down && downSince < noted - AHEAD_MS) this.#trouble.note({ err })
    }, AHEAD_MS).unref()
    this.#timers.add(timer)
    return true
  }
}
