import type { GovernanceEvent, Json, Log } from '../../engine/contract/plugin.ts'
import type { JsonObject, Lapsed, Store } from '../../engine/contract/store.ts'
import type { Emitter } from '../../engine/events/emitter.ts'
import { AUDIT } from './audit-log.ts'

const BATCH = 200
/** How long a sweeper claims what it found, milliseconds. */
const CLAIM_MS = 30_000

/**
 * Ends the exchanges of dead processes with `stream.aborted`, reason `gateway_lost`. Any process may do it: the store
 * assigns each exchange to one sweeper, and accepts the last events of an exchange only once.
 */
export class OrphanSweeper {
  readonly #store: Store
  readonly #log: Log
  readonly #isOpen: (id: string) => boolean

  /** `isOpen` returns whether an exchange runs in this process and must not be ended. */
  constructor(store: Store, log: Log, isOpen: (id: string) => boolean) {
    this.#store = store
    this.#log = log
    this.#isOpen = isOpen
  }

  async look(emitter: Emitter): Promise<void> {
    for (;;) {
      const found = await this.#store.lapsed(BATCH, CLAIM_MS)
      const lost = found.filter(({ id }) => !this.#isOpen(id))
      const events = await Promise.all(lost.map((one) => this.#end(one, emitter)))
      for (const event of events) if (event !== undefined) emitter.dispatch(event)
      if (lost.length > 0) this.#log.warn({ exchanges: lost.length }, 'ended exchanges of a gateway that is gone')
      if (found.length < BATCH) return
    }
  }

  async #end({ id, marker }: Lapsed, emitter: Emitter): Promise<GovernanceEvent | undefined> {
    const payload = { ...(marker as Record<string, Json>), request_id: id, reason: 'gateway_lost' }
    const event = emitter.build('stream.aborted', payload)
    const { closed } = await this.#store.end({ id, stream: AUDIT, events: [event as JsonObject] })
    return closed ? event : undefined
  }
}
