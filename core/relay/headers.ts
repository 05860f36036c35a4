import type { IncomingHttpHeaders } from 'node:http'
import type { UpstreamConfig } from '../config.ts'
import { GatewayError } from '../errors.ts'

/** RFC 9110 §7.6.1 and what proxies add: meant for one connection only. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers of the upstream request that only the gateway decides. */
const PROTECTED = new Set([
  ...HOP_BY_HOP,
  'authorization',
  'host',
  'content-length',
  'content-encoding',
  'cookie',
  'api-key',
  'x-api-key',
])

export const isProtectedHeader = (name: string): boolean => PROTECTED.has(name)

/** RFC 9110 §5.1 and §5.5, without obsolete text. */
export const isField = (name: string, value: unknown): boolean =>
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && typeof value === 'string' && !/[^\t\x20-\x7e]/.test(value)

export function checkHeader(name: string, value: unknown): void {
  if (!isField(name, value)) {
    throw new GatewayError('GW_PLUGIN_CONTRACT', `Header '${name}' has a name or value that HTTP does not allow.`)
  }
}

/** Client headers that providers understand; everything else stays here unless the upstream's `forward_headers` says so. */
const FORWARDED = ['openai-beta', 'traceparent', 'tracestate', 'x-client-request-id', 'idempotency-key']

/** What every request to a provider says. The client's key never leaves: `authorization` is the upstream's own, or absent. */
export function ownHeaders({ headers, key }: UpstreamConfig): Readonly<Record<string, string>> {
  const own = { 'accept-encoding': 'identity', ...headers }
  return key === undefined ? own : { ...own, authorization: `Bearer ${key}` }
}

/** Headers of a chat request for the provider: its own, then those of the client and of plugins. */
export function upstreamHeaders(
  own: Readonly<Record<string, string>>,
  client: IncomingHttpHeaders,
  extra: readonly string[],
  fromPlugins: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { ...own }
  headers['content-type'] ??= 'application/json'
  forward(client, FORWARDED, headers)
  if (extra.length > 0) forward(client, extra, headers)
  if (fromPlugins !== undefined) Object.assign(headers, fromPlugins)
  return headers
}

function forward(client: IncomingHttpHeaders, names: readonly string[], headers: Record<string, string>): void {
  for (const name of names) {
    const value = client[name]
    if (typeof value === 'string' && !PROTECTED.has(name)) headers[name] = value
  }
}

/**
 * Headers of the provider's reply that the client may see: its request id and rate limits under names of their own
 * (they speak of the provider's key, not of the client's), and what SDKs read.
 */
export function replyHeaders(
  provider: Readonly<Record<string, string | string[] | undefined>>,
  rateLimits: boolean,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name in provider) {
    const value = provider[name]
    if (typeof value !== 'string') continue
    if (name === 'x-request-id') headers['x-upstream-request-id'] = value
    else if (name.startsWith('x-ratelimit-')) {
      if (rateLimits) headers[`x-upstream-${name.slice(2)}`] = value
    } else if (name.startsWith('openai-')) headers[name] = value
  }
  return headers
}

/** `Retry-After` of a provider, seconds or an HTTP date, as whole seconds; undefined when it is neither. */
export function retryAfterSeconds(value: string | string[] | undefined, now = Date.now()): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{1,6}$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
