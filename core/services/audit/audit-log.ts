import type { AuditConsumer, AuditEntry, AuditLogOptions, GovernanceEvent } from '../../engine/contract/plugin.ts'
import type { LogRecord, Store } from '../../engine/contract/store.ts'

/** The stream of the store that holds the audit trail. */
export const AUDIT = 'audit'

/** Who reads the trail delivers it by the batch; a read for every record would cost more than the rest of it. */
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

/** The audit log as one group reads it. */
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

/** What makes events durable, for as long as it reads. */
export interface Readers {
  read(reader: object): void
  unread(reader: object): void
}

/** The audit log as one plugin reads it. Each consumer makes events durable until it is closed. */
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

  /** The plugin is stopped: whatever it left open makes nothing durable any more. */
  release(): void {
    for (const consumer of this.#open) this.#leave(consumer)
  }

  #leave(consumer: object): void {
    this.#open.delete(consumer)
    this.#readers.unread(consumer)
  }
}
