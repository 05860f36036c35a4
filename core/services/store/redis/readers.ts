import type { Args, WireRecord } from '../ops.ts'
import type { Script } from './connection.ts'
import * as decode from './decode.ts'

interface Reader {
  /** Chains of this consumer, and the id of the last record it got from each. */
  readonly held: Map<string, string>
  explored: number
}

type Found = [instance: string, from: string, records: string[]][]

/**
 * Group reading. Each chain has one reader at a time, by a lease in Redis, which keeps its order for any number of
 * nodes; Redis' own consumer groups would spread one chain over many. Readers track their own position, so a lost
 * answer loses nothing.
 */
export class Readers {
  readonly #run: (script: Script, args: object) => Promise<unknown>
  readonly #own: string
  readonly #readers = new Map<string, Reader>()

  constructor(run: (script: Script, args: object) => Promise<unknown>, instance: string) {
    this.#run = run
    this.#own = encodeURIComponent(instance)
  }

  async read(args: Args<'read'>): Promise<WireRecord[]> {
    const { consumer, leaseMs } = args
    const reader = this.#readers.get(consumer) ?? { held: new Map(), explored: Number.NEGATIVE_INFINITY }
    this.#readers.set(consumer, reader)
    // Searching for unclaimed chains takes a step per chain, so do not search on every call.
    const now = performance.now()
    const explore = now - reader.explored > leaseMs / 10
    if (explore) reader.explored = now
    const wanted = [
      [this.#own, reader.held.get(this.#own) ?? ''],
      ...[...reader.held].filter(([name]) => name !== this.#own),
    ]
    const found = (await this.#run('read', { ...args, held: wanted, explore })) as Found
    reader.held.clear()
    const records: WireRecord[] = []
    for (const [instance, from, flat] of found) {
      reader.held.set(instance, flat.at(-2) ?? from)
      for (const record of decode.records(instance, flat)) records.push(record)
    }
    return records
  }

  async ack({ cursors, ...args }: Args<'ack'>): Promise<boolean> {
    const reader = this.#readers.get(args.consumer)
    const newest = new Map([...(reader?.held.keys() ?? [])].map((instance) => [instance, '']))
    for (const cursor of cursors) {
      const slash = cursor.lastIndexOf('/')
      newest.set(cursor.slice(0, slash), cursor.slice(slash + 1))
    }
    return (await this.#run('ack', { ...args, held: [...newest] })) === 1
  }

  async leave(args: Args<'leave'>): Promise<null> {
    const reader = this.#readers.get(args.consumer)
    this.#readers.delete(args.consumer)
    if (reader !== undefined) await this.#run('leave', { ...args, held: [...reader.held.keys()] })
    return null
  }
}
