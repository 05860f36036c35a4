import { type ConfiguredKey, GatewayError, type Json, type Route, type Services } from 'governed-gateway'
import { expiryTime, isTeam } from 'governed-gateway/kit'
import { type Issued, type KeyInput, type KeyManager, type KeyPatch, missing } from './manager.ts'
import { type KeyLimit, type KeyRecord, viewOf } from './record.ts'
import type { Registry } from './registry.ts'
import { stateOf } from './ring.ts'
import { createBody, patchBody, rotateBody, teamBody } from './schema.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
const STATES = ['active', 'disabled', 'expired', 'revoked']

export interface RouteParts {
  readonly registry: Registry
  readonly manager: KeyManager
  readonly services: Pick<Services, 'keys'>
  /** Overlap of a rotation that does not say, seconds. */
  readonly overlap: number
}

export const routes = ({ registry, manager, services, overlap }: RouteParts): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/keys',
    auth: 'admin',
    handle: ({ query }) => ({ body: list(registry, services.keys, query) }),
  },
  {
    method: 'POST',
    path: '/api/keys',
    auth: 'admin',
    body: createBody,
    handle: async ({ body, caller }) => {
      return { status: 201, body: issued(await manager.create(body as unknown as KeyInput, caller.keyId)) }
    },
  },
  {
    method: 'GET',
    path: '/api/keys/{id}',
    auth: 'admin',
    handle: ({ params: { id = '' } }) => {
      const configured = services.keys.find((key) => key.id === id)
      if (configured !== undefined) return { body: configuredView(configured) }
      const record = registry.get(id)
      if (record === undefined) throw missing('key')
      return { body: view(record) }
    },
  },
  {
    method: 'PATCH',
    path: '/api/keys/{id}',
    auth: 'admin',
    body: patchBody,
    handle: async ({ params: { id = '' }, body, caller }) => ({
      body: view(await manager.update(id, body as unknown as KeyPatch, caller.keyId)),
    }),
  },
  {
    method: 'DELETE',
    path: '/api/keys/{id}',
    auth: 'admin',
    handle: async ({ params: { id = '' }, caller }) => ({ body: view(await manager.revoke(id, caller.keyId)) }),
  },
  {
    method: 'POST',
    path: '/api/keys/{id}/rotate',
    auth: 'admin',
    body: rotateBody,
    handle: async ({ params: { id = '' }, body, caller }) => {
      const { overlap_seconds: seconds = overlap } = body as { overlap_seconds?: number }
      return { body: issued(await manager.rotate(id, seconds, caller.keyId)) }
    },
  },
  {
    method: 'GET',
    path: '/api/teams',
    auth: 'admin',
    handle: () => ({ body: { teams: teams(registry, services.keys) } }),
  },
  {
    method: 'PUT',
    path: '/api/teams/{name}',
    auth: 'admin',
    body: teamBody,
    handle: async ({ params: { name = '' }, body, caller }) => {
      const { limits } = body as unknown as { limits: readonly KeyLimit[] }
      if (!isTeam(name)) throw invalid('name', 'must be 1 to 64 characters in one line')
      await manager.setTeam(name, limits, caller.keyId)
      return { body: { name, limits: limits as unknown as Json } }
    },
  },
  {
    method: 'DELETE',
    path: '/api/teams/{name}',
    auth: 'admin',
    handle: async ({ params: { name = '' }, caller }) => {
      await manager.removeTeam(name, caller.keyId)
      return { body: { name, limits: [] } }
    },
  },
]

const view = (record: KeyRecord) => viewOf(record, stateOf(record))

/** The only answer with the secret. */
const issued = ({ record, secret }: Issued) => ({ ...view(record), key: secret })

/** Keys of the config first, then by id. */
function list(registry: Registry, configured: readonly ConfiguredKey[], query: URLSearchParams) {
  const unknown = [...query.keys()].find((name) => !['team', 'state', 'limit', 'cursor'].includes(name))
  if (unknown !== undefined) throw invalid(unknown.slice(0, 64), 'is unknown. Use team, state, limit and cursor')
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw invalid('limit', `must be 1 to ${MAX_LIMIT}`)
  const state = query.get('state')
  if (state !== null && !STATES.includes(state)) throw invalid('state', `must be one of ${STATES.join(', ')}`)
  const team = query.get('team')
  const from = Number(query.get('cursor') ?? 0)
  if (!Number.isSafeInteger(from) || from < 0) throw invalid('cursor', 'must be `next_cursor` of the previous page')
  const all = [...configured.map(configuredView), ...registry.all().map(view)].filter(
    (key) => (state === null || key.state === state) && (team === null || key.team === team),
  )
  const keys = all.slice(from, from + limit)
  return { keys, next_cursor: from + limit < all.length ? String(from + limit) : null }
}

function configuredView(key: ConfiguredKey): { [key: string]: Json } {
  const { id, team, models, admin, disabled, expires, maxClassification } = key
  const expired = expires !== undefined && Date.now() >= expiryTime(expires)
  return {
    source: 'config',
    state: disabled ? 'disabled' : expired ? 'expired' : 'active',
    ...{ id, models: [...models], admin, disabled },
    ...(team !== undefined && { team }),
    ...(expires !== undefined && { expires }),
    ...(maxClassification !== undefined && { max_classification: maxClassification }),
  }
}

/** Every team that a key names or that has limits. */
function teams(registry: Registry, configured: readonly ConfiguredKey[]): Json[] {
  const counts = new Map<string, number>()
  for (const { name } of registry.teams()) counts.set(name, 0)
  const live = registry.all().filter(({ revoked_at }) => revoked_at === undefined)
  for (const { team } of [...configured, ...live]) {
    if (team !== undefined) counts.set(team, (counts.get(team) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, keys]) => ({ name, keys, limits: (registry.team(name)?.limits ?? []) as unknown as Json }))
}

const invalid = (param: string, what: string): GatewayError =>
  new GatewayError('GW_VALIDATION', `The parameter ${param} ${what}.`, { param })
