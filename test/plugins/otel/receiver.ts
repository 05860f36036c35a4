/** An OTLP/HTTP receiver of JSON and protobuf, written from opentelemetry-proto (trace.proto, logs.proto, OTLP/JSON mapping). */
import assert from 'node:assert/strict'
import { startReceiver } from '../../../core/testing/receiver.ts'
import { checkJson, readProtobuf } from './protobuf.ts'

const PROTOBUF = 'application/x-protobuf'

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }
type Attributes = Readonly<Record<string, Value>>

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly start: bigint
  readonly end: bigint
  readonly status: number
  readonly attributes: Attributes
  readonly resource: Attributes
}

export interface ReceivedLog {
  readonly eventName: string
  readonly body: Value
  readonly severity: number
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Attributes
}

type Json = Record<string, unknown>

const NAMES = [
  'stringValue',
  'boolValue',
  'intValue',
  'doubleValue',
  'arrayValue',
  'kvlistValue',
  'bytesValue',
] as const

function anyValue(value: unknown): Value {
  const members = Object.entries(value as Json)
  assert.equal(members.length, 1, 'an AnyValue has one member')
  const [name, inner] = members[0] as [(typeof NAMES)[number], unknown]
  assert.ok(NAMES.includes(name), name)
  if (name === 'arrayValue') return ((inner as Json).values as unknown[]).map(anyValue)
  if (name === 'kvlistValue') return attributesOf((inner as Json).values)
  if (name === 'stringValue') assert.equal(typeof inner, 'string')
  if (name === 'boolValue') assert.equal(typeof inner, 'boolean')
  if (name === 'intValue') return Number(inner)
  return inner as Value
}

function attributesOf(list: unknown): Attributes {
  const entries = (list as { key: string; value: unknown }[]).map(({ key, value }) => {
    assert.ok(key.length > 0)
    return [key, anyValue(value)] as const
  })
  assert.equal(new Set(entries.map(([key]) => key)).size, entries.length, 'keys are unique')
  return Object.fromEntries(entries)
}

function time(value: unknown): bigint {
  assert.match(String(value), /^[1-9]\d{18}$/, 'Unix nanoseconds')
  return BigInt(value as string)
}

export function spansIn(body: unknown): ReceivedSpan[] {
  return (body as { resourceSpans: Json[] }).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const shared = attributesOf((resource as Json).attributes)
    assert.equal(typeof shared['service.name'], 'string')
    return (scopeSpans as Json[]).flatMap(({ scope, spans }) => {
      assert.equal((scope as Json).name, 'governed-gateway')
      return (spans as Json[]).map((span) => spanOf(span, shared))
    })
  })
}

function spanOf(span: Json, resource: Attributes): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind, status } = span
  assert.match(traceId as string, /^(?!0{32})[0-9a-f]{32}$/)
  assert.match(spanId as string, /^(?!0{16})[0-9a-f]{16}$/)
  if (parentSpanId !== undefined) assert.match(parentSpanId as string, /^(?!0{16})[0-9a-f]{16}$/)
  assert.ok((name as string).length > 0)
  assert.ok([1, 2, 3, 4, 5].includes(kind as number))
  const [start, end] = [time(span.startTimeUnixNano), time(span.endTimeUnixNano)]
  assert.ok(start <= end)
  const { code = 0 } = status as { code?: number }
  assert.ok([0, 1, 2].includes(code))
  return {
    ...{ traceId: traceId as string, spanId: spanId as string, parentSpanId: parentSpanId as string | undefined },
    ...{ name: name as string, kind: kind as number, start, end, status: code, resource },
    attributes: attributesOf(span.attributes),
  }
}

export function logsIn(body: unknown): ReceivedLog[] {
  return (body as { resourceLogs: Json[] }).resourceLogs.flatMap(({ resource, scopeLogs }) => {
    attributesOf((resource as Json).attributes)
    return (scopeLogs as Json[]).flatMap(({ logRecords }) =>
      (logRecords as Json[]).map((record): ReceivedLog => {
        time(record.timeUnixNano)
        time(record.observedTimeUnixNano)
        const severity = record.severityNumber as number
        assert.ok(severity >= 1 && severity <= 24)
        if (record.traceId !== undefined && record.traceId !== '')
          assert.match(record.traceId as string, /^[0-9a-f]{32}$/)
        return {
          eventName: record.eventName as string,
          body: anyValue(record.body),
          severity,
          traceId: record.traceId as string,
          spanId: record.spanId as string,
          attributes: attributesOf(record.attributes),
        }
      }),
    )
  })
}

/** Takes exports; `all` reads what came so far. */
export async function startCollector(owner: { after(fn: () => Promise<void>): void }) {
  const receiver = await startReceiver()
  owner.after(() => receiver.close())
  const { origin, host } = new URL(receiver.url)
  const bodies = (path: string) =>
    receiver.requests
      .filter((one) => one.url === path)
      .map((one) =>
        one.headers['content-type'] === PROTOBUF ? readProtobuf(path, one.body) : checkJson(path, one.json),
      )
  return {
    receiver,
    origin,
    host,
    spans: () => bodies('/v1/traces').flatMap(spansIn),
    logs: () => bodies('/v1/logs').flatMap(logsIn),
  }
}
