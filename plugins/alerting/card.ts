import type { DescribeEvent, GovernanceEvent, Json, Severity } from 'governed-gateway'
import { DIGEST, type DigestEvent } from './digest.ts'

/** Content of a message, independent of the chat tool. Values are untrusted text. */
export interface Card {
  readonly title: string
  readonly severity: Severity
  /** What happened, in one sentence. */
  readonly reason: string
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  /** Counts of a digest, largest first. */
  readonly counts: readonly { readonly count: number; readonly what: string }[]
  /** Next steps: commands and requests to copy. */
  readonly next: readonly string[]
  /** Where and when it happened. */
  readonly context: string
}

/** Maximum lines of a digest in a message; the rest is summed up. */
const MAX_LINES = 10

export function cardOf(event: GovernanceEvent, describe: DescribeEvent): Card {
  if (event.type === DIGEST) return digestCard(event as DigestEvent)
  return {
    title: describe(event).title,
    severity: event.severity,
    reason: reasonOf(event) ?? describe(event).title,
    facts: factsOf(event),
    counts: [],
    next: nextSteps(event),
    context: contextOf(event),
  }
}

/** The reason in the event. Events contain no text of an exchange. */
function reasonOf(event: GovernanceEvent): string | undefined {
  const said = event.reason ?? event.message
  if (typeof said === 'string' && said !== '') return said
  const found = detectionsOf(event)
  if (found.length > 0) return `Found ${found.map(({ type, count }) => `${type} ×${count}`).join(', ')}`
  const known = INFORMATIVE.flatMap((name) =>
    isPlain(event[name]) ? [`${name.replace('_', ' ')} ${event[name]}`] : [],
  )
  return known.length > 0 ? known.join(', ') : undefined
}

/** Most informative members, for events without a reason. */
const INFORMATIVE = [
  'policy',
  'plugin',
  'hook',
  'flag',
  'value',
  'code',
  'error',
  'scope',
  'threshold',
  'limit',
  'count',
]

const isPlain = (value: Json | undefined): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

interface Found {
  readonly type: string
  readonly count: number
}

/** Types and counts of the detections of an event. */
export function detectionsOf(event: GovernanceEvent): Found[] {
  if (!Array.isArray(event.detections)) return []
  return event.detections.flatMap((one) => {
    const { type, count } = (one ?? {}) as Record<string, Json>
    return typeof type === 'string' && typeof count === 'number' ? [{ type, count }] : []
  })
}

function factsOf(event: GovernanceEvent): Card['facts'] {
  const found = detectionsOf(event).map(({ type, count }) => `${type} ×${count}`)
  const turn = typeof event.turn_index === 'number' ? ` · turn ${event.turn_index}` : ''
  const facts: [string, Json | undefined][] = [
    ['Event', event.type],
    ['Key', event.key_id],
    ['Model', event.model],
    ['Classification', event.classification],
    ['Session', typeof event.session_id === 'string' ? event.session_id + turn : undefined],
    ['Request', event.request_id],
    ['Policy', event.policy],
    ['Found', found.length > 0 && event.reason !== undefined ? found.join(', ') : undefined],
    ['Mode', event.mode === 'enforce' ? undefined : event.mode],
    ['Source', event.key_id === undefined ? event.source_ip : undefined],
    ['Times', event.count],
  ]
  return facts.flatMap(([name, value]) => (isPlain(value) ? [{ name, value: String(value) }] : []))
}

/** The audit query for the exchange. Values that a shell could execute are left out. */
function nextSteps(event: GovernanceEvent): string[] {
  if (event.type === 'test') return []
  const { request_id: request } = event
  if (typeof request === 'string' && request !== '') {
    const query = `GET /api/audit?request_id=${encodeURIComponent(request.slice(0, 128).toWellFormed())}`
    return isSafe(request) ? [query, `governed-gateway audit export --request-id ${request}`] : [query]
  }
  const query = `GET /api/audit?type=${encodeURIComponent(event.type.slice(0, 128).toWellFormed())}`
  return isSafe(event.time) ? [query, `governed-gateway audit export --since ${event.time}`] : [query]
}

const isSafe = (text: string): boolean => /^[A-Za-z0-9][\w.:-]{0,127}$/.test(text)

const contextOf = (event: GovernanceEvent): string =>
  [event.instance, event.time, event.id].filter((part) => typeof part === 'string').join(' · ')

function digestCard(digest: DigestEvent): Card {
  const shown = digest.groups.slice(0, MAX_LINES)
  const rest = digest.count - shown.reduce((sum, { count }) => sum + count, 0)
  const counts = shown.map(({ count, event_type, key_id, reason }) => ({
    count,
    what: [event_type, key_id, reason].filter((part) => part !== null && part !== '').join(' · '),
  }))
  if (rest > 0) counts.push({ count: rest, what: 'others' })
  const first = digest.groups.find(({ request_id }) => request_id !== null && isSafe(request_id))?.request_id
  const since = isSafe(digest.since) ? [`governed-gateway audit export --since ${digest.since}`] : []
  return {
    title: `${grouped(digest.count)} more ${digest.count === 1 ? 'alert' : 'alerts'}`,
    severity: digest.severity,
    reason: `Not sent one by one since ${digest.since}: ${causesOf(digest)}.`,
    facts: [],
    counts,
    next: [...(first === undefined || first === null ? [] : [`GET /api/audit?request_id=${first}`]), ...since],
    context: contextOf(digest),
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  repeat: 'repeats',
  rate: 'over the rate',
  quiet: 'in quiet hours',
  muted: 'while muted',
  unreachable: 'while this receiver was failing',
  undelivered: 'could not be delivered',
}

const causesOf = ({ causes }: DigestEvent): string =>
  Object.entries(causes)
    .map(([cause, count]) => `${grouped(count)} ${CAUSES[cause] ?? cause}`)
    .join(', ')

/** Formats 9999 as 9,999. */
export const grouped = (count: number): string => count.toLocaleString('en-US')
