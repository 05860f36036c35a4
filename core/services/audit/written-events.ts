import type { JsonObject, Store } from '../../engine/contract/store.ts'
import { TERMINAL } from '../../engine/events/catalogue/core-events.ts'
import { AUDIT } from './audit-log.ts'

/** Allows for clock differences between processes and for events older than their write. */
const MARGIN_MS = 60_000
const PAGE = 1000
/** Per chain. Beyond this limit an event may be in the log twice, with the same id. */
const MAX_PAGES = 200

/**
 * Events already in the log, for writes with unknown result. Reads the log once, back to the oldest event requested;
 * the owner must `add` its own later events.
 */
export class WrittenEvents {
  readonly #store: Store
  readonly #ids = new Set<unknown>()
  readonly #ended = new Set<unknown>()
  #since = Number.POSITIVE_INFINITY

  constructor(store: Store) {
    this.#store = store
  }

  /** The events that are missing in the log. An exchange never gets a second last event. */
  async missing(events: readonly JsonObject[]): Promise<JsonObject[]> {
    const since = events.reduce((least, { time }) => Math.min(least, Date.parse(String(time))), Date.now()) - MARGIN_MS
    if (since < this.#since) await this.#read(since)
    return events.filter(
      ({ id, type, request_id }) => !this.#ids.has(id) && !(TERMINAL.has(String(type)) && this.#ended.has(request_id)),
    )
  }

  add(events: readonly JsonObject[]): void {
    for (const { id, type, request_id } of events) {
      this.#ids.add(id)
      if (TERMINAL.has(String(type))) this.#ended.add(request_id)
    }
  }

  async #read(since: number): Promise<void> {
    const { instances } = await this.#store.stats(AUDIT)
    for (const { instance } of instances) {
      let after: string | undefined
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const page = await this.#store.scan(AUDIT, { instance, order: 'desc', limit: PAGE, ...(after && { after }) })
        this.add(page.records.map(({ record }) => record))
        after = page.next
        const oldest = page.records.at(-1)?.record.time
        if (after === undefined || Date.parse(String(oldest)) < since) break
      }
    }
    this.#since = since
  }
}
