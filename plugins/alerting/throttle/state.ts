/** The state of one destination. It is stored as JSON, so that the next sender continues with it. */
import type { GovernanceEvent, Severity } from 'governed-gateway'
import type { Cause, DigestGroup } from '../digest.ts'

export type State = {
  /** Highest `seq` handled of each instance, until the log's cursor says so: what is read twice counts once. */
  seen: { [instance: string]: number }
  /** When each token was taken, Unix milliseconds; it comes back a minute later. */
  taken: number[]
  /** Until when a repetition of this group is not told again, Unix milliseconds. */
  told: { [group: string]: number }
  /** What waits for the next digest. */
  pending: Pending | null
  /** When the last digest was made, Unix milliseconds. */
  digestAt: number
  /** Messages on their way, oldest first. */
  outbox: GovernanceEvent[]
  breaker: Breaker
}

export type Pending = {
  /** When the first event happened, Unix milliseconds. */
  since: number
  /** When the first and the last event were put here: later than `since` for what could not be delivered. */
  opened: number
  latest: number
  severity: Severity
  count: number
  causes: { [cause in Cause]?: number }
  groups: { [group: string]: DigestGroup }
  /** Events of groups beyond `MAX_GROUPS`. */
  others: number
}

export type Breaker = {
  /** Messages that failed in a row. */
  failures: number
  /** How often it opened since the last success. */
  opens: number
  /** Nothing is sent before, Unix milliseconds. */
  until: number
}

/** Most separate groups; further ones count as one. */
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
