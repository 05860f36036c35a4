/** OTLP/JSON. Built as text: objects for each attribute would cost several times as much. */
import type { Json } from 'governed-gateway'
import { Bytes } from './bytes.ts'
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

export function jsonCodec(origin: Origin): Codec {
  const scope = `"scope":{"name":${quote(SCOPE)},"version":${quote(origin.version)}}`
  const resource = `"resource":{"attributes":[${attributes(origin.resource)}]}`
  const out = new Bytes()
  const members = new Members(out, {
    head(type, { title, level }) {
      const [severity, text] = SEVERITIES[level]
      out.text(`"severityNumber":${severity},"severityText":"${text}","eventName":${quote(PREFIX + type)},`)
      out.text(`"body":{"stringValue":${quote(title)}},"attributes":[${pairText(`${PREFIX}type`, type)}`)
    },
    member: (name, value) => out.text(`,${pairText(PREFIX + name, value)}`),
  })
  const whole = <T>(outer: string, inner: string, list: string, items: Iterable<T>, write: (item: T) => void) => {
    members.begin()
    out.text(`{"${outer}":[{${resource},"${inner}":[{${scope},"${list}":[`)
    const begun = out.at
    for (const item of items) write(item)
    if (out.at > begun) out.at--
    out.text(']}]}]}')
    return out.take()
  }
  const log = (record: LogRecord): void => {
    const { event, eventHead } = record
    const time = `${Date.parse(event.time)}000000`
    out.text(`{"timeUnixNano":"${time}","observedTimeUnixNano":"${time}",${traceText(record)}`)
    members.head(event, eventHead)
    members.write(event)
    out.text(']},')
  }
  return {
    spans: (spans) =>
      whole('resourceSpans', 'scopeSpans', 'spans', spans, (span) => out.text(`${spanText(origin, span)},`)),
    logs: (records) => whole('resourceLogs', 'scopeLogs', 'logRecords', records, log),
  }
}

const traceText = ({ root }: LogRecord): string =>
  root === undefined ? '' : `"traceId":"${root.traceId}","spanId":"${root.spanId}","flags":${root.sampled ? 1 : 0},`

function spanText(origin: Origin, span: Span): string {
  const { root, spanId, parentId, name, kind, startedAt, endedAt, error } = span
  const parent = parentId === undefined ? '' : `"parentSpanId":"${parentId}",`
  const status = error === undefined ? '{}' : `{"code":${STATUS_ERROR},"message":${quote(error)}}`
  return (
    `{"traceId":"${root.traceId}","spanId":"${spanId}",${parent}"flags":${flagsOf(span)},"name":${quote(name)},` +
    `"kind":${kind},"startTimeUnixNano":"${microseconds(origin, startedAt)}000","endTimeUnixNano":"${microseconds(origin, endedAt)}000",` +
    `"attributes":[${attributes(span.attributes)}],"status":${status}}`
  )
}

function attributes(all: Attributes): string {
  let text = ''
  for (const name in all) {
    const value = all[name]
    if (value !== undefined) text += `${text === '' ? '' : ','}${pairText(name, value)}`
  }
  return text
}

const pairText = (key: string, value: Json): string => `{"key":${quote(key)},"value":${anyValue(value)}}`

/** An integer is a string, because it may have 64 bits; an empty AnyValue is null. */
function anyValue(value: Json): string {
  if (typeof value === 'string') return `{"stringValue":${quote(value)}}`
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${JSON.stringify(value)}}`
  }
  if (typeof value === 'boolean') return `{"boolValue":${value}}`
  if (value === null) return '{}'
  if (Array.isArray(value)) return `{"arrayValue":{"values":[${value.map(anyValue).join(',')}]}}`
  return `{"kvlistValue":{"values":[${attributes(value as Attributes)}]}}`
}

const quote = (text: string): string => JSON.stringify(text)
