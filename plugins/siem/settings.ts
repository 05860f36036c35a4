import type { FromSchema } from 'json-schema-to-ts'
import { DESTINATIONS } from './destinations/names.ts'

/** No control characters, because it becomes a header. */
const TOKEN = '^[\\x20-\\x7e]*$'
/** A field of every event. Some formats allow no line breaks, some no blanks around a value. */
const LABEL = '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$'
const EVENT_TYPES = '^(\\*|[a-z][a-z0-9_.]*\\*?)$'

/** Fields of `PUT /api/settings/siem`, which operators change at runtime. */
export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: {
      type: 'boolean',
      description: 'Exports events. SERVICE_SIEM_URL implies it. Default false.',
      default: false,
    },
    destination: {
      type: 'string',
      description: 'Kind of receiver. Default webhook.',
      enum: DESTINATIONS,
      default: 'webhook',
    },
    url: {
      type: 'string',
      description:
        'The receiver: http or https; for syslog tcp or tls. Not read back with user info, a query or a token in its path. SERVICE_SIEM_URL.',
      minLength: 1,
      maxLength: 2048,
    },
    auth_token: {
      type: 'string',
      description: 'Shared secret of the receiver, printable ASCII; never read back. SERVICE_SIEM_AUTH_TOKEN.',
      minLength: 1,
      maxLength: 4096,
      pattern: TOKEN,
    },
    format: {
      type: 'string',
      description: 'How an event is written. Default json.',
      enum: ['json', 'cef', 'ocsf'],
      default: 'json',
    },
    severity_filter: {
      type: 'string',
      description:
        'The least severe events that are exported, on the ladder info, detection, action, block; all is every event. Default all.',
      enum: ['all', 'detection', 'action', 'block'],
      default: 'all',
    },
    event_types: {
      type: 'array',
      description: 'Of these, only these types; a trailing * matches any rest. Empty: all. Default empty.',
      items: { type: 'string', pattern: EVENT_TYPES, maxLength: 128 },
      maxItems: 100,
      default: [],
    },
    exclude_event_types: {
      type: 'array',
      description: 'Not these types, whatever event_types says. Default empty.',
      items: { type: 'string', pattern: EVENT_TYPES, maxLength: 128 },
      maxItems: 100,
      default: [],
    },
    buffer_size: {
      type: 'integer',
      description: 'Most events per batch. 1 to 10000. Default 100.',
      minimum: 1,
      maximum: 10_000,
      default: 100,
    },
    flush_interval_seconds: {
      type: 'number',
      description: 'Longest time an event waits for its batch to fill, seconds. 0.1 to 3600. Default 5.',
      minimum: 0.1,
      maximum: 3600,
      default: 5,
    },
    max_retries: {
      type: 'integer',
      description: 'Retries before the destination pauses. 0 to 20. Default 3.',
      minimum: 0,
      maximum: 20,
      default: 3,
    },
    retry_backoff_seconds: {
      type: 'number',
      description:
        'Shortest first wait between attempts, seconds; it doubles, and jitter adds up to a half, up to 300. 0 to 300. Default 2.',
      minimum: 0,
      maximum: 300,
      default: 2,
    },
    source_name: {
      type: 'string',
      description:
        'Attached to every exported event; printable ASCII without blanks around it. Default governed-gateway.',
      minLength: 1,
      maxLength: 128,
      pattern: LABEL,
      default: 'governed-gateway',
    },
    environment: {
      type: 'string',
      description: 'Attached to every exported event; printable ASCII without blanks around it. Default production.',
      minLength: 1,
      maxLength: 128,
      pattern: LABEL,
      default: 'production',
    },
    signing_secret: {
      type: 'string',
      description:
        'Signs each batch to a webhook by Standard Webhooks: whsec_ and base64, or any printable ASCII. Never read back. Default none.',
      minLength: 1,
      maxLength: 1024,
      pattern: TOKEN,
    },
    compression: {
      type: 'string',
      description: 'gzip compresses bodies sent over HTTP. Default none.',
      enum: ['none', 'gzip'],
      default: 'none',
    },
    destination_options: {
      type: 'object',
      description: 'Options of this kind of destination, as the README of the plugin siem lists them. Default empty.',
      additionalProperties: true,
      default: {},
    },
  },
} as const

type Fields = FromSchema<typeof settingsSchema>

type Optional = 'url' | 'auth_token' | 'signing_secret'

/** The effective settings. Fields without a default may be absent. */
export type SiemSettings = { readonly [K in Exclude<keyof Fields, Optional>]-?: NonNullable<Fields[K]> } & {
  readonly [K in Optional]?: string
}
