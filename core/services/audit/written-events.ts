import type { JsonObject, Store } from '../../engine/contract/store.ts'
import { TERMINAL } from '../../engine/events/catalogue/core-events.ts'
import { requestTime } from '../../engine/events/emitter.ts'
import { AUDIT } from './audit-log.ts'

/** Allows for clock differences between processes and for events older than their write. */
const MARGIN_MS = 60_000
const PAGE = 1000
/** Per chain. Beyond this limit an event may be in the log twice, with the same id. */
const MAX_PAGES = 200

/** Events already in the log, for writes with unknown result. The owner must `add` its own later events. */
export class WrittenEvents {
  readonly #store: Store
  readonly #ids = new Set<unknown>()
  /** By request: the event of the sweeper that took its process for dead. */
  readonly #lost = new Map<unknown, string>()
  /** By instance: the newest event that was read. */
  readonly #read = new Map<string, number>()
  #since = Number.POSITIVE_INFINITY

  constructor(store: Store) {
    this.#store = store
  }

  /** The events that are missing in the log. The last one of an exchange that was taken for lost supersedes that event. */
  async missing(events: readonly JsonObject[]): Promise<JsonObject[]> {
    const since = Math.min(Date.now(), ...events.flatMap(timesOf)) - MARGIN_MS
    // A sweeper may write at any time.
    if (since < this.#since || events.some(isLast)) await this.#readSince(Math.min(since, this.#since))
    return events
      .filter(({ id }) => !this.#ids.has(id))
      .map((event) => {
        const supersedes = isLast(event) ? this.#lost.get(event.request_id) : undefined
        return supersedes === undefined ? event : { ...event, supersedes }
      })
  }

  add(events: readonly JsonObject[]): void {
    for (const { id, type, request_id, reason } of events) {
      this.#ids.add(id)
      if (type === 'stream.aborted' && reason === 'gateway_lost') this.#lost.set(request_id, String(id))
    }
  }

  async #readSince(since: number): Promise<void> {
    const { instances } = await this.#store.stats(AUDIT)
    const deeper = since < this.#since
    for (const { instance, seq } of instances) {
      const known = deeper ? 0 : (this.#read.get(instance) ?? 0)
      if (seq > known) await this.#readChain(instance, seq - known, since)
      this.#read.set(instance, seq)
    }
    this.#since = since
  }

  /** Reads the newest records of a chain, at most `count`, back to a time. */
  async #readChain(instance: string, count: number, since: number): Promise<void> {
    let after: string | undefined
    let left = count
    for (let pages = 0; pages < MAX_PAGES && left > 0; pages++) {
      const limit = Math.min(left, PAGE)
      const page = await this.#store.scan(AUDIT, { instance, order: 'desc', limit, ...(after && { after }) })
      this.add(page.records.map(({ record }) => record))
      after = page.next
      left -= page.records.length
      const oldest = page.records.at(-1)?.record.time
      if (after === undefined || Date.parse(String(oldest)) < since) return
    }
  }
}

const isLast = ({ type }: JsonObject): boolean => TERMINAL.has(String(type))

/** An exchange may have been taken for lost at any time since its request. */
const timesOf = (event: JsonObject): number[] =>
  [Date.parse(String(event.time)), isLast(event) ? requestTime(String(event.request_id)) : Number.NaN].filter(
    Number.isFinite,
  )
