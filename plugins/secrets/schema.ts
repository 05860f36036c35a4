import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    input: {
      enum: ['detect', 'redact', 'block'],
      default: 'block',
      description: 'What happens to a request with a secret. `redact` inserts `[TYPE]` in its place.',
    },
    output: {
      enum: ['detect', 'redact', 'block'],
      default: 'redact',
      description: 'What happens to a reply with a secret.',
    },
    kinds: {
      type: 'object',
      default: {},
      description: 'Action for single types, in both directions: `{ twilio_account_sid: off, password: detect }`.',
      additionalProperties: { enum: ['off', 'detect', 'redact', 'block'] },
    },
    level: {
      enum: ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'],
      default: 'RESTRICTED',
      description: 'Label of a request in which a secret was found.',
    },
    labelled: {
      type: 'boolean',
      default: true,
      description: 'Also look for values behind labels such as `api_key =` or `password:`.',
    },
    min_entropy: {
      type: 'number',
      minimum: 0,
      maximum: 6,
      default: 3,
      description: 'Minimum Shannon entropy of a labelled or bearer value, bits per character. Not used for passwords.',
    },
    allow: {
      type: 'array',
      default: [],
      maxItems: 1000,
      items: { type: 'string', minLength: 4, maxLength: 512 },
      description: 'Values that are not secrets, in clear or as `sha256:<64 hex digits>` of the value.',
    },
    patterns: {
      type: 'array',
      default: [],
      maxItems: 100,
      description: 'Own formats, as RE2 expressions (linear time, no look-around).',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'pattern'],
        properties: {
          type: {
            type: 'string',
            pattern: '^[a-z][a-z0-9_]{1,63}$',
            description: 'Name of the finding, in snake_case.',
          },
          pattern: {
            type: 'string',
            minLength: 1,
            maxLength: 1000,
            description: 'RE2 syntax. The whole match is the secret.',
          },
          max_length: {
            type: 'integer',
            minimum: 4,
            maximum: 256,
            default: 64,
            description: 'Longest possible match, characters. A stream holds back this much.',
          },
          action: { enum: ['detect', 'redact', 'block'], description: 'Default: the action of the direction.' },
        },
      },
    },
  },
} as const satisfies JSONSchema

export type Options = FromSchema<typeof schema>
