import type { IncomingHttpHeaders } from 'node:http'
import type { UpstreamConfig } from '../config/types.ts'
import { isProtectedHeader } from '../contract/header-rules.ts'
import { isModelName, isPlain, mayBeValue, toldTrace } from '../util/outside.ts'

type Shape = (value: string) => boolean

/** A random W3C trace id. */
const isTrace: Shape = (value) => {
  const [, id, span] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0[0-3]$/.exec(value) ?? []
  return id !== undefined && toldTrace(id) !== undefined && /[a-f]/.test(span as string)
}
const isTraceState: Shape = (value) =>
  value.length <= 512 &&
  value.split(',').every((entry) => /^[a-z][a-z0-9_-]{0,63}=[\w.:;/+-]{1,64}$/.test(entry.trim())) &&
  !mayBeValue(value)
const isBeta: Shape = (value) =>
  value.length <= 256 && /^[a-z][a-z_-]{0,40}=v\d{1,3}(?:, ?[a-z][a-z_-]{0,40}=v\d{1,3})*$/.test(value)

/**
 * Client headers that providers understand, each with its shape. Plugins do not see headers, so other values are
 * withheld. All other headers are withheld unless the upstream's `forward_headers` lists them.
 */
const FORWARDED: ReadonlyMap<string, Shape> = new Map([
  ['openai-beta', isBeta],
  ['traceparent', isTrace],
  ['tracestate', isTraceState],
  ['x-client-request-id', isPlain],
  ['idempotency-key', isPlain],
])

/**
 * Headers of every request to a provider. The client's key never leaves: `authorization` is the upstream's own, or
 * absent.
 */
export function ownHeaders({ headers, key }: UpstreamConfig): Readonly<Record<string, string>> {
  const own = { 'accept-encoding': 'identity', ...headers }
  return key === undefined ? own : { ...own, authorization: `Bearer ${key}` }
}

/** Headers of a chat request: the upstream's, then the client's and those of plugins. */
export function upstreamHeaders(
  own: Readonly<Record<string, string>>,
  client: IncomingHttpHeaders,
  extra: readonly string[],
  fromPlugins: Readonly<Record<string, string>> | undefined,
  onWithheld: (count: number) => void,
): Record<string, string> {
  const headers: Record<string, string> = { ...own }
  headers['content-type'] ??= 'application/json'
  let withheld = 0
  for (const [name, isShaped] of FORWARDED) {
    const value = client[name]
    if (value === undefined) continue
    if (typeof value === 'string' && isShaped(value)) headers[name] = value
    else if (!extra.includes(name)) withheld++
  }
  if (withheld > 0) onWithheld(withheld)
  if (extra.length > 0) forward(client, extra, headers)
  if (fromPlugins !== undefined) Object.assign(headers, fromPlugins)
  return headers
}

function forward(client: IncomingHttpHeaders, names: readonly string[], headers: Record<string, string>): void {
  for (const name of names) {
    const value = client[name]
    if (typeof value === 'string' && !isProtectedHeader(name)) headers[name] = value
  }
}

/** `req_` and 32 hexadecimal digits, as OpenAI and others write them, or any plain name. */
const isRequestId: Shape = (value) => isPlain(value) || /^(?:req_)?(?=(?:[^a-f]*[a-f]){3})[0-9a-f]{32}$/.test(value)
const RATE_NAME = /^x-ratelimit-(?:limit|remaining|reset)-(?:[a-z]{1,16}-?){1,4}$/
/** A count, or a time until then such as `6m0s`. */
const isRate: Shape = (value) => /^\d{1,9}$|^(?:\d{1,5}(?:\.\d{1,6})?(?:ms|s|m|h|d)){1,5}$/.test(value)

const REPLIED: ReadonlyMap<string, Shape> = new Map([
  ['openai-processing-ms', (value: string) => /^\d{1,8}$/.test(value)],
  ['openai-version', (value: string) => /^20\d\d-[01]\d-[0-3]\d$/.test(value)],
  ['openai-model', isModelName],
  ['openai-organization', (value: string) => /^[a-z0-9-]{1,64}$/.test(value) && isPlain(value)],
])

/**
 * Provider headers that the client may see: SDK headers, and request id and rate limits under separate names, because
 * they concern the provider's key and not the client's. Only values with the expected shape pass; `onWithheld` gets the
 * number of others.
 */
export function replyHeaders(
  provider: Readonly<Record<string, string | string[] | undefined>>,
  rateLimits: boolean,
  onWithheld: (count: number) => void,
): Record<string, string> {
  const headers: Record<string, string> = {}
  let withheld = 0
  for (const name in provider) {
    const value = provider[name]
    if (typeof value !== 'string') continue
    if (name === 'x-request-id') {
      if (isRequestId(value)) headers['x-upstream-request-id'] = value
      else withheld++
    } else if (name.startsWith('x-ratelimit-')) {
      if (!rateLimits) continue
      if (RATE_NAME.test(name) && isRate(value)) headers[`x-upstream-${name.slice(2)}`] = value
      else withheld++
    } else {
      const isShaped = REPLIED.get(name)
      if (isShaped?.(value) === true) headers[name] = value
      else if (isShaped !== undefined) withheld++
    }
  }
  if (withheld > 0) onWithheld(withheld)
  return headers
}

/** A provider's `Retry-After`, seconds or an HTTP date, as whole seconds; undefined if it is neither. */
export function retryAfterSeconds(value: string | string[] | undefined, now = Date.now()): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{1,6}$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
