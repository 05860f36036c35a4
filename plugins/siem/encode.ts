import type { GovernanceEvent } from 'governed-gateway'

export type EventFormat = 'json' | 'cef' | 'ocsf'

export interface EventSource {
  readonly source_name: string
  readonly environment: string
}

export function encode(_format: EventFormat, event: GovernanceEvent, source: EventSource): string {
  return JSON.stringify({ ...event, ...source })
}
