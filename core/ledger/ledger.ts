import { GatewayError } from '../errors.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { GovernanceEvent, Log, Rejection, Verdict } from '../plugin.ts'
import type { JsonObject, Store } from '../store/store.ts'

/** The stream of the store that holds the audit trail. */
export const AUDIT = 'audit'

/** How long a killed process keeps what its exchanges hold, milliseconds. */
const LEASE_MS = 60_000

/**
 * The two writes of an exchange: one before the prompt leaves, one before the last byte. They carry events, when
 * somebody reads the audit log, and limits, when a plugin wants some; an exchange with neither writes nothing.
 */
export class Ledger {
  readonly #store: Store
  readonly #log: Log
  /** Events are durable. */
  audited = false

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** Before the model is called. Undefined at once when there is nothing to write. */
  begin(x: ChatExchange): Promise<Verdict | Rejection | undefined> | undefined {
    if (!this.audited && x.holds === undefined) return undefined
    return this.#begin(x)
  }

  async #begin(x: ChatExchange): Promise<Verdict | Rejection | undefined> {
    const scopes = x.holds?.requests ?? []
    const { marker, events } = this.#records(x)
    try {
      x.begun = true
      const request = { id: x.id, leaseMs: LEASE_MS, scopes, marker, stream: AUDIT, events }
      const { reservation } = await this.#store.begin(request)
      return x.holds?.answer(this.#store, reservation, (verdict) => x.wouldBlock(verdict))
    } catch (error) {
      this.#log.error({ request_id: x.id, error: nameOf(error) }, 'the store did not take the first write')
      throw new GatewayError('GW_AUDIT_UNAVAILABLE', 'The gateway could not record the request, so it was not sent.')
    }
  }

  /** Before the last byte. Undefined at once when there is nothing to write. */
  end(x: ChatExchange): Promise<void> | undefined {
    if (!this.audited && x.holds === undefined) return undefined
    return this.#end(x)
  }

  async #end(x: ChatExchange): Promise<void> {
    const used = x.holds?.used
    const { events } = this.#records(x)
    try {
      if (!x.begun) {
        const scopes = (x.holds?.requests ?? []).filter(({ key }) => (used?.[key] ?? 0) > 0)
        // Two calls, one message: they are carried out in order.
        void this.#store.begin({ id: x.id, leaseMs: LEASE_MS, scopes }).catch(() => {})
      }
      const request = { id: x.id, ...(used === undefined ? {} : { used }), stream: AUDIT, events }
      const { scopes } = await this.#store.end(request)
      x.holds?.settled(scopes)
    } catch (error) {
      this.#log.error({ request_id: x.id, error: nameOf(error) }, 'the store did not take the last write')
    }
  }

  /** An event that belongs to no exchange. */
  append(event: GovernanceEvent): void {
    if (!this.audited) return
    this.#store.append(AUDIT, [event as JsonObject]).catch((error: unknown) => {
      this.#log.error({ event_id: event.id, error: nameOf(error) }, 'the store did not take an event')
    })
  }

  #records(x: ChatExchange): { marker: JsonObject | undefined; events: readonly JsonObject[] } {
    if (!this.audited) return { marker: undefined, events: [] }
    return { marker: { request_id: x.id, key_id: x.caller.keyId }, events: x.takeRecords() as unknown as JsonObject[] }
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.message : typeof error)
