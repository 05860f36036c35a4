import type { EventCategory, EventDescription, EventLevel, GovernanceEvent } from '../../engine/contract/plugin.ts'
import { detectionsOf } from '../../engine/events/description.ts'
import { packageVersion } from '../../engine/util/package.ts'
import { address } from './address.ts'
import { headerText, valueText } from './cef-text.ts'
import { operationOf } from './operation.ts'
import { EventSource, FAILURES, millis, PRODUCT, text, whole, wholeOf } from './types.ts'

/** Maximum lengths, characters; from the standard. */
const MAX: Readonly<Record<string, number>> = {
  dvchost: 100,
  deviceExternalId: 255,
  externalId: 40,
  act: 63,
  outcome: 63,
  app: 31,
  cs1: 4000,
  cs2: 4000,
  cs3: 4000,
  cs4: 4000,
  cs5: 4000,
  cs6: 4000,
}
const LONGEST = 1023
/** Maximum line length in UTF-8: syslog relays cut at 8 KiB. */
const LINE_BYTES = 8000

const SEVERITIES: Readonly<Record<EventLevel, number>> = { info: 1, low: 3, medium: 5, high: 8, critical: 10 }

const CATEGORIES: Readonly<Record<EventCategory, string>> = {
  exchange: 'policy',
  access: 'audit',
  data: 'detection',
  detection: 'detection',
  change: 'audit',
  system: 'system',
}

/** Members with their own key, or of no use in a line; all others go into `msg`. */
const PLACED: ReadonlySet<string> = new Set(
  `id schema_version time type severity instance seq prev_hash hash request_id client_request_id trace_id session_id
  turn_index key_id source_ip operation model upstream status mode classification rules policy detections tokens cost latency_ms
  count`.split(/\s+/),
)

type Pairs = [key: string, value: string | undefined][]

/** One line of CEF:0, without line end. */
export function toCef(event: GovernanceEvent, source: EventSource): string {
  const shown = EventSource.describerOf(source)(event)
  const header = [
    'CEF:0',
    headerText(PRODUCT, 63),
    headerText(PRODUCT, 63),
    headerText(packageVersion(), 31),
    headerText(event.type, LONGEST) || 'event',
    headerText(shown.title, 512),
    String(SEVERITIES[shown.level]),
  ]
  const start = `${header.join('|')}|`
  const pairs = extension(event, source, shown)
  const line = start + spell(pairs)
  if (Buffer.byteLength(line) <= LINE_BYTES) return line
  return shortened(start, pairs)
}

/** Shortens a line: drops the message text first, then the list of findings, then the longest values. */
function shortened(start: string, pairs: Pairs): string {
  const byLength = pairs
    .filter(([key, value]) => value !== undefined && !ESSENTIAL.has(key) && !key.endsWith('Label'))
    .sort((a, b) => (b[1]?.length ?? 0) - (a[1]?.length ?? 0))
    .map(([key]) => key)
  const gone = new Set<string>()
  let line = start
  for (const key of ['msg', 'cs6', ...byLength]) {
    gone.add(key).add(`${key}Label`)
    line = start + spell(pairs.filter(([name]) => !gone.has(name)))
    if (Buffer.byteLength(line) <= LINE_BYTES) break
  }
  return line
}

/** Keys that every line keeps. */
const ESSENTIAL: ReadonlySet<string> = new Set(['rt', 'deviceExternalId', 'externalId', 'cat', 'act', 'outcome'])

function extension(
  event: GovernanceEvent,
  source: EventSource,
  { disposition, category, title }: EventDescription,
): Pairs {
  const time = millis(event)
  const latency = whole(event, 'latency_ms')
  const started = latency === undefined ? undefined : time - latency
  const exchange = category === 'exchange'
  return [
    ['rt', String(time)],
    ['start', started === undefined || started < 1e12 || started > time ? undefined : String(started)],
    ['dvchost', text(event, 'instance')],
    ['deviceExternalId', source.source_name],
    ['externalId', event.id],
    ['cat', CATEGORIES[category]],
    ['act', disposition === 'unauthorized' ? 'rejected' : disposition],
    ['outcome', FAILURES.has(disposition) ? 'failure' : 'success'],
    ['reason', text(event, 'reason') ?? text(event, 'code')],
    ['suid', text(event, 'key_id')],
    ...client(event),
    ['destinationServiceName', text(event, 'upstream')],
    ['app', exchange ? 'HTTP' : undefined],
    ['request', exchange ? operationOf(event).path : undefined],
    ['requestMethod', exchange ? operationOf(event).method : undefined],
    ['cnt', count(event)],
    ...labelled(event, source),
    ...own(event),
    ['msg', message(event, title)],
  ]
}

function client(event: GovernanceEvent): Pairs {
  const ip = address(text(event, 'source_ip'))
  if (ip === undefined) return [['shost', text(event, 'source_ip')]]
  if (ip.version === 4) return [['src', ip.text]]
  return [
    ['c6a2', ip.text],
    ['c6a2Label', 'Source IPv6 Address'],
  ]
}

function count(event: GovernanceEvent): string | undefined {
  const folded = whole(event, 'count')
  return folded === undefined || folded < 0 ? undefined : String(folded)
}

/** Numbered custom keys with their labels; a label without a value is omitted. */
function labelled(event: GovernanceEvent, { environment }: EventSource): Pairs {
  const tokens = (event.tokens ?? {}) as { prompt?: unknown; completion?: unknown }
  const { cost } = event
  const values: [key: string, label: string, value: string | undefined][] = [
    ['cs1', 'classification', text(event, 'classification')],
    ['cs2', 'sessionId', text(event, 'session_id')],
    ['cs3', 'model', text(event, 'model')],
    ['cs4', 'policy', text(event, 'policy') ?? rules(event)],
    ['cs5', 'environment', environment],
    ['cs6', 'detectors', detectors(event)],
    ['cn1', 'turnIndex', digits(event.turn_index)],
    ['cn2', 'promptTokens', digits(tokens.prompt)],
    ['cn3', 'completionTokens', digits(tokens.completion)],
    ['cfp1', 'costUsd', decimal(cost)],
    ['flexString1', 'requestId', text(event, 'request_id')],
    ['flexString2', 'traceId', text(event, 'trace_id')],
  ]
  return values.flatMap(([key, label, value]): Pairs => {
    const kept = value === undefined || valueText(value, MAX[key] ?? LONGEST) === '' ? undefined : label
    return [
      [key, value],
      [`${key}Label`, kept],
    ]
  })
}

const rules = ({ rules: list }: GovernanceEvent): string | undefined =>
  Array.isArray(list) && list.length > 0 ? list.map(String).join(',') : undefined

function detectors(event: GovernanceEvent): string | undefined {
  const found = detectionsOf(event).map(({ type, count: n }) => `${type}:${n}`)
  return found.length === 0 ? undefined : found.join(',')
}

const digits = (value: unknown): string | undefined => wholeOf(value)?.toString()

/** Without an exponent: not every parser reads `1e-7`. */
function decimal(value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) >= 1e15) return undefined
  return value.toFixed(9).replace(/\.?0+$/, '')
}

/** Our own keys, which receivers keep as additional data. */
function own(event: GovernanceEvent): Pairs {
  return [
    ['GovernedGatewaySeverity', event.severity],
    ['GovernedGatewayMode', text(event, 'mode')],
    ['GovernedGatewayStatus', digits(event.status)],
    ['GovernedGatewayClientRequestId', text(event, 'client_request_id')],
    ['GovernedGatewaySeq', digits(event.seq)],
    ['GovernedGatewayHash', text(event, 'hash')],
  ]
}

/** The title, and members without their own key. */
function message(event: GovernanceEvent, title: string): string {
  const rest = Object.entries(event).filter(
    ([name, value]) => !PLACED.has(name) && value !== undefined && value !== null && name !== 'reason',
  )
  if (rest.length === 0) return title
  const parts = rest.map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
  return `${title}: ${parts.join(' ')}`
}

/** Omits empty values. */
function spell(pairs: Pairs): string {
  const parts: string[] = []
  for (const [key, value] of pairs) {
    const written = value === undefined ? '' : valueText(value, MAX[key] ?? LONGEST)
    if (written !== '') parts.push(`${key}=${written}`)
  }
  return parts.join(' ')
}
