import type { GovernanceEvent } from '../../engine/contract/plugin.ts'
import { toCef } from './cef.ts'
import { jsonOf, toJson } from './json.ts'
import { toOcsf } from './ocsf.ts'
import type { EventFormat, EventSource, RecordedEvent } from './types.ts'

/**
 * Encodes one event for a receiver: a JSON text, or a line of CEF without line end.
 *
 * @example
 * encode('cef', event, eventSource({ source_name: 'gw-1', environment: 'production' }))
 */
export function encode(format: EventFormat, event: GovernanceEvent, source: EventSource): string {
  if (format === 'cef') return toCef(event, source)
  return JSON.stringify(format === 'ocsf' ? toOcsf(event, source) : toJson(event, source))
}

/**
 * Encodes an event read from the log: `json` uses its text without parsing it.
 *
 * @example
 * for (const entry of await consumer.read(100, signal)) send(encodeRecorded('json', entry, source))
 */
export function encodeRecorded(format: EventFormat, recorded: RecordedEvent, source: EventSource): string {
  if (format === 'json' && recorded.text !== undefined) return jsonOf(recorded.text, source)
  return encode(format, recorded.event, source)
}
