import type { GovernanceEvent, Log } from './plugin.ts'

/** A log that also accepts events. */
export interface EventLog extends Log {
  /** Logs an event. `trusted` events contain only the gateway's own data, and are not searched for secrets. */
  event(event: GovernanceEvent, trusted: boolean): void
}
