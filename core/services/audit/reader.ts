import type { GovernanceEvent } from '../../engine/contract/plugin.ts'
import type { LogRecord, Store } from '../../engine/contract/store.ts'

/** A source of trail records, in pages per instance. */
export interface TrailReader {
  instances(): Promise<readonly string[]>
  page(instance: string, order: 'asc' | 'desc', after: string | undefined): Promise<readonly LogRecord[]>
  /** Records as stored, oldest first, including those that are not valid JSON. */
  raw(instance: string, after: string | undefined): Promise<readonly RawRecord[]>
}

export interface RawRecord {
  readonly cursor: string
  readonly text: string
}

/** Records per page. */
export const PAGE = 500

/** Reads the trail of a store that this process has open. */
export function storeTrail(store: Store, stream: string): TrailReader {
  return {
    async instances() {
      const { instances } = await store.stats(stream)
      return instances.map(({ instance }) => instance)
    },
    async page(instance, order, after) {
      const from = after === undefined ? {} : { after }
      return (await store.scan(stream, { instance, order, limit: PAGE, ...from })).records
    },
    async raw(instance, after) {
      return this.page(instance, 'asc', after)
    },
  }
}

/** Parses an event; undefined for any other text. */
export function eventIn(text: string): GovernanceEvent | undefined {
  try {
    const event = JSON.parse(text) as GovernanceEvent | null
    return [event?.type, event?.time, event?.severity].every((one) => typeof one === 'string') ? event! : undefined
  } catch {
    return undefined
  }
}

export interface TrailEvent {
  readonly instance: string
  /** Continue reading after this cursor. */
  readonly cursor: string
  readonly event: GovernanceEvent
}

/** Read position in each instance. */
export type Positions = Readonly<Record<string, string>>

/** One instance's records; reads at most one page ahead. */
class Lane {
  readonly #reader: TrailReader
  readonly #order: 'asc' | 'desc'
  readonly instance: string
  #after: string | undefined
  #page: readonly LogRecord[] = []
  #at = 0

  constructor(reader: TrailReader, instance: string, order: 'asc' | 'desc', after: string | undefined) {
    this.#reader = reader
    this.#order = order
    this.instance = instance
    this.#after = after
  }

  async peek(): Promise<LogRecord | undefined> {
    if (this.#at >= this.#page.length) {
      this.#page = await this.#reader.page(this.instance, this.#order, this.#after)
      this.#at = 0
    }
    return this.#page[this.#at]
  }

  take(): void {
    this.#after = this.#page[this.#at++]?.cursor
  }
}

/** The events of all instances, merged by time, starting at `positions`. */
export async function* readTrail(
  reader: TrailReader,
  order: 'asc' | 'desc',
  positions: Positions = {},
): AsyncGenerator<TrailEvent, void> {
  const lanes = (await reader.instances()).map((instance) => new Lane(reader, instance, order, positions[instance]))
  for (;;) {
    let next: { lane: Lane; record: LogRecord; time: string } | undefined
    for (const lane of lanes) {
      const record = await lane.peek()
      if (record === undefined) continue
      const time = String(record.record.time)
      if (next === undefined || (order === 'asc' ? time < next.time : time > next.time)) next = { lane, record, time }
    }
    if (next === undefined) return
    const { lane, record } = next
    lane.take()
    yield { instance: lane.instance, cursor: record.cursor, event: record.record as unknown as GovernanceEvent }
  }
}

/** All records as stored, one instance after the other. */
export async function* rawTrail(reader: TrailReader): AsyncGenerator<RawRecord, void> {
  for (const instance of await reader.instances()) {
    let after: string | undefined
    for (;;) {
      const page = await reader.raw(instance, after)
      yield* page
      const last = page.at(-1)
      if (last === undefined) break
      after = last.cursor
    }
  }
}
