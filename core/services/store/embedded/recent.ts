import type { StoredRecord } from '../engine/storage.ts'

/** Of one stream, characters. */
const MOST = 1 << 20

interface Newest {
  readonly records: StoredRecord[]
  size: number
}

/** The newest records of each stream, as they were written: whoever reads along need not ask the file for them. */
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

  /** Records with `seq` above `from`; undefined when the first of them may be in the file only. */
  after(stream: string, from: number, limit: number): StoredRecord[] | undefined {
    const records = this.#streams.get(stream)?.records
    const first = records?.[0]?.seq
    if (records === undefined || first === undefined || from + 1 < first) return undefined
    return records.slice(from + 1 - first, from + 1 - first + limit)
  }

  /** What is removed from a stream is not read any more. */
  forget(stream: string): void {
    this.#streams.delete(stream)
  }

  clear(): void {
    this.#streams.clear()
  }
}
