import type { AuditConsumer, AuditLogOptions, GovernanceEvent } from '../plugin.ts'
import type { Store } from '../store/store.ts'

/** The stream of the store that holds the audit trail. */
export const AUDIT = 'audit'

/** The audit log as one group reads it. */
export function auditConsumer(store: Store, plugin: string, { group, from = 'end' }: AuditLogOptions): AuditConsumer {
  const name = group === undefined ? plugin : `${plugin}/${group}`
  const consumer = store.consumer(AUDIT, name, { from })
  return {
    async read(max, signal) {
      const records = await consumer.read(max, signal)
      return records.map(({ cursor, record }) => ({ cursor, event: record as GovernanceEvent }))
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
