/** How exports and alerts show events: by their declaration, else by name, severity and findings. */
import type {
  DescribeEvent,
  EventCategory,
  EventDisposition,
  EventLevel,
  GovernanceEvent,
  Json,
  PluginSpec,
} from '../contract/plugin.ts'
import { CORE_CATALOGUE, type Shown } from './catalogue/core-events.ts'

export interface Detection {
  readonly type: string
  readonly count: number
  readonly action: string
}

/** Describes events by the core's declarations, then by those of these plugins. */
export function describerOf(specs: readonly Pick<PluginSpec, 'events' | 'errors'>[]): DescribeEvent {
  const shown = new Map<string, Shown>(Object.entries({ ...CORE_CATALOGUE, ...OUTSIDE }))
  const limits = new Set<unknown>()
  for (const { events = {}, errors = {} } of specs) {
    for (const [type, spec] of Object.entries(events)) if (!shown.has(type)) shown.set(type, spec)
    for (const [code, { limit }] of Object.entries(errors)) if (limit === true) limits.add(code)
  }
  return (event) => {
    const { title, category, disposition, data, level: least } = shown.get(event.type) ?? {}
    const kind = category ?? categoryOf(event)
    // Refused for an exhausted limit, not for content.
    const done = limits.has(event.code) ? 'rejected' : (disposition ?? dispositionOf(event, kind))
    const level = levelOf(event, kind, done, least)
    return { title: title ?? titleOf(event.type), category: kind, disposition: done, level, data }
  }
}

/** Sent only to receivers, by the routes that test them. */
const OUTSIDE: Readonly<Record<string, Shown>> = { test: { title: 'Test event' } }

/** Describes the core's events by declaration, plugin events by name and severity. */
export const describeCore: DescribeEvent = describerOf([])

/** The findings of any event. */
export function detectionsOf(event: GovernanceEvent): Detection[] {
  const { detections } = event
  if (!Array.isArray(detections)) return []
  return detections.flatMap((one) => {
    const { type, count, action } = (one ?? {}) as Record<string, Json>
    if (typeof type !== 'string') return []
    return [{ type, count: typeof count === 'number' ? count : 1, action: String(action ?? 'detect') }]
  })
}

/** `response.blocked` → `Response blocked`, `api.misused` → `API misused`. */
export function titleOf(type: string): string {
  const words = type.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  if (words === '') return 'Governance event'
  const [first = ''] = words.split(' ')
  return (
    (first.length <= 3 ? first.toUpperCase() : first[0]!.toUpperCase() + first.slice(1)) + words.slice(first.length)
  )
}

function categoryOf({ type, severity }: GovernanceEvent): EventCategory {
  if (type.endsWith('.updated')) return 'change'
  return severity === 'info' && !type.endsWith('.detected') ? 'system' : 'detection'
}

function dispositionOf(event: GovernanceEvent, category: EventCategory): EventDisposition {
  const { severity } = event
  if (severity === 'block') return 'blocked'
  const found = strongest(detectionsOf(event))
  if (category === 'exchange') return found === 'redacted' ? 'redacted' : 'allowed'
  if (found !== undefined) return found
  if (severity === 'action') return 'rejected'
  return severity === 'detection' ? 'observed' : 'logged'
}

function strongest(detections: readonly Detection[]): EventDisposition | undefined {
  if (detections.length === 0) return undefined
  if (detections.some(({ action }) => action === 'block')) return 'blocked'
  return detections.some(({ action }) => action === 'redact' || action === 'tokenize') ? 'redacted' : 'observed'
}

/** This many guesses from one source in ten seconds are an attack, not a typing error. */
const GUESSING = 10

function levelOf(
  event: GovernanceEvent,
  category: EventCategory,
  disposition: EventDisposition,
  least: EventLevel | undefined,
): EventLevel {
  const { severity } = event
  if (severity === 'block') {
    return event.classification === 'RESTRICTED' || event.output_classification === 'RESTRICTED' ? 'critical' : 'high'
  }
  if (category === 'access') return typeof event.count === 'number' && event.count >= GUESSING ? 'critical' : 'medium'
  if (disposition === 'blocked') return 'high'
  if (severity === 'action') return disposition === 'redacted' ? 'low' : 'medium'
  if (severity === 'detection') return event.mode === 'monitor' ? 'medium' : (least ?? 'low')
  return category === 'change' || disposition === 'redacted' || disposition === 'error' ? 'low' : 'info'
}
