import type { JSONSchema } from 'json-schema-to-ts'
import { LEVELS } from '../contract/labels.ts'
import { SHAPES } from '../dialects/names.ts'
import { loadProperties } from './schema-balance.ts'
import { placeProperties } from './schema-routing.ts'

const MiB = 1024 * 1024

const keyCommandSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['command'],
  description:
    'Command that prints the key, instead of key, for credentials that expire. It runs when a request needs a key, without a shell. When it fails, the last good key is used until its ttl expires; then requests get 503. Default none.',
  properties: {
    command: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      maxItems: 100,
      description: 'Program and arguments: [gcloud, auth, print-access-token]. It prints the key on stdout.',
    },
    ttl_seconds: {
      type: 'number',
      minimum: 1,
      maximum: 86400,
      default: 300,
      description:
        'How long a printed key may be used, seconds, 1 to 86400. After three quarters of that time, a request renews it in the background. Default 300.',
    },
    timeout_seconds: {
      type: 'number',
      minimum: 0.1,
      maximum: 600,
      default: 10,
      description: 'Time for one run, seconds, 0.1 to 600. Then it is killed. Default 10.',
    },
  },
} as const satisfies JSONSchema

const tlsSchema = {
  type: 'object',
  additionalProperties: false,
  description:
    'Certificates for connections to this upstream, PEM files relative to this file; new connections use them as soon as they change. Default: the authorities of Node, no client certificate.',
  properties: {
    ca_file: {
      type: 'string',
      minLength: 1,
      description: 'Authorities to trust instead of those of Node. Default none.',
    },
    cert_file: { type: 'string', minLength: 1, description: 'Client certificate with its chain. Default none.' },
    key_file: { type: 'string', minLength: 1, description: 'Private key of cert_file, not encrypted. Default none.' },
  },
} as const satisfies JSONSchema

/** One entry of `upstreams`. Times are capped at a day: a longer timer would overflow. */
export const upstreamSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    kind: {
      type: 'string',
      enum: ['openai', 'anthropic', 'azure', 'demo'],
      default: 'openai',
      description:
        'openai: speaks the APIs of OpenAI at url. anthropic: speaks the Messages API at url. azure: speaks the APIs of Azure OpenAI at url. demo: built in, answers by itself. Default openai.',
    },
    url: {
      type: 'string',
      minLength: 1,
      description:
        'Base URL, http or https, up to and with the version: https://api.openai.com/v1, https://api.anthropic.com/v1. For azure without a version: https://NAME.openai.azure.com.',
    },
    key: {
      type: 'string',
      minLength: 1,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'Sent as Authorization: Bearer, to anthropic as x-api-key, to azure as api-key. Best as a reference to the environment. Default: no such header.',
    },
    keys: {
      type: 'array',
      items: { type: 'string', minLength: 1, pattern: '^[\\x21-\\x7e]+$' },
      minItems: 2,
      maxItems: 64,
      uniqueItems: true,
      description:
        'Several keys instead of key, used in turn. A key that gets 429 pauses for its Retry-After, and the request is retried with another key. Default: none.',
    },
    key_file: {
      type: 'string',
      minLength: 1,
      description:
        'File with the key, instead of key; relative to this file. Read again when it changes, including a swapped symbolic link (Kubernetes secrets). The last good key is used while the file is missing or broken. Default none.',
    },
    key_command: keyCommandSchema,
    tls: tlsSchema,
    proxy: {
      type: 'string',
      minLength: 1,
      description:
        'Proxy to this upstream, http://[user:password@]host:port or https://…: a tunnel (CONNECT) to https urls, plain forwarding for http urls. Best as a reference to the environment. Default none; HTTP_PROXY and HTTPS_PROXY are not read.',
    },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      default: {},
      description: 'Extra request headers, such as openai-organization or anthropic-version. Default none.',
    },
    api_version: {
      type: 'string',
      pattern: '^(v1|preview|latest|20\\d\\d-[01]\\d-[0-3]\\d(-preview)?)$',
      description:
        'For azure: v1, preview or latest for its v1 API, or a date for paths with deployments, such as 2024-10-21. Default v1.',
    },
    deployments: {
      type: 'object',
      additionalProperties: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' },
      description: 'For azure: the deployment of each model. Default: the name of the model.',
    },
    shapes: {
      type: 'array',
      items: { type: 'string', enum: SHAPES },
      minItems: 1,
      uniqueItems: true,
      description:
        'APIs that this upstream serves. Default by kind: messages for anthropic; all others for openai; the same without moderations for azure; whatever it can answer for demo.',
    },
    max_classification: {
      type: 'string',
      enum: LEVELS,
      description: 'Highest label of a request this upstream may receive. Default: no limit.',
    },
    ceiling: {
      type: 'string',
      enum: ['as_received', 'after_redaction'],
      default: 'as_received',
      description:
        'The label to compare with max_classification: that of the request as received, or after redaction. Default as_received.',
    },
    connect_timeout_seconds: {
      type: 'number',
      minimum: 0.001,
      maximum: 3600,
      default: 10,
      description: 'Time to connect with TLS, seconds, 0.001 to 3600. Default 10.',
    },
    first_byte_timeout_seconds: {
      type: 'number',
      minimum: 0.001,
      maximum: 86400,
      default: 120,
      description: 'Time from the request to the first byte of the reply, seconds, 0.001 to 86400. Default 120.',
    },
    idle_timeout_seconds: {
      type: 'number',
      minimum: 0.001,
      maximum: 86400,
      default: 60,
      description: 'Longest silence within a reply, seconds, 0.001 to 86400. Default 60.',
    },
    total_timeout_seconds: {
      type: 'number',
      minimum: 0.001,
      maximum: 86400,
      default: 900,
      description: 'Longest time for a whole reply, seconds, 0.001 to 86400. Default 900.',
    },
    include_usage: {
      type: 'boolean',
      default: true,
      description:
        'Whether stream_options.include_usage may be added to a streamed request when a plugin needs the usage. Default true; false for servers that refuse it.',
    },
    forward_rate_limit_headers: {
      type: 'boolean',
      default: true,
      description: "Whether the provider's rate-limit headers reach the client, renamed. Default true.",
    },
    forward_headers: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Client request headers to forward in addition to the standard ones. Default none.',
    },
    max_response_bytes: {
      type: 'integer',
      minimum: 1024,
      maximum: 1024 * MiB,
      default: 32 * MiB,
      description: 'Largest buffered reply after decoding, bytes, 1024 to 1073741824. Default 33554432 (32 MiB).',
    },
    ...loadProperties,
    ...placeProperties,
    models: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 256 },
      default: [],
      description: 'Model ids listed by GET /v1/models for this upstream. Default none: the gateway asks the upstream.',
    },
  },
} as const satisfies JSONSchema
