import type { GovernanceEvent, Json } from '../engine/contract/plugin.ts'
import { SCHEMA_VERSION } from '../engine/events/emitter.ts'
import { uuid } from '../engine/util/uuid.ts'

/** The event that tests a receiver. It is marked as a test and is not logged. */
export const testEvent = (members: { readonly instance: string; readonly [name: string]: Json }): GovernanceEvent => ({
  id: uuid(),
  schema_version: SCHEMA_VERSION,
  time: new Date().toISOString(),
  type: 'test',
  severity: 'info',
  ...members,
})
