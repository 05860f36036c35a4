import type { FromSchema } from 'json-schema-to-ts'
import { DETECTORS } from './detectors/index.ts'

const LEVEL = { enum: ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] } as const
const ACTION = { enum: ['detect', 'tokenize', 'redact', 'block'] } as const
const DIRECTION_ACTION = { enum: ['off', 'detect', 'tokenize', 'redact', 'block'] } as const
const NAME = { type: 'string', pattern: '^[a-z][a-z0-9_]{1,30}$' } as const

/** The kinds of data that `types` may name; the names of the operator's own come on top and are checked at start. */
export const TYPES: readonly string[] = [...new Set([...DETECTORS.map((d) => d.type), 'person_name'])]
export const REGIONS: readonly string[] = [
  ...new Set(DETECTORS.flatMap((d) => (d.region === undefined ? [] : [d.region]))),
].sort()

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    action: {
      ...ACTION,
      default: 'redact',
      description:
        'What happens to a value: reported only, replaced by a token that the reply turns back, replaced by its type, or refused.',
    },
    input: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'What happens to values in requests, where it differs from `action`.',
      properties: { action: DIRECTION_ACTION },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description:
        'What happens to values in replies, where it differs from `action`. Nothing could turn a token in a reply back, so `tokenize` redacts there.',
      properties: { action: DIRECTION_ACTION },
    },
    types: {
      type: 'object',
      default: {},
      description: 'By type: switch it off, or give it an action or level of its own.',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: { enabled: { type: 'boolean', default: true }, action: ACTION, level: LEVEL },
      },
    },
    locales: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Z]{2}$' },
      uniqueItems: true,
      description:
        'Countries whose own identifiers are looked for, such as `["US", "DE"]`. Default: all. What is the same everywhere is always looked for.',
    },
    allow: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Values that are nobody’s secret: they pass, and are not counted.',
      properties: {
        domains: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          default: [],
          description: 'E-mail domains, with their subdomains.',
        },
        phones: {
          type: 'array',
          items: { type: 'string', minLength: 3 },
          default: [],
          description: 'Phone numbers in any spelling; only digits are compared.',
        },
        values: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          default: [],
          description: 'Any values, compared without case, spaces and hyphens.',
        },
      },
    },
    min_score: {
      type: 'number',
      minimum: 0.5,
      maximum: 1,
      default: 0.5,
      description:
        'Confidence from which a value counts. 0.7 keeps what a checksum, an unmistakable form or the words beside it prove.',
    },
    patterns: {
      type: 'array',
      default: [],
      description: 'Your own kinds of values, as RE2 regular expressions (linear time, no look-around).',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'pattern'],
        properties: {
          type: NAME,
          pattern: { type: 'string', minLength: 1, maxLength: 1000, format: 're2' },
          level: { ...LEVEL, default: 'CONFIDENTIAL' },
          action: ACTION,
          context: {
            type: 'array',
            items: { type: 'string', minLength: 2 },
            description: 'Counts only with one of these words within 64 characters before it.',
          },
          max_length: {
            type: 'integer',
            minimum: 1,
            maximum: 128,
            default: 64,
            description: 'Longest match, characters. A streamed reply is held back by as much.',
          },
        },
      },
    },
    words: {
      type: 'array',
      default: [],
      description: 'Your own words: project names, customers. Whole words, without regard to case.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'words'],
        properties: {
          type: NAME,
          words: { type: 'array', minItems: 1, items: { type: 'string', minLength: 2, maxLength: 100 } },
          level: { ...LEVEL, default: 'CONFIDENTIAL' },
          action: ACTION,
        },
      },
    },
    names: {
      enum: ['off', 'lexicon'],
      default: 'off',
      description:
        '`lexicon` looks for common given names followed by another capitalised word. It misses most names of the world and hits some streets: see the README.',
    },
    restore_tool_arguments: {
      type: 'boolean',
      default: false,
      description: 'Turn tokens back in the arguments of tool calls too. The tool then gets the real values.',
    },
  },
} as const

export type Options = FromSchema<typeof schema>
