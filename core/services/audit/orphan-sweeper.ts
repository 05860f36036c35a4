import { randomInt } from 'node:crypto'
import type { GovernanceEvent, Json, Log } from '../../engine/contract/plugin.ts'
import type { JsonObject, Lapsed, Store } from '../../engine/contract/store.ts'
import type { Emitter } from '../../engine/events/emitter.ts'
import { isOtherRunning } from '../../engine/util/process-life.ts'
import { AUDIT } from './audit-log.ts'

const BATCH = 200
/** How long a sweeper claims what it found, milliseconds: at random, so that each process gets its turn. */
const claimMs = (): number => randomInt(10_000, 30_000)

/**
 * Ends the exchanges of dead processes with `stream.aborted`, reason `gateway_lost`. Any process may do it: the store
 * assigns each exchange to one sweeper. If the owner lives after all, unreachable on another machine, its last event
 * supersedes that one.
 */
export class OrphanSweeper {
  readonly #store: Store
  readonly #log: Log
  readonly #isOpen: (id: string) => boolean
  readonly #areAwaited: () => Promise<boolean>

  /**
   * @param isOpen whether an exchange runs in this process and must not be ended
   * @param areAwaited whether last events wait in files of this machine
   */
  constructor(store: Store, log: Log, isOpen: (id: string) => boolean, areAwaited = async () => false) {
    this.#store = store
    this.#log = log
    this.#isOpen = isOpen
    this.#areAwaited = areAwaited
  }

  async look(emitter: Emitter): Promise<void> {
    for (;;) {
      const found = await this.#store.lapsed(BATCH, claimMs())
      const lost = found.filter(({ id, marker }) => !this.#isOpen(id) && !isOtherRunning(String(marker.process)))
      // After the owners: they write such files before they end.
      if (lost.length > 0 && (await this.#areAwaited())) return
      const events = await Promise.all(lost.map((one) => this.#end(one, emitter)))
      for (const event of events) if (event !== undefined) emitter.dispatch(event)
      if (lost.length > 0) this.#log.warn({ exchanges: lost.length }, 'ended exchanges of a gateway that is gone')
      if (found.length < BATCH) return
    }
  }

  async #end({ id, marker }: Lapsed, emitter: Emitter): Promise<GovernanceEvent | undefined> {
    const { process: _, ...subject } = marker as Record<string, Json>
    const payload = { ...subject, request_id: id, reason: 'gateway_lost' }
    const event = emitter.build('stream.aborted', payload)
    const { closed } = await this.#store.end({ id, stream: AUDIT, events: [event as JsonObject] })
    return closed ? event : undefined
  }
}
