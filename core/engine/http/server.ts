import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type CredentialHeaders, KEY_HEADERS } from '../access/credential.ts'
import type { Principal } from '../access/keyring.ts'
import type { ListenConfig } from '../config/types.ts'
import { GatewayError, isGatewayError, stackOf } from '../contract/errors.ts'
import type { Log } from '../contract/plugin.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { dialectOf } from '../dialects/index.ts'
import type { Emit } from '../events/emit.ts'
import { requestId } from '../events/emitter.ts'
import type { Runtime } from '../pipeline/runtime.ts'
import { Responder } from '../relay/responder.ts'
import { errorName } from '../util/outside.ts'
import { sideBySide } from '../util/side-by-side.ts'
import { checkBodyHeaders, readBody } from './body.ts'
import type { Connections } from './connections.ts'
import { isReplying, oneAtATime } from './one-at-a-time.ts'
import type { Endpoint, Match, Router } from './router.ts'
import { pathOf } from './target.ts'
import { certificateOf, createTlsServer } from './tls.ts'

/** Read for each request, so that a reload applies to the next one. */
export interface ServerContext {
  readonly runtime: Runtime
  readonly router: Router
  readonly log: Log
  readonly connections: Pick<Connections, 'beyond'>
  /** Emits an event of the gateway itself. */
  readonly emit: Emit
  /** The gateway is shutting down: serves requests, but closes their connections. */
  readonly leaving: boolean
  /** A key was missing, invalid, or not an admin's. `keyId` is set if the key is known. */
  onAuthFailure(req: IncomingMessage, error: GatewayError, keyId?: string): void
  /** A request with a valid key was rejected before its exchange began. */
  onRejectedBeforeRead(req: IncomingMessage, unread: Unread, error: GatewayError): void
}

/** Such a request, as events show it. */
interface Unread {
  readonly request_id: string
  readonly key_id: string
  readonly operation: string
}

const EMPTY = Buffer.alloc(0)
const NO_HEADERS: string[] = []
// Importing `node:http` evaluates all of its exports, including WebSocket, which loads an unused fetch.
const { createServer } = process.getBuiltinModule('node:http')
const BUSY = { retryAfter: 1 } as const

/** Creates the HTTP server: limits on headers, bodies and times; strict parsing; errors from the catalogue. */
export function createGatewayServer(listen: ListenConfig, context: ServerContext): Server {
  const options = {
    maxHeaderSize: listen.max_header_bytes,
    headersTimeout: listen.headers_timeout_seconds * 1000,
    requestTimeout: listen.request_timeout_seconds * 1000,
    keepAliveTimeout: listen.keep_alive_seconds * 1000,
    connectionsCheckingInterval: 1000,
    insecureHTTPParser: false,
    requireHostHeader: false, // Checked below, for a standard error body.
    noDelay: true,
  }
  const listener = oneAtATime((req, res) => void serve(context, req, res))
  const { tls } = listen
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createTlsServer(tls, options, context.log, context.emit, listener)
  server.on(
    'checkContinue',
    oneAtATime((req, res) => void serve(context, req, res, true)),
  )
  server.on(
    'checkExpectation',
    oneAtATime((req, res) => {
      const error = new GatewayError('GW_EXPECTATION_FAILED', 'The gateway supports only `Expect: 100-continue`.')
      new Responder(req, res, requestId()).error(error)
    }),
  )
  server.on('clientError', onClientError)
  return server
}

async function serve(
  context: ServerContext,
  req: IncomingMessage,
  res: ServerResponse,
  expectsContinue = false,
): Promise<void> {
  const target = pathOf(req.url as string)
  if (target !== undefined) req.url = target
  const arrival: Arrival = {
    out: new Responder(req, res, requestId(), dialectOf(req)),
    unread: undefined,
    refusal: undefined,
    endpoint: undefined,
  }
  if (context.leaving) res.shouldKeepAlive = false
  try {
    if (target === undefined) throw badTarget()
    await answer(context, req, res, target, arrival, expectsContinue)
  } catch (cause) {
    const { out } = arrival
    const error = arrival.refusal ?? (isGatewayError(cause) ? cause : failed(context.log, out, cause))
    if (error.status === 401) unauthorized(context, req, arrival, error)
    else if (arrival.unread !== undefined) context.onRejectedBeforeRead(req, arrival.unread, error)
    refuse(context.log, out, error)
  }
}

/** A request on its way to its endpoint. */
interface Arrival {
  out: Responder
  /** The key, set where an early refusal is reported as an event. */
  unread: Unread | undefined
  /** The parser refused the body and already answered. */
  refusal: GatewayError | undefined
  /** Once it is known. */
  endpoint: Endpoint | undefined
}

const operationOf = ({ method }: IncomingMessage, { path }: Dialect): string => `${method} ${path}`

function unauthorized(context: ServerContext, req: IncomingMessage, arrival: Arrival, error: GatewayError): void {
  context.onAuthFailure(req, error)
  const { dialect, isExchange } = arrival.endpoint ?? {}
  if (dialect === undefined || isExchange !== true) return
  context.runtime.chain.onUnauthorized?.({
    requestId: arrival.out.id,
    operation: operationOf(req, dialect),
    status: error.status,
    code: error.wireCode ?? error.code,
    traceparent: req.headers.traceparent as string | undefined,
    startedAt: performance.now(),
  })
}

/** Sends an error; closes the connection if that fails. */
function refuse(log: Log, out: Responder, error: GatewayError): void {
  try {
    out.error(error)
  } catch (cause) {
    try {
      out.error(failed(log, out, cause))
    } catch {
      out.destroy()
    }
  }
}

function failed(log: Log, { id }: Responder, error: unknown): GatewayError {
  log.error({ request_id: id, error: errorName(error), at: stackOf(error) }, 'request failed')
  return new GatewayError('GW_INTERNAL', 'The gateway failed to handle the request.')
}

/** The request whose body arrives on a connection, to answer parser errors. */
const arriving = new WeakMap<object, Arrival>()

async function answer(
  context: ServerContext,
  req: IncomingMessage,
  res: ServerResponse,
  url: string,
  arrival: Arrival,
  expectsContinue: boolean,
): Promise<void> {
  checkHeaders(req)
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const asked = matched(context, req, path, arrival)
  if (context.connections.beyond(req.socket)) {
    res.shouldKeepAlive = false
    if (asked.endpoint.auth !== 'none')
      throw new GatewayError(
        'GW_TOO_MANY_CONNECTIONS',
        'The gateway has too many open connections. Try again in a moment.',
        BUSY,
      )
  }
  const found = admitted(context, req, path, arrival, asked)
  // Known keys cost no turn of the event loop.
  let admission: Admission | undefined = found instanceof Promise ? await found : found
  const { endpoint, principal } = admission
  if (endpoint.dialect !== undefined && endpoint.isExchange === true) {
    const operation = operationOf(req, endpoint.dialect)
    arrival.unread = { request_id: arrival.out.id, key_id: principal.keyId, operation }
  }
  // They were checked, and a reply may take minutes. What is left of them is in `headers`.
  req.rawHeaders = NO_HEADERS
  let body: Buffer = EMPTY
  if (endpoint.takesBody) {
    body = await takeBody(context.runtime, req, res, arrival, expectsContinue)
    if (endpoint.isExchange === true) await sideBySide('request', principal.keyId, body.length)
    // While the body arrived, the key may have been revoked and the route may have changed, by a reload, too.
    admission = undefined
  }
  // A reload may come whenever this waits. Nothing may wait between the last look at the router and the call.
  while (admission?.router !== context.router) {
    const still = admitted(context, req, path, arrival, asked)
    admission = still instanceof Promise ? await still : still
  }
  const query = mark === -1 ? '' : url.slice(mark + 1)
  const { runtime } = context
  const call = { params: admission.params, principal: admission.principal, body }
  await admission.endpoint.handle({ runtime, req, out: arrival.out, path, query, ...call })
}

/** A route, as a router found it. */
interface Asked extends Match {
  readonly router: Router
}

/** A caller who may use a route. */
interface Admission extends Asked {
  readonly principal: Principal
}

function matched({ router }: ServerContext, req: IncomingMessage, path: string, arrival: Arrival): Asked {
  const { endpoint, params } = router.match(req.method as string, path)
  arrival.endpoint = endpoint
  if (endpoint.dialect !== undefined) arrival.out = arrival.out.in(endpoint.dialect)
  return { router, endpoint, params }
}

/**
 * Admits the caller to a route of the router that serves now: a reload replaces it and stops the plugins behind it.
 *
 * @param before the route that was found
 */
function admitted(
  context: ServerContext,
  req: IncomingMessage,
  path: string,
  arrival: Arrival,
  before: Asked,
): Admission | Promise<Admission> {
  const asked = before.router === context.router ? before : matched(context, req, path, arrival)
  if (asked.endpoint.auth === 'none') return { ...asked, principal: undefined as never }
  const found = callerOf(context, asked.endpoint, req)
  return found instanceof Promise
    ? found.then((principal) => ({ ...asked, principal }))
    : { ...asked, principal: found }
}

/** @throws GatewayError GW_MISSING_KEY, GW_INVALID_KEY, GW_BAD_REQUEST, GW_ADMIN_REQUIRED */
function callerOf(context: ServerContext, endpoint: Endpoint, req: IncomingMessage): Principal | Promise<Principal> {
  const { callers } = context.runtime
  const found = callers.authenticate(req.headers as CredentialHeaders, req.method, certificateOf(req.socket))
  if (endpoint.auth !== 'admin') return found
  return found instanceof Promise
    ? found.then((principal) => adminOnly(context, req, principal))
    : adminOnly(context, req, found)
}

function adminOnly(context: ServerContext, req: IncomingMessage, principal: Principal): Principal {
  if (principal.admin) return principal
  const error = new GatewayError('GW_ADMIN_REQUIRED', 'This route needs an admin key.')
  context.onAuthFailure(req, error, principal.keyId)
  throw error
}

async function takeBody(
  runtime: Runtime,
  req: IncomingMessage,
  res: ServerResponse,
  arrival: Arrival,
  expectsContinue: boolean,
): Promise<Buffer> {
  const limit = runtime.config.listen.max_body_bytes
  checkBodyHeaders(req, limit)
  if (expectsContinue) res.writeContinue()
  const { socket } = req
  arriving.set(socket, arrival)
  try {
    return await readBody(req, limit)
  } finally {
    arriving.delete(socket)
  }
}

/** Headers of which Node drops or joins duplicates, while other parsers may choose another one. */
const SINGLE: ReadonlySet<string> = new Set([
  ...KEY_HEADERS,
  ...`host content-length content-type content-encoding transfer-encoding cookie expect traceparent
  x-client-request-id x-service-flags x-service-session-id
  x-service-timeout x-service-region idempotency-key`.split(/\s+/),
])

/**
 * RFC 9112 §3.2: exactly one Host, and one of each critical header; otherwise two parsers may see different requests.
 * §6.1: chunked is the only transfer coding that the parser undoes, and HTTP/1.0 has none.
 */
function checkHeaders({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): void {
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase()
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) throw badHeaders(`more than one ${name === 'host' ? 'Host' : name} header`)
    seen.add(name)
  }
  if (!seen.has('host') && httpVersionMinor > 0) throw badHeaders('no Host header')
  const coding = headers['transfer-encoding']
  if (coding === undefined) return
  if (httpVersionMinor === 0) throw badHeaders('a transfer coding in HTTP/1.0')
  if (coding.toLowerCase() !== 'chunked') throw badHeaders('a transfer coding other than chunked')
}

const badHeaders = (what: string): GatewayError =>
  new GatewayError('GW_BAD_REQUEST', `The request has ${what}.`, { headers: { connection: 'close' } })

const badTarget = (): GatewayError =>
  new GatewayError(
    'GW_BAD_REQUEST',
    'The target of the request must be a path, or a URL of http or https with a host and without a user name.',
    { headers: { connection: 'close' } },
  )

/** Answers requests that the HTTP parser refused, or whose body it cut, with the same kind of error. */
function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // RFC 9112 §9.6: what follows a request that closes the connection is not read, and its reply is still to come.
  if (error.code === 'HPE_CLOSED_CONNECTION' && isReplying(socket)) return
  // What is wrong came after a request: an answer would be taken for its reply, or for a part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || isReplying(socket)) {
    socket.destroy()
    return
  }
  const refusal = refusalOf(error.code)
  const arrival = arriving.get(socket)
  if (arrival !== undefined) arrival.refusal = refusal
  const id = arrival?.out.id ?? requestId()
  const body = JSON.stringify({ error: { ...refusal.toBody(), request_id: id } })
  const head = `HTTP/1.1 ${refusal.status} ${reasonOf(refusal.status)}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${id}\r\nx-should-retry: false\r\n`
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
}

function refusalOf(code: string | undefined): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new GatewayError('GW_HEADERS_TOO_LARGE', 'The request headers are larger than `listen.max_header_bytes`.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new GatewayError('GW_REQUEST_TIMEOUT', 'The request did not arrive in time.')
  return new GatewayError('GW_BAD_REQUEST', 'The request is not well-formed HTTP/1.1.')
}

const reasonOf = (status: number): string =>
  status === 431 ? 'Request Header Fields Too Large' : status === 408 ? 'Request Timeout' : 'Bad Request'
