/**
 * Decides whether an event becomes a message. Pure but for the state it is given: no clock, no store, no network.
 *
 * - The first event of a type, key and reason becomes a message; within the window, repetitions are only counted.
 * - At most `perMinute` messages leave in any minute; what is over that is counted.
 * - In quiet hours, while muted, and while the receiver fails, everything is counted.
 * - What was counted is told by one digest: half a minute after the last of it, at least one window after the digest
 *   before, and at the latest one window after the first of it.
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
  /** Messages in any minute, digests not counted. */
  readonly perMinute: number
  /** Unix milliseconds. */
  readonly mutedUntil?: number | undefined
  readonly quietHours?: QuietHours | undefined
  /** Whether blocks alert in quiet hours too. */
  readonly quietBlocks?: boolean | undefined
}

const MINUTE_MS = 60_000
/** How long nothing more must come before a digest is made. */
const SETTLE_MS = 30_000
/** Messages on their way; a receiver that is slower than our rate gets the rest in a digest. */
const MAX_OUTBOX = 60

export interface Decision {
  readonly event: GovernanceEvent
  /** `message`, or why not. */
  readonly as: 'message' | Cause
  /** The first of this cause since the last digest. */
  readonly first: boolean
}

/** Takes one event in: into the outbox, or into the count. Undefined when it was taken in before. */
export function take(state: State, event: GovernanceEvent, policy: ThrottlePolicy, now: number): Decision | undefined {
  if (isKnown(state, event)) return undefined
  const group = groupOf(event)
  const cause =
    silenced(policy, event, now) ??
    (isOpen(state.breaker, now) ? 'unreachable' : undefined) ??
    (isNoNews(state, group.id, now) ? 'repeat' : undefined) ??
    (state.outbox.length < MAX_OUTBOX && takeToken(state, policy.perMinute, now) ? undefined : 'rate')
  if (cause !== undefined) return { event, as: cause, first: hold(state, event, group, cause, now) }
  tell(state, [group.id], now + policy.windowMs, now)
  state.outbox.push(event)
  return { event, as: 'message', first: true }
}

/** When the pending digest is to be made, Unix milliseconds; undefined without one. Quiet hours are asked at that time. */
export function digestDue(
  { pending, digestAt, breaker }: State,
  { windowMs, mutedUntil = 0 }: ThrottlePolicy,
): number | undefined {
  if (pending === null) return undefined
  const settled = pending.latest + Math.min(SETTLE_MS, windowMs)
  const due = Math.min(Math.max(settled, digestAt + windowMs), pending.opened + windowMs)
  return Math.max(due, mutedUntil, breaker.until)
}

/** Puts the digest that is due into the outbox. True when there was one. */
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
  tell(state, Object.keys(state.pending.groups), now + policy.windowMs, now)
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
  // With the receiver failing, the rest would only fail one after the other.
  if (!isOpen(state.breaker, now)) return
  for (const waiting of state.outbox.splice(0)) holdUndelivered(state, waiting, now)
}

/** It was told within the window, or the next digest will tell it. */
const isNoNews = ({ told, pending }: State, group: string, now: number): boolean =>
  (told[group] ?? 0) > now || pending?.groups[group] !== undefined

function silenced(policy: ThrottlePolicy, event: GovernanceEvent, now: number): Cause | undefined {
  if (policy.mutedUntil !== undefined && now < policy.mutedUntil) return 'muted'
  if (policy.quietHours === undefined || !isQuiet(policy.quietHours, now)) return undefined
  return policy.quietBlocks === true && event.severity === 'block' ? undefined : 'quiet'
}

/** Tokens come back a minute after they were taken, so that no minute, wherever it begins, sees more than the rate. */
function takeToken(state: State, perMinute: number, now: number): boolean {
  state.taken = state.taken.filter((at) => at > now - MINUTE_MS)
  if (state.taken.length >= perMinute) return false
  state.taken.push(now)
  return true
}

function tell(state: State, groups: readonly string[], until: number, now: number): void {
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

/** At least once is what the log promises; the numbers it gives its records make it exactly once. */
function isKnown(state: State, { instance, seq }: GovernanceEvent): boolean {
  if (typeof instance !== 'string' || typeof seq !== 'number') return false
  if (seq <= (state.seen[instance] ?? 0)) return true
  state.seen[instance] = seq
  return false
}
