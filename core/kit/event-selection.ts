import type { GovernanceEvent, Severity } from '../engine/contract/plugin.ts'

/** Which events somebody wants. */
export interface EventSelection {
  /** The least severe; `all` is every one. */
  readonly floor: Severity | 'all'
  /** Of these, only these types, or beginnings and `*`; empty: all. */
  readonly types: readonly string[]
  /** Never these; they win. */
  readonly except: readonly string[]
}

const LADDER: Readonly<Record<Severity | 'all', number>> = { all: 0, info: 0, detection: 1, action: 2, block: 3 }

/** Asks an event's severity, then its type. Undefined where every event is wanted, whatever is in it. */
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
