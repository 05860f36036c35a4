import type { FromSchema } from 'json-schema-to-ts'
import { DETECTORS } from './detectors/index.ts'
import { NAME_KINDS } from './names/kinds.ts'

const LEVEL = { enum: ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] } as const
const ACTION = { enum: ['detect', 'tokenize', 'redact', 'block'] } as const
const DIRECTION_ACTION = { enum: ['off', 'detect', 'tokenize', 'redact', 'block'] } as const
const NAME = { type: 'string', pattern: '^[a-z][a-z0-9_]{1,30}$' } as const

/** Values of `types`. The operator's own names are checked at start. */
export const TYPES: readonly string[] = [...new Set([...DETECTORS, ...NAME_KINDS].map((d) => d.type))]
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
        'Action for a value: report only, replace with a token that the reply restores, replace with its type, or refuse. An `age` is reported only, unless `types` sets its action.',
    },
    input: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Action for values in requests, if it differs from `action`.',
      properties: { action: DIRECTION_ACTION },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description:
        'Action for values in replies, if it differs from `action`. Tokens in a reply could not be restored, so `tokenize` redacts there.',
      properties: { action: DIRECTION_ACTION },
    },
    types: {
      type: 'object',
      default: {},
      description: 'By type: switch it off, or set its own action or level.',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: { enabled: { type: 'boolean', default: true }, action: ACTION, level: LEVEL },
      },
    },
    locales: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Z]{2}$', description: 'Two capital letters of a country, such as DE.' },
      uniqueItems: true,
      description:
        'Countries whose identifiers to look for, such as `["US", "DE"]`. Default: all. International kinds are always looked for.',
    },
    allow: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Values that are not personal: they pass and are not counted.',
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
        'Confidence from which a value counts. 0.7 requires a checksum, an unmistakable format or a label beside it.',
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
            description: 'Longest match, characters. A stream holds back this much.',
          },
        },
      },
    },
    words: {
      type: 'array',
      default: [],
      description:
        'Your own words: project names, customers. Whole words, case-insensitive; a blank fits up to 32 blanks, line breaks, hyphens, underscores and marks of Markdown, comments and quoted mails.',
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
      enum: ['off', 'personal', 'all'],
      default: 'off',
      description:
        '`personal` finds names of private persons: in salutations, signatures, forms, records, mail headers, introductions, or beside another value in a request. `all` finds every name of a person, a place or an organisation.',
    },
    restore_tool_arguments: {
      type: 'boolean',
      default: false,
      description: 'Also restore tokens in the arguments of tool calls. The tool then gets the real values.',
    },
  },
} as const

export type Options = FromSchema<typeof schema>
