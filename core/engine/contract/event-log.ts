import type { GovernanceEvent, Log } from './plugin.ts'

/** A log that also takes events. */
export interface EventLog extends Log {
  /** A line for an event. `trusted` events hold what the gateway itself put in, and need no search for secrets. */
  event(event: GovernanceEvent, trusted: boolean): void
}
