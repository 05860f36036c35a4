import type { GovernanceEvent } from '../../engine/contract/plugin.ts'
import { detectionsOf } from '../../engine/events/description.ts'

const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Members with a fixed place in the line, and members of no use to people. */
const PLACED: ReadonlySet<string> = new Set(
  `id schema_version time type severity instance seq prev_hash hash request_id client_request_id session_id turn_index
  key_id source_ip model upstream status mode classification output_classification reason code policy detections tokens
  cost latency_ms first_byte_ms stream rules direction anchor source_name environment`.split(/\s+/),
)

/** One event as one line for people; terminal-safe. */
export function renderEvent(event: GovernanceEvent): string {
  const route = [event.model, event.upstream].filter((part) => part !== undefined).join(' > ')
  const { tokens } = event as { tokens?: { prompt?: number; completion?: number } | null }
  const parts = [
    event.time.replace('T', ' '),
    event.severity.padEnd(9),
    event.type.padEnd(18),
    event.key_id ?? event.source_ip,
    route,
    event.status,
    event.classification,
    event.mode === 'enforce' ? undefined : event.mode,
    event.policy,
    event.reason ?? event.code,
    detectionsOf(event)
      .map(({ type, count, action }) => `${type}x${count}:${action}`)
      .join(' '),
    tokens ? `${tokens.prompt ?? 0}+${tokens.completion ?? 0} tokens` : undefined,
    typeof event.cost === 'number' ? `$${event.cost}` : undefined,
    typeof event.latency_ms === 'number' ? `${event.latency_ms} ms` : undefined,
    ...rest(event),
    event.request_id,
  ]
  const shown = parts.filter((part) => part !== undefined && part !== null && part !== '')
  return shown.join('  ').replace(UNSAFE, '?')
}

function rest(event: GovernanceEvent): string[] {
  return Object.entries(event)
    .filter(([name, value]) => !PLACED.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
}
