/**
 * Decides whether an event becomes a message. Changes only the given state: no clock, store or network.
 *
 * - The first event of a type, key and reason becomes a message. Within the window, repeats are only counted, and the last of
 * them begins it again.
 * - At most `perMinute` messages leave in any minute. Further events are counted.
 * - In quiet hours, while muted, and while the receiver fails, all events are counted.
 * - One digest reports all counted events: half a minute after the last one, at least one window after the previous
 * digest, and at most one window after the first event.
 */
import type { GovernanceEvent } from 'governed-gateway'
import type { Cause } from '../digest.ts'
import { isOpen } from '../throttle/breaker.ts'
import { groupOf } from './group.ts'
import { digestOf, hold, holdUndelivered } from './pending.ts'
import { isQuiet, type QuietHours } from './quiet.ts'
import { MAX_GROUPS, type State } from './state.ts'

export interface ThrottlePolicy {
  /** How long repeats do not alert, milliseconds. */
  readonly windowMs: number
  /** Maximum messages in any minute, without digests. */
  readonly perMinute: number
  /** Unix milliseconds. */
  readonly mutedUntil?: number | undefined
  readonly quietHours?: QuietHours | undefined
  /** Whether blocks alert in quiet hours too. */
  readonly quietBlocks?: boolean | undefined
}

const MINUTE_MS = 60_000
/** A digest waits until no event came for this long, milliseconds. */
const SETTLE_MS = 30_000
/** Maximum number of messages to send. If the receiver is slower than the rate, further events go into a digest. */
const MAX_OUTBOX = 60

export interface Decision {
  readonly event: GovernanceEvent
  /** `message`, or the reason why not. */
  readonly as: 'message' | Cause
  /** Whether it is the first of this cause since the last digest. */
  readonly first: boolean
}

/** Adds an event to the outbox or to the counts; undefined if it was added before. */
export function take(state: State, event: GovernanceEvent, policy: ThrottlePolicy, now: number): Decision | undefined {
  if (isKnown(state, event)) return undefined
  const group = groupOf(event)
  const cause =
    silenced(policy, event, now) ??
    (isOpen(state.breaker, now) ? 'unreachable' : undefined) ??
    (isReported(state, group.id, now) ? 'repeat' : undefined) ??
    (state.outbox.length < MAX_OUTBOX && takeToken(state, policy.perMinute, now) ? undefined : 'rate')
  if (cause !== undefined) return { event, as: cause, first: hold(state, event, group, cause, now) }
  markReported(state, [group.id], now + policy.windowMs, now)
  state.outbox.push(event)
  return { event, as: 'message', first: true }
}

/** When the pending digest is due, Unix milliseconds; undefined without one. Does not consider quiet hours. */
export function digestDue(
  { pending, digestAt, breaker }: State,
  { windowMs, mutedUntil = 0 }: ThrottlePolicy,
): number | undefined {
  if (pending === null) return undefined
  const settled = pending.latest + Math.min(SETTLE_MS, windowMs)
  const due = Math.min(Math.max(settled, digestAt + windowMs), pending.opened + windowMs)
  return Math.max(due, mutedUntil, breaker.until)
}

/**
 * Moves the digest to the outbox if it is due.
 *
 * @returns true if it was
 */
export function flush(
  state: State,
  policy: ThrottlePolicy,
  now: number,
  make: { readonly id: () => string; readonly destination: string; readonly instance: string },
): boolean {
  const due = digestDue(state, policy)
  if (due === undefined || due > now || state.pending === null) return false
  if (policy.quietHours !== undefined && isQuiet(policy.quietHours, now)) return false
  const digest = digestOf(state.pending, make.destination, make.id(), make.instance, now)
  // From the events on, not from the digest: what happens after a night or an outage is news. What is read late is not.
  const until = Math.max(state.pending.latest + policy.windowMs, now + Math.min(SETTLE_MS, policy.windowMs))
  markReported(state, Object.keys(state.pending.groups), until, now)
  state.pending = null
  state.digestAt = now
  state.outbox.push(digest)
  return true
}

/** Removes a message from the outbox. The next digest reports it if it was not delivered. */
export function settle(state: State, id: string, delivered: boolean, now: number): void {
  const at = state.outbox.findIndex((message) => message.id === id)
  if (at < 0) return
  const [message] = state.outbox.splice(at, 1) as [GovernanceEvent]
  if (delivered) return
  holdUndelivered(state, message, now)
  // While the receiver fails, the other messages would fail, too.
  if (!isOpen(state.breaker, now)) return
  for (const waiting of state.outbox.splice(0)) holdUndelivered(state, waiting, now)
}

/** Whether a message within the window, or the next digest, reports the group. */
const isReported = ({ told, pending }: State, group: string, now: number): boolean =>
  (told[group] ?? 0) > now || pending?.groups[group] !== undefined

function silenced(policy: ThrottlePolicy, event: GovernanceEvent, now: number): Cause | undefined {
  if (policy.mutedUntil !== undefined && now < policy.mutedUntil) return 'muted'
  if (policy.quietHours === undefined || !isQuiet(policy.quietHours, now)) return undefined
  return policy.quietBlocks === true && event.severity === 'block' ? undefined : 'quiet'
}

/** Tokens return a minute after they were taken, so no minute, whenever it begins, exceeds the rate. */
function takeToken(state: State, perMinute: number, now: number): boolean {
  state.taken = state.taken.filter((at) => at > now - MINUTE_MS)
  if (state.taken.length >= perMinute) return false
  state.taken.push(now)
  return true
}

function markReported(state: State, groups: readonly string[], until: number, now: number): void {
  let known = Object.keys(state.told).length
  if (known + groups.length > MAX_GROUPS) {
    state.told = Object.fromEntries(Object.entries(state.told).filter(([, at]) => at > now))
    known = Object.keys(state.told).length
  }
  for (const id of groups) {
    if (state.told[id] === undefined && ++known > MAX_GROUPS) continue
    state.told[id] = until
  }
}

/** The log delivers at least once; its sequence numbers make it exactly once. */
function isKnown(state: State, { instance, seq }: GovernanceEvent): boolean {
  if (typeof instance !== 'string' || typeof seq !== 'number') return false
  if (seq <= (state.seen[instance] ?? 0)) return true
  state.seen[instance] = seq
  return false
}
