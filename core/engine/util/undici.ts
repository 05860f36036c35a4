/**
 * The parts of undici that the gateway uses. Its index also loads fetch, WebSocket, caches and mocks: two thirds of the
 * time and 14 MB that no exchange needs. The version is exact in package.json, and a test compares these parts with it.
 */
import { createRequire, Module } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

// HTTP/2 is off, but undici would load it and Node's at once: 4 MB and 6 ms of a start. Its tunnels may use it.
const HTTP2 = require.resolve('undici/lib/dispatcher/client-h2.js')
const connectHttp2 = (...args: unknown[]): unknown => {
  delete require.cache[HTTP2]
  return require(HTTP2)(...args)
}
require.cache[HTTP2] ??= Object.assign(new Module(HTTP2), { exports: connectHttp2, loaded: true })

const {
  kParser,
  kSocket,
}: { readonly kParser: symbol; readonly kSocket: symbol } = require('undici/lib/core/symbols.js')
const BasePool: typeof undici.Pool = require('undici/lib/dispatcher/pool.js')

/** Connections to one origin. */
export const Pool: typeof undici.Pool = class extends BasePool {
  constructor(origin: string | URL, options?: undici.Pool.Options) {
    super(origin, options)
    this.on('connect', (_origin, targets) => {
      const parser = parserOf(targets.at(-1))
      if (parser === undefined) return
      stopAtOverflow(parser)
      passContinue(parser)
    })
  }
}
export const Agent: typeof undici.Agent = require('undici/lib/dispatcher/agent.js')
/** Loads the whole index, which its tunnels need: only for upstreams with a proxy. */
export const openProxy = (options: undici.ProxyAgent.Options): undici.ProxyAgent =>
  new (require('undici') as typeof undici).ProxyAgent(options)
export type Pool = undici.Pool

/** What parses the replies of one connection. */
interface Parser {
  readonly socket: { readonly destroyed: boolean }
  trackHeader(length: number): void
  onHeaderField(name: Uint8Array): number
  onHeaderValue(value: Uint8Array): number
  onHeadersComplete(status: number, upgrade: boolean, keepAlive: boolean): number
}

const parserOf = (client: object | undefined): Parser | undefined =>
  (client as { readonly [kSocket]?: { readonly [kParser]?: Parser } } | undefined)?.[kSocket as never]?.[
    kParser as never
  ]

/**
 * Stops the parser when a head is too large. By itself it continues to the end of what was read, with an error and its stack for
 * each header: half a second.
 */
function stopAtOverflow(parser: Parser): void {
  const track = parser.trackHeader
  parser.trackHeader = (length) => {
    track.call(parser, length)
    if (parser.socket.destroyed) parser.onHeaderField = parser.onHeaderValue = stop
  }
}
const stop = (): number => -1

const [CONTINUE, PROCESSING] = [100, 102]

/**
 * A client must be able to parse interim responses that it does not expect (RFC 9110, 15.2). Undici does, except for 100,
 * where it closes the connection. Nothing else distinguishes 100 from 102 here: neither has a body, and no request asks for one.
 */
function passContinue(parser: Parser): void {
  const complete = parser.onHeadersComplete
  parser.onHeadersComplete = (status, upgrade, keepAlive) =>
    complete.call(parser, status === CONTINUE ? PROCESSING : status, upgrade, keepAlive)
}
export type Agent = undici.Agent
export type { Dispatcher } from 'undici'

const api = require('undici/lib/api/api-request.js') as undici.Dispatcher['request']

/** `undici.request` with a dispatcher. */
export const request = (
  dispatcher: undici.Dispatcher,
  { origin, pathname, search }: URL,
  options: Omit<undici.Dispatcher.RequestOptions, 'origin' | 'path'>,
): Promise<undici.Dispatcher.ResponseData<unknown>> =>
  api.call(dispatcher, { ...options, origin, path: pathname + search })
