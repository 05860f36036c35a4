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
    description: 'UUID version 7. A repeated delivery has the same id.',
  },
  schema_version: { const: 1, description: 'Version of these schemas; an incompatible change raises it.' },
  time: {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    description: 'Time of the event: ISO 8601, UTC, with milliseconds.',
  },
  type: text('Event type, as listed above.', 128),
  severity: {
    enum: ['info', 'detection', 'action', 'block'],
    description: 'Lowest first. A filter selects its severity and higher ones.',
  },
  instance: text('Instance that wrote the event; each has its own chain.', 256),
}

/** Set by the store, in events that are durable. */
export const CHAIN: Fields = {
  seq: { type: 'integer', minimum: 1, description: 'Position in the chain of its instance: from 1, without gaps.' },
  prev_hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: '`hash` of the previous event.' },
  hash: {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 over the canonical JSON (RFC 8785) of the event without `hash`.',
  },
}

/** Added at export. */
export const EXPORTED: Fields = {
  source_name: text('Name of the deployment.', 256),
  environment: text('Environment of the deployment, such as `production`.', 256),
}

/** Members of plugin events. */
export const DROPPED: Fields = {
  dropped_members: {
    type: 'integer',
    minimum: 1,
    description: 'Number of payload members left out because the plugin’s schema does not allow them.',
  },
}

/** The exchange and its caller. */
export const EXCHANGE: Fields = {
  request_id: text('Same as the `x-request-id` header of the answer.', 128),
  client_request_id: text('Header `x-client-request-id` of the request.', 128),
  trace_id: {
    type: 'string',
    pattern: '^[0-9a-f]{32}$',
    description: 'Trace id from the request’s `traceparent` header.',
  },
  session_id: text('Session of the key, as the client named it or derived by the gateway.', 128),
  turn_index: whole('Number of the turn in the session, from 0.'),
  key_id: text('Name of the API key, never the key.', 64),
  source_ip: text('IP address of the client, also behind trusted proxies.', 64),
  operation: text('Method and path of the API, such as `POST /v1/chat/completions`.', 128),
  model: text('Model name that the client sent.', 256),
  upstream: text('Upstream that answered, or the last one tried.', 256),
  mode: { enum: ['off', 'monitor', 'enforce', 'strict'], description: 'Mode of this request.' },
  classification: { enum: [...LEVELS], description: 'Label of the request.' },
}

export const DETECTIONS: FieldSchema = {
  type: 'array',
  description: 'Findings by type, with count and action; never the values.',
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

export const DIRECTION: FieldSchema = {
  enum: ['input', 'output'],
  description: '`input`: the request; `output`: the reply.',
}

const TOKENS: FieldSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['prompt', 'completion'],
  properties: { prompt: { type: 'integer', minimum: 0 }, completion: { type: 'integer', minimum: 0 } },
  description: 'Tokens as counted by the provider, otherwise by the gateway.',
}

/** Measurements of a copy. */
export const MIRRORED: Fields = {
  mirror: text('Upstream that got the copy.', 256),
  mirror_model: text('Name of the model there, if the config says one.', 256),
  result: {
    enum: ['completed', 'blocked', 'failed', 'aborted'],
    description:
      '`blocked`: a policy would have blocked the reply. `failed`: no reply, or none that can be read. `aborted`: the gateway stopped.',
  },
  status: { type: 'integer', minimum: 100, maximum: 599, description: 'HTTP status of the mirror.' },
  code: { type: ['string', 'null'], description: '`error.code` that a client would have got.' },
  policy: text('Policy that would have blocked the reply.', 256),
  reason: text('Explanation for people; contains no text of the exchange.', 4096),
  stream: { type: 'boolean', description: 'True if the client asked for a stream.' },
  detections: { ...DETECTIONS, description: 'Findings in the reply by type, with count and action; never the values.' },
  output_classification: { enum: [...LEVELS], description: 'Label of the reply.' },
  tokens: TOKENS,
  cost: {
    type: 'number',
    minimum: 0,
    description: 'Cost in US dollars, if `budget` knows the price of the model.',
  },
  latency_ms: whole('Milliseconds from the copy to the end of its reply.'),
  first_byte_ms: whole('Milliseconds from the copy to the first text that could have been sent.'),
}

/** Measurements at the end of an exchange. */
export const MEASURED: Fields = {
  status: { type: 'integer', minimum: 100, maximum: 599, description: 'HTTP status sent to the client.' },
  action: {
    enum: ['allow', 'flag', 'redact', 'block', 'reject'],
    description:
      'Strongest governance action. `reject`: refused without a verdict on content, as invalid or over a limit.',
  },
  stream: { type: 'boolean', description: 'True if the client asked for a stream.' },
  output_classification: { enum: [...LEVELS], description: 'Label of the reply.' },
  rules: { type: 'array', items: { type: 'string' }, description: 'Rules that raised the label.' },
  detections: DETECTIONS,
  tokens: TOKENS,
  cost: {
    type: 'number',
    minimum: 0,
    description: 'Cost in US dollars, if `budget` knows the price of the model.',
  },
  latency_ms: whole('Milliseconds from the request to the last byte.'),
  first_byte_ms: whole('Milliseconds from the request to the provider’s first byte.'),
  attempts: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['upstream', 'result'],
      properties: { upstream: { type: 'string' }, result: { type: 'string', maxLength: 64 } },
    },
    description:
      'If the first attempt failed and another followed: each attempt in order, with the status of the upstream or an error code.',
  },
  routing: text('Why the upstreams were asked in this order: `label:RESTRICTED`, `cost`, `region:eu`.', 256),
  retry_count: whole('Number of the retry, as the client’s SDK sent it.'),
  code: { type: ['string', 'null'], description: '`error.code` sent to the client.' },
  reason: text('Explanation for people; contains no text of the exchange.', 4096),
  policy: text('Policy that decided.', 256),
  supersedes: text(
    '`id` of the `gateway_lost` event of this exchange, which was written while its process could not be reached. This event tells how the exchange ended.',
    64,
  ),
}
