/** Shared members of events, as JSON Schema. */
import { LEVELS } from '../../contract/labels.ts'

export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly [keyword: string]: unknown
}

export type Fields = Readonly<Record<string, FieldSchema>>

const text = (description: string, maxLength = 1024): FieldSchema => ({ type: 'string', maxLength, description })
const whole = (description: string): FieldSchema => ({ type: 'integer', minimum: 0, description })

/** Members of every event. */
export const ENVELOPE: Fields = {
  id: {
    type: 'string',
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    description: 'UUID version 7: the same event has the same id wherever and however often it arrives.',
  },
  schema_version: { const: 1, description: 'Of these schemas; a change that breaks readers raises it.' },
  time: {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    description: 'When it happened, ISO 8601, UTC, milliseconds.',
  },
  type: text('Name of the event.', 128),
  severity: { enum: ['info', 'detection', 'action', 'block'], description: 'Lowest first; filters are floors.' },
  instance: text('Whose chain the event is in.', 256),
}

/** Set by the store, in events that are durable. */
export const CHAIN: Fields = {
  seq: { type: 'integer', minimum: 1, description: 'Number in the chain of its instance, from 1, without gaps.' },
  prev_hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: '`hash` of the event before.' },
  hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the event without `hash`, RFC 8785.' },
}

/** Added at export. */
export const EXPORTED: Fields = {
  source_name: text('Which deployment it comes from.', 256),
  environment: text('Such as production.', 256),
}

/** Members of plugin events. */
export const DROPPED: Fields = {
  dropped_members: {
    type: 'integer',
    minimum: 1,
    description: 'Members of a plugin’s payload that its own schema does not allow; they were left out.',
  },
}

/** The exchange and its caller. */
export const EXCHANGE: Fields = {
  request_id: text('Also the `x-request-id` header of the answer.', 128),
  client_request_id: text('`x-client-request-id` of the request.', 128),
  trace_id: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'Of the request’s `traceparent`.' },
  session_id: text('Session of the key, given or derived.', 128),
  turn_index: whole('Turn of the session, from 0.'),
  key_id: text('Name of the API key, never the key.', 64),
  source_ip: text('Address of the client, behind trusted proxies.', 64),
  model: text('As the client named it.', 256),
  upstream: text('The provider that answered, or was asked last.', 256),
  mode: { enum: ['off', 'monitor', 'enforce', 'strict'], description: 'In force for this request.' },
  classification: { enum: [...LEVELS], description: 'Label of the request.' },
}

export const DETECTIONS: FieldSchema = {
  type: 'array',
  description: 'What was found: type, count and action; never the values.',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'count', 'action'],
    properties: {
      type: { type: 'string' },
      count: { type: 'integer', minimum: 1 },
      action: { enum: ['detect', 'tokenize', 'redact', 'block'] },
      direction: { enum: ['input', 'output'] },
    },
  },
}

export const DIRECTION: FieldSchema = { enum: ['input', 'output'], description: 'The request, or the reply.' }

/** Measurements at the end of an exchange. */
export const MEASURED: Fields = {
  status: { type: 'integer', minimum: 100, maximum: 599, description: 'HTTP status that the client got.' },
  action: { enum: ['allow', 'flag', 'redact', 'block'], description: 'What governance did, in one word.' },
  stream: { type: 'boolean', description: 'The client asked for a stream.' },
  output_classification: { enum: [...LEVELS], description: 'Label of the reply.' },
  rules: { type: 'array', items: { type: 'string' }, description: 'Rules that raised the label.' },
  detections: DETECTIONS,
  tokens: {
    type: 'object',
    additionalProperties: false,
    required: ['prompt', 'completion'],
    properties: { prompt: { type: 'integer', minimum: 0 }, completion: { type: 'integer', minimum: 0 } },
    description: 'As the provider counted, else as the gateway did.',
  },
  cost: {
    type: 'number',
    minimum: 0,
    description: 'What the model’s use cost, US dollars; once budget knows the price.',
  },
  latency_ms: whole('From the request to the last byte, milliseconds.'),
  first_byte_ms: whole('From the request to the first byte of the provider, milliseconds.'),
  retry_count: whole('Which retry of the client’s SDK it was.'),
  code: { type: ['string', 'null'], description: '`error.code` that the client got.' },
  reason: text('Why, for people; without content.', 4096),
  policy: text('The policy that decided.', 256),
}
