import { requestRuleProperties } from 'governed-gateway/kit'

const count = { type: 'integer', minimum: 1, maximum: 1_000_000_000_000 } as const

const limit = {
  type: 'object',
  additionalProperties: false,
  required: ['scope'],
  properties: {
    name: {
      type: 'string',
      description:
        'Names the limit in events and errors: lower-case letters, digits, - and _, at most 64. Its counts go by this name. Default limit_1, limit_2 …',
      pattern: '^[a-z][a-z0-9_-]{0,63}$',
    },
    scope: {
      type: 'string',
      description:
        'Which requests share one count: those of a key, of a team (keys without a team have none), for a model, or all.',
      enum: ['key', 'team', 'model', 'global'],
    },
    requests_per_minute: {
      ...count,
      description: 'Requests within 60 seconds, 1 to 10^12. Refused ones do not count. Default no limit.',
    },
    tokens_per_minute: {
      ...count,
      description: 'Tokens of prompts and replies within 60 seconds, 1 to 10^12. Default no limit.',
    },
    concurrent_streams: {
      ...count,
      description: 'Concurrent streamed requests, 1 to 10^12. Default no limit.',
    },
    ...requestRuleProperties,
  },
  anyOf: [
    { properties: { requests_per_minute: {} }, required: ['requests_per_minute'] },
    { properties: { tokens_per_minute: {} }, required: ['tokens_per_minute'] },
    { properties: { concurrent_streams: {} }, required: ['concurrent_streams'] },
  ],
} as const

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limits: {
      type: 'array',
      description: 'A request must fit all limits that apply to it. With none, the plugin does nothing.',
      items: limit,
      default: [],
      maxItems: 100,
    },
    default_completion_tokens: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000_000,
      default: 1024,
      description:
        'Estimated tokens of a reply until it is complete, for requests without max_completion_tokens or max_tokens; 1 to 10000000. Default 1024.',
    },
  },
} as const
