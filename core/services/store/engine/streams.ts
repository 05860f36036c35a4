import type { GroupStats } from '../../../engine/contract/store.ts'
import { stamp } from '../../../engine/util/canonical-json.ts'
import { type Args, GENESIS, type Result, TRIM_SLICE, type WireRecord } from '../ops.ts'
import type { LogStorage, StoredRecord } from './storage.ts'
import { type Backing, type Codec, type Entity, Table } from './table.ts'

/** Head of a stream's chain, and its totals. */
interface Chain extends Entity {
  seq: number
  hash: string
  records: number
  bytes: number
  /** Time of the newest record. Times never decrease, so that trimming by time can stop early. */
  time: number
}

interface Group extends Entity {
  /** Everything up to this number is acknowledged. */
  acked: number
  /** The claim, which does not survive a restart: reader, expiry, and read position. */
  consumer: string
  until: number
  position: number
}

const chains: Codec<Chain> = {
  encode: (c) => JSON.stringify([c.seq, c.hash, c.records, c.bytes, c.time]),
  decode(text, expires) {
    const [seq, hash, records, bytes, time] = JSON.parse(text) as [number, string, number, number, number]
    return { seq, hash, records, bytes, time, expires }
  },
}

const groups: Codec<Group> = {
  encode: (group) => String(group.acked),
  decode: (text, expires) => ({ acked: Number(text), consumer: '', until: 0, position: 0, expires }),
}

const separator = '\n'

/** Streams of one instance: a chain per stream, and the groups that read it. */
export class Streams {
  readonly chains: Table<Chain>
  readonly groups: Table<Group>
  readonly #storage: LogStorage
  readonly #instance: () => string

  constructor(backing: Backing | undefined, storage: LogStorage, instance: () => string) {
    this.chains = new Table('chain', chains, backing, true)
    this.groups = new Table('group', groups, backing, true)
    this.#storage = storage
    this.#instance = instance
  }

  append(stream: string, events: readonly string[], now: number): void {
    if (events.length === 0) return
    const chain = this.#chain(stream)
    chain.time = Math.max(chain.time, now)
    for (const event of events) {
      const text = stamp(event, this.#instance(), chain)
      this.#storage.append(stream, { seq: chain.seq, time: chain.time, text })
      chain.records += 1
      chain.bytes += text.length
    }
    this.chains.put(stream, chain)
  }

  read({ stream, group, consumer, from, max, leaseMs }: Args<'read'>, now: number): WireRecord[] {
    const name = stream + separator + group
    let reader = this.groups.get(name)
    if (reader === undefined) {
      const acked = from === 'end' ? this.#chain(stream).seq : 0
      reader = { acked, consumer, until: 0, position: acked, expires: null }
      this.groups.put(name, reader)
    }
    if (reader.consumer !== consumer) {
      if (reader.until > now) return []
      Object.assign(reader, { consumer, position: reader.acked })
    }
    reader.until = now + leaseMs
    const records = this.#storage.range(stream, reader.position, 'asc', max)
    reader.position = records.at(-1)?.seq ?? reader.position
    return records.map((record) => this.#wire(record))
  }

  ack({ stream, group, consumer, cursors, leaseMs }: Args<'ack'>, now: number): boolean {
    const name = stream + separator + group
    const reader = this.groups.get(name)
    if (reader === undefined || reader.consumer !== consumer) return false
    reader.until = now + leaseMs
    for (const cursor of cursors) reader.acked = Math.max(reader.acked, Math.min(this.#seq(cursor), reader.position))
    this.groups.put(name, reader)
    return true
  }

  leave({ stream, group, consumer }: Args<'leave'>): void {
    const reader = this.groups.get(stream + separator + group)
    if (reader?.consumer === consumer) Object.assign(reader, { consumer: '', until: 0 })
  }

  scan({ stream, instance, after, order, limit }: Args<'scan'>): Result<'scan'> {
    if (instance !== null && instance !== this.#instance()) return { records: [], more: false }
    const from = after !== null ? this.#seq(after) : order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER
    const records = this.#storage.range(stream, from, order, limit + 1)
    return { records: records.slice(0, limit).map((record) => this.#wire(record)), more: records.length > limit }
  }

  trim({ stream, before, keep, unread }: Args<'trim'>): Result<'trim'> {
    const chain = this.#chain(stream)
    const readers = this.#readers(stream)
    const newest = keep === null ? Number.MAX_SAFE_INTEGER : chain.seq - keep
    const limit = unread === 'drop' ? newest : readers.reduce((min, [, reader]) => Math.min(min, reader.acked), newest)
    const slice = this.#storage.range(stream, 0, 'asc', TRIM_SLICE + 1)
    const end = slice.findIndex((record) => record.seq > limit || (before !== null && record.time >= before))
    const removed = slice.slice(0, end < 0 ? TRIM_SLICE : Math.min(end, TRIM_SLICE))
    const more = (end < 0 ? slice.length : end) > removed.length
    const last = removed.at(-1)
    if (last === undefined) return { removed: 0, unread: {}, more: false }
    this.#storage.remove(stream, last.seq)
    chain.records -= removed.length
    for (const record of removed) chain.bytes -= record.text.length
    this.chains.put(stream, chain)
    const lost = readers.map(([name, { acked }]) => [name, removed.filter((r) => r.seq > acked).length] as const)
    return { removed: removed.length, unread: Object.fromEntries(lost.filter(([, count]) => count > 0)), more }
  }

  stats(stream: string): Result<'stats'> {
    const { seq, records, bytes } = this.#chain(stream)
    const oldest = this.#storage.range(stream, 0, 'asc', 1)[0]
    const first = oldest?.seq ?? seq + 1
    const groupStats = this.#readers(stream).map(([group, { acked }]): GroupStats => {
      const next = Math.max(acked, first - 1)
      return { group, backlog: seq - next, oldest: this.#storage.range(stream, next, 'asc', 1)[0]?.time ?? null }
    })
    const instances = seq === 0 ? [] : [{ instance: this.#instance(), records, seq }]
    return { records, bytes, oldest: oldest?.time ?? null, instances, groups: groupStats }
  }

  forget({ stream, group }: Args<'forget'>): void {
    this.groups.delete(stream + separator + group)
  }

  #chain(stream: string): Chain {
    return this.chains.get(stream) ?? { seq: 0, hash: GENESIS, records: 0, bytes: 0, time: 0, expires: null }
  }

  #readers(stream: string): [string, Group][] {
    const start = stream + separator
    const found: [string, Group][] = []
    for (const name of this.groups.keys()) {
      if (name.startsWith(start)) found.push([name.slice(start.length), this.groups.get(name)!])
    }
    return found.sort((a, b) => (a[0] < b[0] ? -1 : 1))
  }

  #wire({ seq, text }: StoredRecord): WireRecord {
    return [`${this.#instance()}/${seq}`, text]
  }

  #seq(cursor: string): number {
    const seq = Number(cursor.slice(cursor.lastIndexOf('/') + 1))
    return Number.isSafeInteger(seq) ? seq : 0
  }
}
