import type { GovernanceEvent } from '../../plugin.ts'
import { toCef } from './cef.ts'
import { toJson } from './json.ts'
import { toOcsf } from './ocsf.ts'
import type { EventFormat, EventSource } from './types.ts'

/**
 * One event as a receiver takes it: one JSON text, or one line of CEF without line end.
 *
 * @example
 * encode('cef', event, { source_name: 'gw-1', environment: 'production' })
 */
export function encode(format: EventFormat, event: GovernanceEvent, source: EventSource): string {
  if (format === 'cef') return toCef(event, source)
  return JSON.stringify(format === 'ocsf' ? toOcsf(event, source) : toJson(event, source))
}
