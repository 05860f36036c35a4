import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

const weight = (byDefault: number, description: string) =>
  ({ type: 'number', minimum: 0, maximum: 4, default: byDefault, description }) as const

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    action: {
      enum: ['detect', 'redact', 'block'],
      default: 'detect',
      description: 'Action for a request that looks like an attack. `redact` removes the words that matched.',
    },
    threshold: {
      type: 'number',
      minimum: 0.1,
      maximum: 0.99,
      default: 0.5,
      description: 'Score from which a text counts as an attack. A lower score finds more, with more false positives.',
    },
    level: {
      enum: ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'],
      description: 'Label of a request in which an attack was found. Absent: the label stays.',
    },
    weights: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Suspicion of a text by its origin; 0 skips it.',
      properties: {
        user: weight(1, 'Messages of users.'),
        tool: weight(1.35, 'Tool results and retrieved documents: nobody should instruct the model from there.'),
        tool_definition: weight(1.3, 'Names, descriptions and schemas of tools.'),
        system: weight(0.25, 'System and developer messages, which are full of instructions.'),
        assistant: weight(0.4, 'Earlier answers of the model.'),
        other: weight(0.8, 'Everything else: metadata, file names, unknown fields.'),
      },
    },
    max_length: {
      type: 'integer',
      minimum: 1000,
      maximum: 1_000_000,
      default: 100_000,
      description: 'Characters inspected per text. Of a longer text, the first and the last half of this number.',
    },
    allow: {
      type: 'array',
      default: [],
      maxItems: 200,
      items: { type: 'string', minLength: 8, maxLength: 2000 },
      description: 'Known harmless passages, such as your own templates: removed before scoring.',
    },
  },
} as const satisfies JSONSchema

export type Options = FromSchema<typeof schema>
