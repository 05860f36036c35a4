const names = (what: string) =>
  ({
    type: 'array',
    maxItems: 100,
    default: [],
    items: { type: 'string', minLength: 1, maxLength: 256 },
    description: what,
  }) as const

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: {
      type: 'string',
      pattern: '^/[A-Za-z0-9._~/-]{1,127}$',
      default: '/metrics',
      description: 'Path of the page.',
    },
    token: {
      type: 'string',
      minLength: 8,
      maxLength: 512,
      writeOnly: true,
      description:
        'Bearer token that the scraper must send. Default: none; anyone who can reach the port can read the page.',
    },
    listen: {
      type: 'object',
      additionalProperties: false,
      required: ['port'],
      properties: {
        host: { type: 'string', minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' },
        port: { type: 'integer', minimum: 0, maximum: 65535, description: 'Port; 0 selects a free one.' },
      },
      description: 'Serves the page on its own port, and no longer on the port of the API. Default: none.',
    },
    models: names(
      'Models that get a label of their own, by name or glob; a glob is one label. All others are `other`.',
    ),
    keys: names('Ids of API keys that get a label `key`; all others are `other`. Default: no such label.'),
    ask_usage: {
      type: 'boolean',
      default: true,
      description: 'Whether to ask providers for the tokens of streams, which clients do not see unless they asked.',
    },
    sample: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: 16,
      description: 'One of so many requests is timed for `gateway_overhead_seconds`.',
    },
  },
} as const
