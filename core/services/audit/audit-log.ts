import type { AuditConsumer, AuditEntry, AuditLogOptions, GovernanceEvent } from '../../engine/contract/plugin.ts'
import type { LogRecord, Store } from '../../engine/contract/store.ts'

/** Stream of the audit trail. */
export const AUDIT = 'audit'

/** Readers deliver batches; a read per record would dominate the cost. */
const GATHER_MS = 50

class Entry implements AuditEntry {
  readonly #read: LogRecord

  constructor(read: LogRecord) {
    this.#read = read
  }

  get cursor(): string {
    return this.#read.cursor
  }

  get text(): string {
    return this.#read.text
  }

  get event(): GovernanceEvent {
    return this.#read.record as GovernanceEvent
  }
}

/** Opens the audit log for one group. */
export function auditConsumer(store: Store, plugin: string, { group, from = 'end' }: AuditLogOptions): AuditConsumer {
  const name = group === undefined ? plugin : `${plugin}/${group}`
  const consumer = store.consumer(AUDIT, name, { from, gatherMs: GATHER_MS })
  return {
    async read(max, signal) {
      return (await consumer.read(max, signal)).map((record) => new Entry(record))
    },
    ack: (cursor) => consumer.ack(cursor),
    async backlog() {
      const { groups } = await store.stats(AUDIT)
      const own = groups.find((one) => one.group === name)
      return { events: own?.backlog ?? 0, oldest: own?.oldest ?? null }
    },
    forget: () => store.forget(AUDIT, name),
    close: () => consumer.close(),
  }
}

/** Registers readers; events are durable while one reads. */
export interface Readers {
  read(reader: object): void
  unread(reader: object): void
}

/** One plugin's access to the audit log. Each consumer keeps events durable until it is closed. */
export class AuditAccess {
  readonly #readers: Readers
  readonly #open = new Set<object>()

  constructor(readers: Readers) {
    this.#readers = readers
  }

  consumer(store: Store, plugin: string, options: AuditLogOptions): AuditConsumer {
    const consumer = auditConsumer(store, plugin, options)
    this.#open.add(consumer)
    this.#readers.read(consumer)
    return Object.assign({}, consumer, {
      close: () => {
        this.#leave(consumer)
        return consumer.close()
      },
    })
  }

  /** Closes what the plugin left open, so that it no longer keeps events durable. */
  release(): void {
    for (const consumer of this.#open) this.#leave(consumer)
  }

  #leave(consumer: object): void {
    this.#open.delete(consumer)
    this.#readers.unread(consumer)
  }
}
