/** Governance events as log records. */
import { type AnyValue, type Attributes, SeverityNumber, TraceFlags } from '@opentelemetry/api'
import type { JsonLogsSerializer } from '@opentelemetry/otlp-transformer'
import type { EventDescription, GovernanceEvent } from 'governed-gateway'
import type { Origin } from './spans.ts'
import { hrTime, type Root } from './trace.ts'

export type LogRecord = Parameters<typeof JsonLogsSerializer.serializeRequest>[0][number]

const SEVERITIES: Readonly<Record<EventDescription['level'], readonly [SeverityNumber, string]>> = {
  info: [SeverityNumber.INFO, 'INFO'],
  low: [SeverityNumber.INFO2, 'INFO2'],
  medium: [SeverityNumber.WARN, 'WARN'],
  high: [SeverityNumber.ERROR, 'ERROR'],
  critical: [SeverityNumber.ERROR3, 'ERROR3'],
}

/** Events hold no text of requests or replies, so a record holds none. */
export function logRecord(
  origin: Origin,
  event: Readonly<GovernanceEvent>,
  { title, level }: EventDescription,
  trace: Root | undefined,
): LogRecord {
  const [severityNumber, severityText] = SEVERITIES[level]
  const time = hrTime(Date.parse(event.time))
  const attributes: Record<string, unknown> = {}
  for (const name in event) {
    const value = event[name]
    if (value !== undefined && name !== 'time' && name !== 'trace_id') attributes[keyOf(name)] = value
  }
  const { traceId = event.trace_id, spanId = NO_SPAN, sampled = false } = trace ?? {}
  const { resource, instrumentationScope } = origin
  return {
    resource,
    instrumentationScope,
    hrTime: time,
    hrTimeObserved: time,
    severityNumber,
    severityText,
    eventName: keyOf(event.type),
    body: title as AnyValue,
    attributes: attributes as Attributes,
    droppedAttributesCount: 0,
    ...(typeof traceId === 'string' && {
      spanContext: { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE },
    }),
  }
}

/** Names of members and types, which are few, with the prefix. A new string for each would cost more than all else. */
const keys = new Map<string, string>()
const MOST_KEYS = 2000

function keyOf(name: string): string {
  const known = keys.get(name)
  if (known !== undefined) return known
  const key = `gateway.${name}`
  if (keys.size < MOST_KEYS) keys.set(name, key)
  return key
}

const NO_SPAN = ''
