import { LEVELS } from 'governed-gateway'
import { TEAM_PATTERN } from 'governed-gateway/kit'

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    revoke_streams: {
      type: 'boolean',
      description:
        'Ends the running exchanges of a key that is revoked, disabled, or rotated without an overlap. Otherwise they finish. Default true.',
      default: true,
    },
    rotation_overlap_seconds: {
      type: 'integer',
      description:
        'How long the old secret stays valid after a rotation that does not set it; seconds, 0 to 2592000 (30 days). Default 86400 (a day).',
      minimum: 0,
      maximum: 2_592_000,
      default: 86_400,
    },
    refresh_seconds: {
      type: 'integer',
      description:
        'Interval for reading all keys again, in addition to change notifications; seconds, 1 to 3600. Default 30.',
      minimum: 1,
      maximum: 3600,
      default: 30,
    },
    max_stale_seconds: {
      type: 'integer',
      description:
        'How long a process that cannot read the store still accepts the keys that it knows; seconds, 2 to 86400, at least twice `refresh_seconds`. After that, requests with such keys get 503, because one of them may have been revoked. Default 300.',
      minimum: 2,
      maximum: 86_400,
      default: 300,
    },
  },
} as const

const window = {
  anyOf: [
    { type: 'string', enum: ['minute', 'hour', 'day', 'week', 'month'] },
    {
      type: 'object',
      additionalProperties: false,
      required: ['rolling'],
      properties: { rolling: { type: 'string', pattern: '^[1-9]\\d{0,7}[smhd]$' } },
    },
  ],
} as const

const limits = {
  type: 'array',
  maxItems: 16,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['unit', 'limit', 'window'],
    properties: {
      unit: { type: 'string', enum: ['requests', 'tokens', 'usd'] },
      limit: { type: 'number', minimum: 0, maximum: 1_000_000_000 },
      window,
    },
  },
} as const

const name = { type: 'string', maxLength: 64, pattern: TEAM_PATTERN } as const
const NULL = { type: 'null' } as const
const texts = (pattern: object) => ({ type: 'array', maxItems: 256, items: { type: 'string', ...pattern } }) as const

/** What a key has, besides its id. */
const members = {
  team: name,
  description: { type: 'string', maxLength: 256 },
  models: texts({ format: 'glob', minLength: 1, maxLength: 256 }),
  expires: { type: 'string', maxLength: 64 },
  disabled: { type: 'boolean' },
  admin: { type: 'boolean' },
  max_classification: { type: 'string', enum: LEVELS },
  flags: {
    type: 'object',
    propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
    additionalProperties: { type: ['string', 'integer', 'boolean'] },
    maxProperties: 64,
  },
  flags_allow: texts({ pattern: '^[a-z][a-z0-9_]*=[A-Za-z0-9_*-]+$' }),
  limits,
} as const

export const createBody = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description: 'Letters, digits, dot, dash and underscore, at most 64.',
    },
    ...members,
  },
} as const

/** `null` removes a member. */
export const patchBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: Object.fromEntries(Object.entries(members).map(([key, one]) => [key, { anyOf: [one, NULL] }])),
} as const

export const rotateBody = {
  type: 'object',
  additionalProperties: false,
  properties: { overlap_seconds: { type: 'integer', minimum: 0, maximum: 2_592_000 } },
} as const

export const teamBody = {
  type: 'object',
  additionalProperties: false,
  required: ['limits'],
  properties: { limits },
} as const
