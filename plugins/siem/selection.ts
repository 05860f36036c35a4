import type { GovernanceEvent, Severity } from 'governed-gateway'
import type { SiemSettings } from './settings.ts'

const LADDER: Readonly<Record<Severity | 'all', number>> = { all: 0, info: 0, detection: 1, action: 2, block: 3 }

/**
 * Which events are exported: first by severity, then by type, then without those that are excluded. Undefined: all are,
 * whatever is in them.
 */
export function selector({
  severity_filter,
  event_types,
  exclude_event_types,
}: Pick<SiemSettings, 'severity_filter' | 'event_types' | 'exclude_event_types'>):
  | ((event: GovernanceEvent) => boolean)
  | undefined {
  const floor = LADDER[severity_filter]
  if (floor === 0 && event_types.length === 0 && exclude_event_types.length === 0) return undefined
  const included = event_types.length === 0 ? () => true : matcher(event_types)
  const excluded = matcher(exclude_event_types)
  return ({ severity, type }) => (LADDER[severity] ?? 0) >= floor && included(type) && !excluded(type)
}

/** A pattern is a type, or its beginning and `*`. */
function matcher(patterns: readonly string[]): (type: string) => boolean {
  const whole = new Set(patterns.filter((pattern) => !pattern.endsWith('*')))
  const beginnings = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1))
  return (type) => whole.has(type) || beginnings.some((beginning) => type.startsWith(beginning))
}
