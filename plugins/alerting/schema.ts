import type { Options } from 'governed-gateway'

const webhookType = { type: 'string', enum: ['slack', 'teams', 'generic'] } as const
const minSeverity = { type: 'string', enum: ['block', 'detect', 'all'], default: 'block' } as const
const url = { type: 'string', maxLength: 4096, pattern: '^https?://' } as const
const signingSecret = { type: 'string', minLength: 8, maxLength: 256 } as const
const eventType = { type: 'string', pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$', maxLength: 128 } as const
const eventTypes = { type: 'array', items: eventType, maxItems: 100, default: [] } as const

const SIGNING =
  'Signs generic webhooks as Standard Webhooks says: whsec_ and base64 of 24 to 64 random bytes, or any text.'
const SEVERITY = 'block: what was refused. detect: what was found or redacted as well. all: every event. Default block.'

const filters = {
  type: 'object',
  additionalProperties: false,
  description: 'Only events that match all of these.',
  properties: {
    key: {
      type: 'array',
      items: { type: 'string', format: 'glob' },
      minItems: 1,
      maxItems: 100,
      description: 'Ids of keys, as globs: team-a-*. Default all.',
    },
    model: {
      type: 'array',
      items: { type: 'string', format: 'glob' },
      minItems: 1,
      maxItems: 100,
      description: 'Models, as globs: gpt-*. Default all.',
    },
    classification: {
      type: 'array',
      items: { type: 'string', enum: ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] },
      minItems: 1,
      description: 'Labels of the request. Default all.',
    },
  },
} as const

const selection = {
  min_severity: { ...minSeverity, description: SEVERITY },
  event_types: { ...eventTypes, description: 'Only these types of events. Default []: all.' },
  exclude_event_types: { ...eventTypes, description: 'Never these types of events. Default none.' },
  filters,
} as const

const quietHours = {
  type: 'object',
  additionalProperties: false,
  required: ['from', 'to'],
  description: 'Hours without alerts; a digest follows. Default none.',
  properties: {
    from: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'HH:MM, when they begin.' },
    to: {
      type: 'string',
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      description: 'HH:MM, when they end, on the next day if not after `from`.',
    },
    days: {
      type: 'array',
      items: { type: 'string', enum: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
      uniqueItems: true,
      default: [],
      description: 'Days on which they begin. Default []: every day.',
    },
    time_zone: {
      type: 'string',
      maxLength: 64,
      default: 'UTC',
      description: 'IANA name, such as Europe/Berlin. Default UTC.',
    },
    blocks: { type: 'boolean', default: false, description: 'Send blocks anyway. Default false.' },
  },
} as const

/** Options of the entry, and settings of the API. */
export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Default false; SERVICE_ALERT_WEBHOOK_URL implies true.' },
    webhook_url: {
      ...url,
      description:
        'Url of the destination `default`; a secret, read back masked. Env SERVICE_ALERT_WEBHOOK_URL. Default none.',
    },
    webhook_type: {
      ...webhookType,
      default: 'generic',
      description:
        'slack and teams get messages in their own format, generic the event as JSON. Env SERVICE_ALERT_WEBHOOK_TYPE. Default generic.',
    },
    ...selection,
    min_severity: { ...minSeverity, description: `${SEVERITY} Env SERVICE_ALERT_MIN_SEVERITY.` },
    signing_secret: { ...signingSecret, description: `${SIGNING} Default none: not signed.` },
    destinations: {
      type: 'array',
      maxItems: 10,
      default: [],
      description: 'More receivers, each with its own selection. Default none.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'url'],
        properties: {
          name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', description: 'Unique, and not `default`.' },
          url: { ...url, description: 'Url of the destination; a secret, read back masked.' },
          type: { ...webhookType, default: 'generic', description: 'Default generic.' },
          ...selection,
          signing_secret: { ...signingSecret, description: SIGNING },
        },
      },
    },
    dedupe_window_seconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description:
        'How long repeats with the same type, key and reason are only counted, and the least time between two digests, seconds, 1 to 86400. Default 300.',
    },
    max_alerts_per_minute: {
      type: 'integer',
      minimum: 1,
      maximum: 60,
      default: 10,
      description: 'Alerts per destination and minute, 1 to 60; further ones go into one digest. Default 10.',
    },
    quiet_hours: quietHours,
    muted_until: {
      type: 'string',
      format: 'date-time',
      description: 'Maintenance: no alerts before this time, then one digest. RFC 3339. Default none.',
    },
    max_retries: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      default: 3,
      description: 'Attempts after the first, 0 to 10. Default 3.',
    },
    retry_backoff_seconds: {
      type: 'number',
      minimum: 0.1,
      maximum: 60,
      default: 1,
      description:
        'Wait before the first retry, seconds, 0.1 to 60; it doubles, and Retry-After is honoured. Default 1.',
    },
    timeout_seconds: {
      type: 'number',
      minimum: 0.1,
      maximum: 60,
      default: 10,
      description: 'For one attempt, seconds, 0.1 to 60. Default 10.',
    },
  },
} as const

export type AlertingSettings = Options<typeof schema>
