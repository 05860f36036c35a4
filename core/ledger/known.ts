import { TERMINAL } from '../events.ts'
import type { JsonObject, Store } from '../store/store.ts'
import { AUDIT } from './audit-log.ts'

/** Clocks of processes differ, and an event may be older than its write. */
const MARGIN_MS = 60_000
const PAGE = 1000
/** Beyond that an event may be in the log twice, with the same id. */
const MAX_PAGES = 200

/**
 * Those of the events that are not in the log yet: for writes that may have happened although their call failed. An
 * exchange that has its last event gets no second one.
 */
export async function missingOf(store: Store, events: readonly JsonObject[]): Promise<JsonObject[]> {
  const known = new Set<unknown>()
  const ended = new Set<unknown>()
  const since = events.reduce((least, { time }) => Math.min(least, Date.parse(String(time))), Date.now()) - MARGIN_MS
  const { instances } = await store.stats(AUDIT)
  for (const { instance } of instances) {
    let after: string | undefined
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = await store.scan(AUDIT, { instance, order: 'desc', limit: PAGE, ...(after && { after }) })
      for (const { record } of page.records) {
        known.add(record.id)
        if (TERMINAL.has(String(record.type))) ended.add(record.request_id)
      }
      after = page.next
      const oldest = page.records.at(-1)?.record.time
      if (after === undefined || Date.parse(String(oldest)) < since) break
    }
  }
  return events.filter(
    ({ id, type, request_id }) => !known.has(id) && !(TERMINAL.has(String(type)) && ended.has(request_id)),
  )
}
