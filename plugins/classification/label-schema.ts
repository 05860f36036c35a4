import { LEVELS } from 'governed-gateway'

const words = {
  type: 'object',
  default: {},
  propertyNames: { pattern: '^[a-z]{2}$' },
  additionalProperties: {
    type: 'array',
    minItems: 1,
    items: { type: 'string', minLength: 2, maxLength: 64 },
  },
} as const

/** A label file. Words stand by language: `{ en: [...], de: [...] }`. */
export const labelSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['label'],
  properties: {
    label: { type: 'string', description: 'The label it gives.', enum: LEVELS },
    about: { type: 'string', description: 'What it is for.', default: '' },
    findings: {
      type: 'array',
      description: 'Findings of other plugins that give the label, such as pii/credit_card or secrets/*.',
      default: [],
      items: { type: 'string', pattern: '^[a-z][a-z0-9-]*/[a-z0-9_*]+$' },
    },
    phrases: { ...words, description: 'Phrases that give the label by themselves.' },
    terms: {
      ...words,
      description:
        'Words that give it near a word of context of the same language, or in a field. A * at the end stands for none or an ending such as e, en, er, es, s, in, a, o.',
    },
    context: { ...words, description: 'Words of context.' },
    fields: { ...words, description: 'Names of fields: "religion: catholic", a JSON member of that name.' },
    distance: {
      type: 'integer',
      description: 'Most characters between a term and its context, 1 to 128. Default 48.',
      minimum: 1,
      maximum: 128,
      default: 48,
    },
  },
} as const
