import { v7 } from 'uuid'
import type { GovernanceEvent, Json } from '../engine/contract/plugin.ts'
import { SCHEMA_VERSION } from '../engine/events/emitter.ts'

/** What a route that tests a receiver sends: an event that says so, and is in no log. */
export const testEvent = (members: { readonly instance: string; readonly [name: string]: Json }): GovernanceEvent => ({
  id: v7(),
  schema_version: SCHEMA_VERSION,
  time: new Date().toISOString(),
  type: 'test',
  severity: 'info',
  ...members,
})
