/** OTLP in protobuf: field numbers of opentelemetry-proto 1 (trace.proto, logs.proto, common.proto). */
import type { Json } from 'governed-gateway'
import {
  type Attributes,
  type Codec,
  flagsOf,
  type LogRecord,
  microseconds,
  type Origin,
  PREFIX,
  SCOPE,
  SEVERITIES,
  type Span,
  STATUS_ERROR,
} from './codec.ts'
import { Members } from './members.ts'
import { Wire } from './wire.ts'

/** Of a request, `ResourceSpans` and `ScopeSpans`; those of logs have the same numbers. */
const REQUEST = { resources: 1 } as const
const RESOURCE = { resource: 1, scopes: 2, attributes: 1 } as const
const SCOPES = { scope: 1, items: 2, name: 1, version: 2 } as const
const SPAN = {
  ...{ traceId: 1, spanId: 2, parentId: 4, name: 5, kind: 6, start: 7, end: 8, attributes: 9 },
  ...{ status: 15, flags: 16 },
} as const
const STATUS = { message: 2, code: 3 } as const
const LOG = {
  ...{ time: 1, severity: 2, severityText: 3, body: 5, attributes: 6, flags: 8, traceId: 9, spanId: 10 },
  ...{ observed: 11, eventName: 12 },
} as const
const PAIR = { key: 1, value: 2 } as const
const VALUE = { string: 1, bool: 2, int: 3, double: 4, array: 5, pairs: 6 } as const
const LIST = { items: 1 } as const

export function protobufCodec(origin: Origin): Codec {
  const wire = new Wire()
  const members = new Members(wire, {
    head(type, { title, level }) {
      const [severity, text] = SEVERITIES[level]
      wire.whole(LOG.severity, severity)
      wire.string(LOG.severityText, text)
      wire.string(LOG.eventName, PREFIX + type)
      anyValue(wire, LOG.body, title)
      pair(wire, LOG.attributes, `${PREFIX}type`, type)
    },
    member: (name, value) => pair(wire, LOG.attributes, PREFIX + name, value),
  })
  const batch = <T>(items: Iterable<T>, write: (item: T) => void, moved: (item: T, by: number) => void): Uint8Array => {
    members.begin()
    const request = wire.begin(REQUEST.resources)
    const resource = wire.begin(RESOURCE.resource)
    attributes(wire, RESOURCE.attributes, origin.resource)
    wire.end(resource)
    const scopes = wire.begin(RESOURCE.scopes)
    const scope = wire.begin(SCOPES.scope)
    wire.string(SCOPES.name, SCOPE)
    wire.string(SCOPES.version, origin.version)
    wire.end(scope)
    for (const item of items) {
      const begun = wire.begin(SCOPES.items)
      write(item)
      moved(item, wire.end(begun))
    }
    wire.end(scopes)
    wire.end(request)
    return wire.take()
  }
  return {
    spans: (spans) =>
      batch(
        spans,
        (span) => writeSpan(wire, origin, span),
        () => {},
      ),
    logs: (records) =>
      batch(
        records,
        (record) => writeLog(wire, members, record),
        ({ event }, by) => members.moved(event.type, by),
      ),
  }
}

function writeSpan(wire: Wire, origin: Origin, span: Span): void {
  const { root, parentId, error } = span
  wire.hex(SPAN.traceId, root.traceId)
  wire.hex(SPAN.spanId, span.spanId)
  if (parentId !== undefined) wire.hex(SPAN.parentId, parentId)
  wire.string(SPAN.name, span.name)
  wire.whole(SPAN.kind, span.kind)
  time(wire, SPAN.start, microseconds(origin, span.startedAt))
  time(wire, SPAN.end, microseconds(origin, span.endedAt))
  attributes(wire, SPAN.attributes, span.attributes)
  const status = wire.begin(SPAN.status)
  if (error !== undefined) {
    wire.string(STATUS.message, error)
    wire.whole(STATUS.code, STATUS_ERROR)
  }
  wire.end(status)
  wire.fixed32(SPAN.flags, flagsOf(span))
}

function writeLog(wire: Wire, members: Members, record: LogRecord): void {
  const { event, root, eventHead } = record
  const at = Date.parse(event.time) * 1000
  time(wire, LOG.time, at)
  time(wire, LOG.observed, at)
  members.head(event, eventHead)
  members.write(event)
  if (root !== undefined) {
    wire.hex(LOG.traceId, root.traceId)
    wire.hex(LOG.spanId, root.spanId)
    wire.fixed32(LOG.flags, root.sampled ? 1 : 0)
  }
}

function time(wire: Wire, field: number, microseconds: number): void {
  const rest = microseconds % 1_000_000
  wire.nanoseconds(field, (microseconds - rest) / 1_000_000, rest * 1000)
}

function attributes(wire: Wire, field: number, all: Attributes): void {
  for (const name in all) {
    const value = all[name]
    if (value !== undefined) pair(wire, field, name, value)
  }
}

function pair(wire: Wire, field: number, key: string, value: Json): void {
  const begun = wire.begin(field)
  wire.string(PAIR.key, key)
  anyValue(wire, PAIR.value, value)
  wire.end(begun)
}

/** An empty AnyValue is null. */
function anyValue(wire: Wire, field: number, value: Json): void {
  const begun = wire.begin(field)
  if (typeof value === 'string') wire.string(VALUE.string, value)
  else if (typeof value === 'boolean') wire.whole(VALUE.bool, value ? 1 : 0)
  else if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) wire.int64(VALUE.int, value)
    else wire.double(VALUE.double, value)
  } else if (Array.isArray(value)) {
    const list = wire.begin(VALUE.array)
    for (const item of value) anyValue(wire, LIST.items, item)
    wire.end(list)
  } else if (value !== null) {
    const pairs = wire.begin(VALUE.pairs)
    attributes(wire, LIST.items, value as Attributes)
    wire.end(pairs)
  }
  wire.end(begun)
}
