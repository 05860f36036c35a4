import type { GovernanceEvent, Severity } from 'governed-gateway'

export const DIGEST = 'alert.digest'

/** Why an event is in a digest instead of its own alert. */
export type Cause = 'repeat' | 'rate' | 'quiet' | 'muted' | 'unreachable' | 'undelivered'

/** One message for many events. `count` = sum of causes = sum of groups + `others`. */
export interface DigestEvent extends GovernanceEvent {
  readonly type: typeof DIGEST
  readonly severity: Severity
  readonly destination: string
  /** Time of the first of these events. */
  readonly since: string
  readonly count: number
  readonly causes: { readonly [cause: string]: number }
  /** Largest first. */
  readonly groups: DigestGroup[]
  /** Number of events in groups that are not listed. */
  readonly others: number
}

/** Events of one type, key and reason. */
export type DigestGroup = {
  readonly event_type: string
  readonly key_id: string | null
  readonly reason: string
  readonly count: number
  /** Request id of one of their exchanges. */
  readonly request_id: string | null
}
