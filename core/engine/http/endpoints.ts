import type { JSONSchema } from 'json-schema-to-ts'
import type { CredentialHeaders } from '../access/credential.ts'
import { Keyring } from '../access/keyring.ts'
import { checkAgainst, compileSchema, type Problem } from '../config/validate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Json, OpenRoute, Route } from '../contract/plugin.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { DIALECTS, STORED } from '../dialects/index.ts'
import { setMember } from '../json/set-member.ts'
import { parseStrict } from '../json/strict.ts'
import { handleExchange } from '../pipeline/pipeline.ts'
import { storedModel } from '../pipeline/references.ts'
import { CORE_PATHS } from '../util/core-paths.ts'
import { sentence } from '../util/sentence.ts'
import { addModels } from './model-endpoints.ts'
import { answerOf, type RouteAnswer } from './route-answer.ts'
import { type Call, type Endpoint, Router } from './router.ts'

export interface Readiness {
  readonly status: 'ok' | 'draining' | 'unavailable'
  /** With `unavailable`: `store_unavailable`, `store_full`, `store_failed`, `instance_in_use`, `folder_replaced`, `too_many_connections`. */
  readonly reason?: string
}

/** What admins see of all processes of this node. */
export interface Status {
  upstreams(): Promise<readonly object[]>
  /** Of each node on the store, given that of this one; undefined if nodes share none. */
  nodes(own: readonly object[]): Promise<unknown>
  memo(): Promise<unknown>
}

/** All endpoints of the gateway: health, the API, and plugin routes. */
export function createRouter(
  routes: readonly (Route | OpenRoute)[],
  status: Status,
  readiness: () => Readiness,
): Router {
  const router = new Router()
  router.add(
    'GET',
    `${CORE_PATHS.health}/live`,
    health(() => ({ status: 'ok' })),
  )
  router.add('GET', `${CORE_PATHS.health}/ready`, health(readiness))
  for (const dialect of [...DIALECTS, ...STORED]) {
    const endpoint = dialect.readStored === undefined ? exchangeOf(dialect) : storedOf(dialect)
    for (const path of [dialect.path, ...(dialect.otherPaths ?? [])]) {
      router.add(dialect.method ?? 'POST', path, endpoint)
    }
    if (dialect.triesSockets === true) {
      router.add('GET', dialect.path, { auth: 'user', takesBody: false, dialect, handle: noSocket })
    }
  }
  addModels(router)
  router.add(
    'GET',
    CORE_PATHS.inspection,
    shown(async () => ({ memo: await status.memo() })),
  )
  router.add(
    'GET',
    CORE_PATHS.upstreams,
    shown(async () => {
      const upstreams = await status.upstreams()
      const nodes = await status.nodes(upstreams)
      return { upstreams, nodes }
    }),
  )
  for (const route of routes) {
    router.add(route.method, route.path, route.auth === 'none' ? openEndpoint(route) : pluginEndpoint(route))
  }
  return router
}

const shown = (read: () => Promise<object>): Endpoint => ({
  auth: 'admin',
  takesBody: false,
  handle: async ({ out }) => out.json(200, JSON.stringify(await read())),
})

const exchangeOf = (dialect: Dialect): Endpoint => ({
  auth: 'user',
  takesBody: true,
  isExchange: true,
  dialect,
  handle: ({ body, ...call }) => {
    const { model } = call.params
    const asked = model === undefined ? body : setMember(body, 'model', model)
    return handleExchange(call.runtime, { ...call, dialect, body: asked })
  },
})

/** Routes of what providers keep. */
const storedOf = (dialect: Dialect): Endpoint => ({
  auth: 'user',
  takesBody: false,
  isExchange: true,
  dialect,
  handle: async ({ query, params, ...call }) => {
    const { id = '' } = params
    const model = await storedModel(call.runtime.ids, id, call.principal.keyId)
    const stored = dialect.readStored?.({ id, model, query: new URLSearchParams(query) })
    return handleExchange(call.runtime, { ...call, dialect, ...(stored && { stored }) })
  },
})

/** 426 makes clients use POST at once; after other statuses they try again. */
function noSocket({ req, path }: Call): never {
  if (req.headers.upgrade !== undefined) {
    throw new GatewayError('GW_NO_SOCKETS', 'The gateway has no WebSockets.', { headers: { upgrade: 'HTTP/1.1' } })
  }
  throw new GatewayError('GW_METHOD_NOT_ALLOWED', `${path} does not take GET. Use POST.`, {
    headers: { allow: 'POST' },
  })
}

const health = (readiness: () => Readiness): Endpoint => ({
  auth: 'none',
  takesBody: false,
  handle: ({ out }) => {
    const now = readiness()
    out.json(now.status === 'ok' ? 200 : 503, JSON.stringify(now))
  },
})

function pluginEndpoint(route: Route): Endpoint {
  const schema = route.body
  if (schema !== undefined) compileSchema(schema)
  return {
    auth: route.auth,
    takesBody: schema !== undefined,
    handle: async ({ req, out, query, params, principal, body }) => {
      const parsed = schema === undefined ? null : checked(schema, body)
      const { headers } = req
      const encrypted = 'encrypted' in req.socket
      const request = { body: parsed, query: new URLSearchParams(query), params, headers, caller: principal, encrypted }
      send(out, await answerOf(route, request))
    },
  }
}

/** A route that needs no API key, but perhaps a token of its own. */
function openEndpoint(route: OpenRoute): Endpoint {
  const { token } = route
  const keyring = token === undefined ? undefined : new Keyring([{ ...NO_RIGHTS, id: route.path, key: token }])
  return {
    auth: 'none',
    takesBody: false,
    handle: async ({ req, out, query }) => {
      keyring?.authenticate(req.headers as CredentialHeaders)
      const request = {
        body: null,
        query: new URLSearchParams(query),
        params: {},
        headers: {},
        caller: NOBODY,
        encrypted: false,
      }
      send(out, await answerOf(route, request))
    },
  }
}

const NO_RIGHTS = { admin: false, disabled: false, models: [], flags: {}, flags_allow: [] }
const NOBODY = Object.freeze({ keyId: 'none', admin: false, flags: {}, flagsAllow: [] })

function send(out: Call['out'], { status, text, contentType, headers }: RouteAnswer): void {
  out.json(status, text, contentType === undefined ? headers : { ...headers, 'content-type': contentType })
}

/** The member that is wrong or missing; undefined if that is the body itself. */
const paramOf = ({ path, message }: Problem): string | undefined =>
  path !== '' ? path : /^needs "(\w+)"$/.exec(message)?.[1]

function checked(schema: JSONSchema, body: Buffer): Json {
  const { tree } = parseStrict(body)
  const { problems } = checkAgainst(schema, tree)
  if (problems.length === 0) return tree
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`).replace(/\.$/, ''))
  const message = sentence(`The body is not valid: ${lines.join('; ')}`)
  const param = paramOf(problems[0] as Problem)
  throw new GatewayError('GW_VALIDATION', message, param === undefined ? {} : { param })
}
