export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ttl_hours: {
      type: 'number',
      description:
        'How long an explicit session may be idle, hours from its last request; then its turn_index starts at 0 again. 0.01 to 8760. Default 168 (a week).',
      minimum: 0.01,
      maximum: 8760,
      default: 168,
    },
  },
} as const
