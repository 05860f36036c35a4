/** State of one destination. Stored as JSON, so that the next sender continues with it. */
import type { GovernanceEvent, Severity } from 'governed-gateway'
import type { Cause, DigestGroup } from '../digest.ts'

export type State = {
  /** Highest `seq` handled per instance since the log's cursor moved, so that a repeated read counts once. */
  seen: { [instance: string]: number }
  /** Times when tokens were taken, Unix milliseconds. A token returns after a minute. */
  taken: number[]
  /** Time until which repeats of a group get no message, Unix milliseconds. */
  told: { [group: string]: number }
  /** Events for the next digest. */
  pending: Pending | null
  /** Time of the last digest, Unix milliseconds. */
  digestAt: number
  /** Messages to send, oldest first. */
  outbox: GovernanceEvent[]
  breaker: Breaker
}

export type Pending = {
  /** Time of the first event, Unix milliseconds. */
  since: number
  /** Times when the first and last events were added. For undelivered messages this is later than `since`. */
  opened: number
  latest: number
  severity: Severity
  count: number
  causes: { [cause in Cause]?: number }
  groups: { [group: string]: DigestGroup }
  /** Number of events in groups beyond `MAX_GROUPS`. */
  others: number
}

export type Breaker = {
  /** Consecutive failed messages. */
  failures: number
  /** How often it opened since the last success. */
  opens: number
  /** Time of the next attempt, Unix milliseconds. */
  until: number
}

/** Maximum number of separate groups; further ones count as one. */
export const MAX_GROUPS = 1_000

export const emptyState = (): State => ({
  seen: {},
  taken: [],
  told: {},
  pending: null,
  digestAt: 0,
  outbox: [],
  breaker: { failures: 0, opens: 0, until: 0 },
})
