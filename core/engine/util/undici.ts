/**
 * The parts of undici that the gateway uses. Its index also loads fetch, WebSocket, caches and mocks: two thirds of the
 * time and 14 MB that no exchange needs. The version is exact in package.json, and a test compares these parts with it.
 */
import { createRequire } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

const {
  kParser,
  kSocket,
}: { readonly kParser: symbol; readonly kSocket: symbol } = require('undici/lib/core/symbols.js')
const BasePool: typeof undici.Pool = require('undici/lib/dispatcher/pool.js')

/** Connections to one origin. */
export const Pool: typeof undici.Pool = class extends BasePool {
  constructor(origin: string | URL, options?: undici.Pool.Options) {
    super(origin, options)
    this.on('connect', (_origin, targets) => stopAtOverflow(targets.at(-1)))
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
}

/**
 * Stops the parser when a head is too large. By itself it goes on to the end of what was read, with an error and its stack for
 * each header: half a second.
 */
function stopAtOverflow(client: object | undefined): void {
  const socket = (client as { readonly [kSocket]?: { readonly [kParser]?: Parser } } | undefined)?.[kSocket as never]
  const parser: Parser | undefined = socket?.[kParser as never]
  if (parser === undefined) return
  const track = parser.trackHeader
  parser.trackHeader = (length) => {
    track.call(parser, length)
    if (parser.socket.destroyed) parser.onHeaderField = parser.onHeaderValue = stop
  }
}
const stop = (): number => -1
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
