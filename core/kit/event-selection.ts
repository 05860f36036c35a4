import type { GovernanceEvent, Severity } from '../engine/contract/plugin.ts'

/** Selects events. */
export interface EventSelection {
  /** Minimum severity; `all` selects every event. */
  readonly floor: Severity | 'all'
  /** Only these types or `prefix*` patterns; empty: all. */
  readonly types: readonly string[]
  /** Excluded types; they take precedence. */
  readonly except: readonly string[]
}

const LADDER: Readonly<Record<Severity | 'all', number>> = { all: 0, info: 0, detection: 1, action: 2, block: 3 }

/** Checks an event's severity, then its type. Undefined if every event is selected. */
export function eventSelector({
  floor,
  types,
  except,
}: EventSelection): ((event: GovernanceEvent) => boolean) | undefined {
  const least = LADDER[floor]
  if (least === 0 && types.length === 0 && except.length === 0) return undefined
  const included = types.length === 0 ? () => true : matcher(types)
  const excluded = matcher(except)
  return ({ severity, type }) => (LADDER[severity] ?? 0) >= least && included(type) && !excluded(type)
}

function matcher(patterns: readonly string[]): (type: string) => boolean {
  const whole = new Set(patterns.filter((pattern) => !pattern.endsWith('*')))
  const beginnings = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1))
  return (type) => whole.has(type) || beginnings.some((beginning) => type.startsWith(beginning))
}
