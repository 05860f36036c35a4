import type { EventText, GovernanceEvent, Log } from './basics.ts'

/** A log that also accepts events. */
export interface EventLog extends Log {
  /** Logs an event. `trusted` events contain only the gateway's own data, and are not searched for secrets. */
  event(event: GovernanceEvent, trusted: boolean, text?: EventText): void
}
