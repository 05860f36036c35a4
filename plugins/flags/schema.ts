export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    defaults: {
      type: 'object',
      description:
        "The operator's flags for every key, such as `pii: redact`; `flags` of a key override them. A request may only tighten them. Default none.",
      default: {},
      propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
      additionalProperties: { type: ['string', 'integer', 'boolean'] },
    },
  },
} as const
