declare module 'governed-gateway' {
  interface EventPayloads {
    'key.created': KeyChange
    'key.updated': KeyChange
    'key.rotated': KeyChange & { overlap_seconds: number }
    'key.revoked': KeyChange
    'team.updated': { subject: string; changed_by: string; limits: number }
  }
}

interface KeyChange {
  subject: string
  changed_by: string
  team?: string
  fields?: string[]
}

const about = {
  subject: { type: 'string', description: 'Id of the key.' },
  changed_by: { type: 'string', description: 'Id of the admin key that made the change.' },
  team: { type: 'string', description: 'Team of the key.' },
} as const
const fields = { type: 'array', items: { type: 'string' }, description: 'Members that were set or changed.' } as const

const change = (title: string, description: string, more: object = {}) =>
  ({
    severity: 'action',
    title,
    category: 'change',
    disposition: 'logged',
    schema: { type: 'object', description, required: ['subject', 'changed_by'], properties: { ...about, ...more } },
  }) as const

export const events = {
  'key.created': change('API key created', 'An admin created a key at run time.', { fields }),
  'key.updated': change('API key changed', 'An admin changed what a key may do.', { fields }),
  'key.rotated': change('API key rotated', 'A key has a new secret.', {
    overlap_seconds: { type: 'integer', minimum: 0, description: 'How long the old secret stays valid.' },
  }),
  'key.revoked': change('API key revoked', 'A key is no longer valid, for good.'),
  'team.updated': {
    severity: 'action',
    title: 'Limits of a team changed',
    category: 'change',
    disposition: 'logged',
    schema: {
      type: 'object',
      description: 'An admin changed the limits of a team.',
      required: ['subject', 'changed_by', 'limits'],
      properties: {
        subject: { type: 'string', description: 'Name of the team.' },
        changed_by: about.changed_by,
        limits: { type: 'integer', minimum: 0, description: 'Number of its limits now.' },
      },
    },
  },
} as const

export const errors = {
  key_not_found: { status: 404, remedy: 'See `GET /api/keys` for the ids. Keys of the config cannot be changed here.' },
  key_exists: { status: 409, remedy: 'Choose another id. The id of a revoked key is not free again.' },
} as const
