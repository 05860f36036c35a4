import type { Options as OptionsOf } from 'governed-gateway'

const action = { enum: ['off', 'detect', 'redact', 'block'] } as const

export const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      pattern: '^https?://[^\\s]+$',
      maxLength: 2048,
      description:
        'Address of the analyzer, such as `http://presidio:3000`; `/analyze` is appended. `egress.allow` must list it, unless it is public.',
    },
    headers: {
      type: 'object',
      default: {},
      additionalProperties: { type: 'string', maxLength: 4096, writeOnly: true },
      description: 'Extra headers of each call, such as an `authorization` for a proxy in front.',
    },
    language: {
      type: 'string',
      pattern: '^[a-z]{2,3}(-[A-Za-z]{2,8})?$',
      default: 'en',
      description: 'Language of the texts, as the analyzer knows it.',
    },
    entities: {
      type: 'array',
      default: [],
      maxItems: 200,
      items: { type: 'string', pattern: '^[A-Z][A-Z0-9_]{1,63}$' },
      description: 'Entity types to request, such as `PERSON`. Empty: all of the analyzer.',
    },
    score_threshold: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: 'Lowest confidence of a finding.',
    },
    input: { ...action, default: 'redact', description: 'Action for a request with a finding.' },
    output: { ...action, default: 'redact', description: 'Action for a reply with a finding.' },
    types: {
      type: 'object',
      default: {},
      description: 'By entity type: its own finding name, label, action and minimum score.',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          type: { type: 'string', pattern: '^[a-z][a-z0-9_]{1,63}$', description: 'Name of the finding.' },
          level: { enum: ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'], description: 'Label it leads to.' },
          action: { ...action, description: 'Instead of `input` and `output`.' },
          min_score: {
            type: 'number',
            minimum: 0,
            maximum: 1,
            description: 'Instead of `score_threshold`, if higher.',
          },
        },
      },
    },
    allow: {
      type: 'array',
      default: [],
      maxItems: 1000,
      items: { type: 'string', minLength: 1, maxLength: 200 },
      description: 'Values that may pass, such as your own names. Case-insensitive.',
    },
    timeout_ms: {
      type: 'integer',
      minimum: 50,
      maximum: 9000,
      default: 2000,
      description: 'Milliseconds that one call may take.',
    },
    batch_size: {
      type: 'integer',
      minimum: 1,
      maximum: 500,
      default: 16,
      description: 'Texts of one call. 1 sends each alone, for analyzers that take no list.',
    },
    max_text_length: {
      type: 'integer',
      minimum: 500,
      maximum: 1_000_000,
      default: 50_000,
      description: 'Characters of one text; a longer text is split between sentences.',
    },
    max_pending: {
      type: 'integer',
      minimum: 200,
      maximum: 4000,
      default: 1000,
      description: 'Characters of a streamed reply that may wait for the analyzer before the provider is paused.',
    },
  },
} as const

export type Options = OptionsOf<typeof schema>
