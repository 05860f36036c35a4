/** The log of everything that uses the store: a store that is away is told once, by the ledger, and not by each of them. */
import type { EventLog } from '../engine/contract/event-log.ts'
import type { Log } from '../engine/contract/plugin.ts'
import { isStoreError } from '../engine/contract/store-errors.ts'
import { Trouble } from '../engine/util/trouble.ts'

/** How long a failed call may be known before the outage that it belongs to, milliseconds. */
const AHEAD_MS = 5000

export interface OutageView {
  /** The store is known to be away. */
  readonly down: boolean
  /** When that began last, on the clock of `performance`. */
  readonly downSince: number
}

/** Takes lines about calls that the store did not carry out: told once a minute, and not at all beside an outage. */
export class StoreTrouble {
  readonly #outage: () => OutageView
  readonly #trouble: Trouble
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(log: Log, outage: () => OutageView) {
    this.#outage = outage
    this.#trouble = new Trouble({
      log,
      begins: 'the store did not carry out some calls',
      ends: 'the store carries out all calls again',
    })
  }

  /** The same log, without what is about the store alone. */
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
      event: (event, trusted) => log.event(event, trusted),
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
    // The part that met it first need not be the one that tells of the outage.
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      const { down, downSince } = this.#outage()
      if (!down && downSince < noted - AHEAD_MS) this.#trouble.note({ err })
    }, AHEAD_MS).unref()
    this.#timers.add(timer)
    return true
  }
}
