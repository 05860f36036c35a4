/** Storage of the engine's streams and bounded logs: SQLite (`embedded/rows.ts`), or memory here. */
export interface StoredRecord {
  readonly seq: number
  readonly time: number
  readonly text: string
}

export interface LogStorage {
  append(stream: string, record: StoredRecord): void
  /** Records with `seq` above (asc) or below (desc) `from`, in that order. */
  range(stream: string, from: number, order: 'asc' | 'desc', limit: number): StoredRecord[]
  /** Removes records up to and including `seq`. */
  remove(stream: string, seq: number): void
  push(log: string, texts: readonly string[], cap: number): void
  /** Newest first, with numbers below `before`. */
  recent(log: string, before: number, limit: number): { number: number; text: string }[]
}

export class MemoryLogs implements LogStorage {
  readonly #streams = new Map<string, StoredRecord[]>()
  readonly #logs = new Map<string, { next: number; texts: string[] }>()

  append(stream: string, record: StoredRecord): void {
    const records = this.#streams.get(stream)
    if (records === undefined) this.#streams.set(stream, [record])
    else records.push(record)
  }

  range(stream: string, from: number, order: 'asc' | 'desc', limit: number): StoredRecord[] {
    const records = this.#streams.get(stream) ?? []
    const first = records[0]?.seq ?? 0
    if (order === 'asc') {
      const start = Math.max(0, from + 1 - first)
      return records.slice(start, start + limit)
    }
    const end = Math.min(records.length, Math.max(0, from - first))
    return records.slice(Math.max(0, end - limit), end).reverse()
  }

  remove(stream: string, seq: number): void {
    const records = this.#streams.get(stream)
    if (records === undefined || records.length === 0) return
    records.splice(0, seq + 1 - records[0]!.seq)
  }

  push(log: string, texts: readonly string[], cap: number): void {
    const kept = this.#logs.get(log) ?? { next: 0, texts: [] }
    this.#logs.set(log, kept)
    kept.texts.push(...texts)
    kept.next += texts.length
    if (kept.texts.length > cap) kept.texts.splice(0, kept.texts.length - cap)
  }

  recent(log: string, before: number, limit: number): { number: number; text: string }[] {
    const kept = this.#logs.get(log)
    if (kept === undefined) return []
    const oldest = kept.next - kept.texts.length
    const found: { number: number; text: string }[] = []
    for (let number = Math.min(before, kept.next) - 1; number >= oldest && found.length < limit; number--) {
      found.push({ number, text: kept.texts[number - oldest]! })
    }
    return found
  }
}
