/**
 * The parts of undici that the gateway uses. Its index also loads fetch, WebSocket, caches and mocks: two thirds of the
 * time and 14 MB that no exchange needs. The version is exact in package.json, and a test compares these parts with it.
 */
import { createRequire } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

export const Pool: typeof undici.Pool = require('undici/lib/dispatcher/pool.js')
export const Agent: typeof undici.Agent = require('undici/lib/dispatcher/agent.js')
/** Loads the whole index, which its tunnels need: only for upstreams with a proxy. */
export const openProxy = (options: undici.ProxyAgent.Options): undici.ProxyAgent =>
  new (require('undici') as typeof undici).ProxyAgent(options)
export type Pool = undici.Pool
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
