import type { GovernanceEvent } from '../../engine/contract/plugin.ts'
import type { EventSource } from './types.ts'

/** Our own schema: the event as in the trail, plus the members of its source. */
export function toJson(event: GovernanceEvent, { source_name, environment }: EventSource): GovernanceEvent {
  return { ...event, source_name, environment }
}

/** The same, built from the event's text. */
export function jsonOf(event: string, { source_name, environment }: EventSource): string {
  const added = `"source_name":${JSON.stringify(source_name)},"environment":${JSON.stringify(environment)}`
  return `${event.slice(0, -1)},${added}}`
}
