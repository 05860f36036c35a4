import type { StoredRecord } from '../engine/storage.ts'

/** Maximum per stream, characters. */
const MOST = 1 << 20

interface Newest {
  readonly records: StoredRecord[]
  size: number
}

/** Caches the newest records of each stream, so that current readers need not query the file. */
export class Recent {
  readonly #streams = new Map<string, Newest>()

  add(stream: string, record: StoredRecord): void {
    let newest = this.#streams.get(stream)
    if (newest === undefined) {
      newest = { records: [], size: 0 }
      this.#streams.set(stream, newest)
    }
    newest.records.push(record)
    newest.size += record.text.length
    while (newest.size > MOST) newest.size -= newest.records.shift()!.text.length
  }

  /** Records with `seq` above `from`; undefined if the first of them may only be in the file. */
  after(stream: string, from: number, limit: number): StoredRecord[] | undefined {
    const records = this.#streams.get(stream)?.records
    const first = records?.[0]?.seq
    if (records === undefined || first === undefined || from + 1 < first) return undefined
    return records.slice(from + 1 - first, from + 1 - first + limit)
  }

  /** Drops a stream's cache after records were removed. */
  forget(stream: string): void {
    this.#streams.delete(stream)
  }

  clear(): void {
    this.#streams.clear()
  }
}
