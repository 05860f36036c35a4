/** Collects events without their own message for the next digest. Its counts lose no event. */
import type { GovernanceEvent, Severity } from 'governed-gateway'
import { type Cause, DIGEST, type DigestEvent, type DigestGroup } from '../digest.ts'
import { type Group, groupId, groupOf } from '../throttle/group.ts'
import { MAX_GROUPS, type Pending, type State } from './state.ts'

/** Maximum number of groups in a digest. */
const LISTED = 50
const RANK: Readonly<Record<Severity, number>> = { info: 0, detection: 1, action: 2, block: 3 }

/**
 * Counts one event.
 *
 * @returns true if it is the first for this cause since the last digest
 */
export function hold(state: State, event: GovernanceEvent, group: Group, cause: Cause, now: number): boolean {
  const pending = open(state, now)
  const happened = Date.parse(event.time)
  if (happened < pending.since) pending.since = happened
  pending.severity = stronger(pending.severity, event.severity)
  pending.count += 1
  const before = pending.causes[cause] ?? 0
  pending.causes[cause] = before + 1
  const request = typeof event.request_id === 'string' ? event.request_id : null
  add(pending, group.id, {
    event_type: group.type,
    key_id: group.key,
    reason: group.reason,
    count: 1,
    request_id: request,
  })
  return before === 0
}

/** Adds an undelivered message to the next digest. */
export function holdUndelivered(state: State, message: GovernanceEvent, now: number): void {
  if (message.type !== DIGEST) {
    hold(state, message, groupOf(message), 'undelivered', now)
    return
  }
  const digest = message as DigestEvent
  const pending = open(state, now)
  pending.since = Math.min(pending.since, Date.parse(digest.since))
  pending.severity = stronger(pending.severity, digest.severity)
  pending.count += digest.count
  pending.others += digest.others
  for (const [cause, count] of Object.entries(digest.causes)) {
    pending.causes[cause as Cause] = (pending.causes[cause as Cause] ?? 0) + count
  }
  for (const group of digest.groups) {
    add(pending, groupId(group.event_type, group.key_id, group.reason), group)
  }
}

/** The digest of all pending events. */
export function digestOf(
  pending: Pending,
  destination: string,
  id: string,
  instance: string,
  now: number,
): DigestEvent {
  const groups = Object.values(pending.groups).sort((a, b) => b.count - a.count)
  const listed = groups.slice(0, LISTED)
  const unlisted = groups.slice(LISTED).reduce((sum, { count }) => sum + count, 0)
  return {
    id,
    schema_version: 1,
    time: new Date(now).toISOString(),
    type: DIGEST,
    severity: pending.severity,
    instance,
    destination,
    since: new Date(pending.since).toISOString(),
    count: pending.count,
    causes: pending.causes as Record<string, number>,
    groups: listed,
    others: pending.others + unlisted,
  }
}

function open(state: State, now: number): Pending {
  const fresh = { since: now, opened: now, latest: now, severity: 'info', count: 0 } as const
  state.pending ??= { ...fresh, causes: {}, groups: {}, others: 0 }
  state.pending.latest = now
  return state.pending
}

function add(pending: Pending, id: string, group: DigestGroup): void {
  const known = pending.groups[id]
  if (known !== undefined) pending.groups[id] = { ...known, count: known.count + group.count }
  else if (Object.keys(pending.groups).length < MAX_GROUPS) pending.groups[id] = group
  else pending.others += group.count
}

const stronger = (a: Severity, b: Severity): Severity => ((RANK[a] ?? 0) >= (RANK[b] ?? 0) ? a : b)
