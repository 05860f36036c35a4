/**
 * OTLP/HTTP in protobuf, read by the field numbers of opentelemetry-proto 1 (trace.proto, logs.proto, common.proto), with
 * a library that the plugin does not use. The result has the shape of OTLP/JSON.
 */
import assert from 'node:assert/strict'
import protobuf, { type Type } from 'protobufjs'

const { root } = protobuf.parse(`
  syntax = "proto3";
  message TraceRequest { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
    int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
    uint32 dropped_attributes_count = 10; uint32 dropped_events_count = 12; uint32 dropped_links_count = 14;
    Status status = 15; fixed32 flags = 16;
  }
  message Status { string message = 2; int32 code = 3; }
  message LogsRequest { repeated ResourceLogs resource_logs = 1; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; string schema_url = 3; }
  message ScopeLogs { Scope scope = 1; repeated LogRecord log_records = 2; string schema_url = 3; }
  message LogRecord {
    fixed64 time_unix_nano = 1; int32 severity_number = 2; string severity_text = 3; AnyValue body = 5;
    repeated KeyValue attributes = 6; uint32 dropped_attributes_count = 7; fixed32 flags = 8; bytes trace_id = 9;
    bytes span_id = 10; fixed64 observed_time_unix_nano = 11; string event_name = 12;
  }
  message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
  message Scope {
    string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4;
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
      ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
`)

const typeOf = (path: string): Type => {
  root.resolveAll()
  return root.lookupType(path === '/v1/traces' ? 'TraceRequest' : 'LogsRequest')
}

export function readProtobuf(path: string, body: Uint8Array): unknown {
  const type = typeOf(path)
  checkWire(protobuf.Reader.create(body), type, body.length)
  const message = type.decode(body)
  return asJson(type.toObject(message, { longs: String, arrays: true }))
}

/** Every field is one of the protocol, with its wire type. */
function checkWire(reader: protobuf.Reader, { name, fieldsById }: Type, end: number): void {
  while (reader.pos < end) {
    const tag = reader.uint32()
    const field = fieldsById[tag >>> 3]
    assert.ok(field !== undefined, `${name} has a field ${tag >>> 3}`)
    assert.equal(tag & 7, protobuf.types.basic[field.type as 'bool'] ?? 2, `wire type of ${name}.${field.name}`)
    if (field.resolvedType === null) reader.skipType(tag & 7)
    else checkWire(reader, field.resolvedType as Type, reader.uint32() + reader.pos)
  }
  assert.equal(reader.pos, end, `${name} ends with its last field`)
}

/** OTLP/JSON has the fields of the protocol in camel case, and no others; numbers of 64 bits are decimal texts. */
export function checkJson(path: string, body: unknown): unknown {
  checkMessage(body, typeOf(path), path)
  return body
}

function checkMessage(value: unknown, { fields }: Type, at: string): void {
  for (const [name, inner] of Object.entries(value as Record<string, unknown>)) {
    const field = fields[name]
    assert.ok(field !== undefined, `${at}.${name} is a field of the protocol`)
    assert.equal(Array.isArray(inner), field.repeated, `${at}.${name}`)
    for (const one of field.repeated ? (inner as unknown[]) : [inner]) {
      if (field.resolvedType !== null) checkMessage(one, field.resolvedType as Type, `${at}.${name}`)
      else if (/64$/.test(field.type)) assert.match(one as string, /^-?\d+$/, `${at}.${name} is a decimal text`)
      else if (/32$/.test(field.type)) assert.ok(Number.isInteger(one), `${at}.${name}`)
      else if (field.type === 'bytes') assert.match(one as string, /^([0-9a-f]{2})*$/, `${at}.${name} is hexadecimal`)
      else if (field.type !== 'double') assert.equal(typeof one, field.type === 'bool' ? 'boolean' : 'string')
    }
  }
}

/** Ids are hexadecimal in OTLP/JSON. */
function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(asJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJson(inner)]))
}
