import { LEVELS } from 'governed-gateway'
import { PATTERN_WINDOW, requestRuleProperties, textRuleProperties } from 'governed-gateway/kit'

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    default: {
      type: 'string',
      description: 'Initial label of every request. Default PUBLIC.',
      enum: LEVELS,
      default: 'PUBLIC',
    },
    window: {
      type: 'integer',
      description:
        'Longest pattern match that is found in a streamed reply; a stream holds back this many characters, 1 to 1024. Default 64.',
      minimum: 1,
      maximum: 1024,
      default: PATTERN_WINDOW,
    },
    labels: {
      type: 'array',
      description:
        'Label files that apply, by name or glob, such as gdpr_*, pci, phi: labels by what other plugins found and by words in context. Default none.',
      items: { type: 'string', format: 'glob' },
      default: [],
    },
    labels_dir: {
      type: 'string',
      description:
        'Folder of your own label files, NAME.yaml, relative to the config file. A file replaces the shipped one of its name. Read at start and at each reload.',
      minLength: 1,
    },
    rules: {
      type: 'array',
      description: 'Rules that label a request or a reply; the highest label wins.',
      default: [],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['label'],
        properties: {
          name: {
            type: 'string',
            description:
              'Names the rule in events: lower-case letters, digits, - and _, at most 64. Default rule_1, rule_2 …',
            pattern: '^[a-z][a-z0-9_-]{0,63}$',
          },
          label: { type: 'string', description: 'The label it gives.', enum: LEVELS },
          ...textRuleProperties,
          ...requestRuleProperties,
        },
        anyOf: [
          { properties: { keywords: {} }, required: ['keywords'] },
          { properties: { patterns: {} }, required: ['patterns'] },
          { properties: { keys: {} }, required: ['keys'] },
          { properties: { teams: {} }, required: ['teams'] },
          { properties: { models: {} }, required: ['models'] },
        ],
      },
    },
  },
} as const
