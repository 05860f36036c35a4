/** Encodings of exports. */
import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer'
import { JSON_TYPE } from './exporter.ts'
import type { LogRecord } from './logs.ts'
import type { Span } from './spans.ts'

export interface Codec {
  readonly contentType: string
  spans(spans: Span[]): Uint8Array
  logs(records: LogRecord[]): Uint8Array
}

const NOTHING = new Uint8Array()

export function codecOf(encoding: 'json' | 'protobuf'): Codec {
  const isJson = encoding === 'json'
  const [spans, logs] = isJson
    ? [JsonTraceSerializer, JsonLogsSerializer]
    : [ProtobufTraceSerializer, ProtobufLogsSerializer]
  return {
    contentType: isJson ? JSON_TYPE : 'application/x-protobuf',
    spans: (items) => spans.serializeRequest(items) ?? NOTHING,
    logs: (items) => logs.serializeRequest(items) ?? NOTHING,
  }
}
