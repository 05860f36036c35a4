/** Bad requests to the routes of operators: what stands in them must not be told on. */
import { ADMIN_KEY, bearer } from '../../helpers/gateway.ts'
import type { RawAsk } from './attacks.ts'

export interface Routed extends RawAsk {
  readonly method: string
}

const ROUTES = [
  'PUT /api/settings/siem',
  'GET /api/settings/siem/dead-letter',
  'PUT /api/settings/alerting',
  'POST /api/settings/alerting/test',
  'POST /api/keys',
  'GET /api/keys',
  'PATCH /api/keys/{id}',
  'DELETE /api/keys/{id}',
  'POST /api/keys/{id}/rotate',
  'PUT /api/teams/{name}',
  'GET /api/budgets',
  'POST /api/budgets/top-up',
  'POST /api/budgets/reset',
  'GET /api/usage',
  'GET /api/audit',
  'GET /api/inspection',
  'GET /api/upstreams',
  'POST /console/session',
  'DELETE /console/session',
  'GET /console/live',
  'GET /console/steps/{id}',
  'GET /metrics',
  'GET /health',
  'GET /v1/models/{id}',
  'GET /v1/responses/{id}',
] as const

const FLAT = (text: string): string => encodeURI(text.replace(/[\r\n]+/g, ' ')).replaceAll('%20', ' ')
const admin = bearer(ADMIN_KEY)

type Form = (text: string, method: string, path: string) => Omit<Routed, 'method'> & { method?: string }
const at = (path: string, id = 'none'): string => path.replace(/\{\w+\}/, encodeURIComponent(id))

// biome-ignore format: a table reads best with one entry in a line.
const FORMS: Readonly<Record<string, Form>> = {
  members: (text, _method, path) => ({ path: at(path), headers: admin, body: JSON.stringify({ [text]: text, enabled: text, name: [text], id: { text }, limits: [text], url: text, keys: [{ [text]: 1 }] }) }),
  number: (text, _method, path) => ({ path: at(path), headers: admin, body: JSON.stringify({ url: 7, name: 7, team: text.repeat(40), scope: text, amount: text, limits: [{ scope: text, unit: text, limit: text, window: text }] }) }),
  broken: (text, _method, path) => ({ path: at(path), headers: admin, body: `{"name": ${JSON.stringify(text)}, "x"` }),
  text: (text, _method, path) => ({ path: at(path), headers: { ...admin, 'content-type': 'text/plain' }, body: text }),
  list: (text, _method, path) => ({ path: at(path), headers: admin, body: JSON.stringify([text, { text }]) }),
  query: (text, _method, path) => ({ path: `${at(path)}?${['limit', 'cursor', 'since', 'type', 'team', 'state', 'key', 'from', 'group_by', 'request_id', text].map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join('&')}`, headers: admin, body: '' }),
  'one-query': (text, _method, path) => ({ path: `${at(path)}?cursor=${encodeURIComponent(text)}`, headers: admin, body: '' }),
  path: (text, _method, path) => ({ path: `${at(path)}/${encodeURIComponent(text)}`, headers: admin, body: '' }),
  parameter: (text, _method, path) => ({ path: at(path, text), headers: admin, body: JSON.stringify({ limits: 7, overlap_seconds: text }) }),
  headers: (text, _method, path) => ({ path: at(path), headers: { ...admin, 'x-note': FLAT(text), cookie: `gw_session=${FLAT(text)}; a=${FLAT(text)}`, origin: FLAT(text), referer: FLAT(text), 'user-agent': FLAT(text), 'x-service-flags': FLAT(text), 'if-none-match': FLAT(text), accept: FLAT(text) }, body: '' }),
  key: (text, _method, path) => ({ path: at(path), headers: { authorization: `Bearer ${FLAT(text)}` }, body: '{}' }),
  'other-key': (text, _method, path) => ({ path: at(path, text), headers: { 'x-api-key': FLAT(text), cookie: `console_session=${FLAT(text)}` }, body: '{}' }),
  method: (text, method, path) => ({ method: method === 'GET' ? 'POST' : 'GET', path: at(path, text), headers: admin, body: JSON.stringify({ text }) }),
  encoding: (text, _method, path) => ({ path: at(path), headers: { ...admin, 'content-encoding': FLAT(text), 'content-type': `application/json; charset=${FLAT(text)}` }, body: JSON.stringify({ text }) }),
}

/** By form, method and path. */
export const ROUTE_ASKS: Readonly<Record<string, (text: string) => Routed>> = Object.fromEntries(
  Object.entries(FORMS).flatMap(([form, make]) =>
    ROUTES.map((route) => {
      const [method, path] = route.split(' ') as [string, string]
      return [`${form} ${route}`, (text: string): Routed => ({ method, ...make(text, method, path) })] as const
    }),
  ),
)
