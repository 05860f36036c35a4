import type { IncomingHttpHeaders } from 'node:http'
import type { UpstreamConfig } from '../config/types.ts'
import { isProtectedHeader } from '../contract/header-rules.ts'
import { isModelName, isPlain, logSafeTrace, mayBeValue } from '../util/outside.ts'
import { kindOf } from './kinds.ts'

type Shape = (value: string) => boolean

/** A random W3C trace id. */
const isTrace: Shape = (value) => {
  const [, id, span] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0[0-3]$/.exec(value) ?? []
  return id !== undefined && logSafeTrace(id) !== undefined && /[a-f]/.test(span as string)
}
const isTraceState: Shape = (value) =>
  value.length <= 512 &&
  value.split(',').every((entry) => /^[a-z][a-z0-9_-]{0,63}=[\w.:;/+-]{1,64}$/.test(entry.trim())) &&
  !mayBeValue(value)
const isBeta: Shape = (value) =>
  value.length <= 256 && /^[a-z][a-z_-]{0,40}=v\d{1,3}(?:, ?[a-z][a-z_-]{0,40}=v\d{1,3})*$/.test(value)

/** A list of features with dates, such as `claude-code-20250219,interleaved-thinking-2025-05-14`. */
const isFeatureList: Shape = (value) =>
  value.length <= 2048 && value.split(',').every((entry) => isFeature(entry.trim().replace(FEATURE_DATE, '')))
// Word by word: one expression with both kinds of words tries each of them as either, which takes time without end.
const isFeature: Shape = (name) => name.length <= 64 && name.split('-').every(isWord) && !/\d(?:\D?\d){5}/.test(name)
const isWord = (word: string, at: number): boolean =>
  /^[a-z]{1,24}$/.test(word) || (at > 0 && /^[a-z0-9]{1,5}$/.test(word))
const FEATURE_DATE = /-20\d\d-?[01]\d-?[0-3]\d$/
const isDate: Shape = (value) => /^20\d\d-[01]\d-[0-3]\d$/.test(value)

/**
 * Client headers that providers understand, each with its shape. Plugins do not see headers, so other values are
 * withheld. All other headers are withheld unless the upstream's `forward_headers` lists them.
 */
const FORWARDED: ReadonlyMap<string, Shape> = new Map([
  ['openai-beta', isBeta],
  ['anthropic-beta', isFeatureList],
  ['anthropic-version', isDate],
  ['traceparent', isTrace],
  ['tracestate', isTraceState],
  ['x-client-request-id', isPlain],
  ['idempotency-key', isPlain],
])

/** Headers of every request to a provider. The client's key never leaves: any key is the upstream's own. */
export function ownHeaders(config: UpstreamConfig): Readonly<Record<string, string>> {
  const kind = kindOf(config)
  const own: Record<string, string> = { 'accept-encoding': 'identity', ...kind.headers }
  for (const [name, value] of Object.entries(config.headers)) own[name.toLowerCase()] = value
  const key = config.key ?? config.keys?.[0]
  return key === undefined ? own : { ...own, ...kind.keyHeader(key) }
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
  // It says nothing without the trace that it belongs to.
  if (headers.traceparent === undefined && !extra.includes('tracestate')) delete headers.tracestate
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

/** `req_` and 32 hexadecimal digits, as OpenAI and others write them, `req_011…` of Anthropic, or any plain name. */
const isRequestId: Shape = (value) =>
  isPlain(value) || /^(?:req_)?(?=(?:[^a-f]*[a-f]){3})[0-9a-f]{32}$/.test(value) || ANTHROPIC_ID.test(value)
/** Base 58, mostly letters, without a long number. */
const ANTHROPIC_ID = /^req_01(?!.*\d{6})(?=(?:\d*[A-Za-z]){10})[1-9A-HJ-NP-Za-km-z]{18,26}$/

const REQUEST_IDS: ReadonlySet<string> = new Set(['x-request-id', 'request-id', 'apim-request-id'])

const RATE_NAMES = [
  /^x-ratelimit-(?:limit|remaining|reset)-(?:[a-z]{1,16}-?){1,4}$/,
  /^anthropic-ratelimit-(?:[a-z]{1,16}-){1,4}(?:limit|remaining|reset)$/,
]
/** A count, a time until then such as `6m0s`, or a date and time. */
const isRate: Shape = (value) =>
  /^\d{1,9}$|^(?:\d{1,5}(?:\.\d{1,6})?(?:ms|s|m|h|d)){1,5}$/.test(value) ||
  /^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d{1,3})?Z$/.test(value)

const REPLIED: ReadonlyMap<string, Shape> = new Map([
  ['openai-processing-ms', (value: string) => /^\d{1,8}$/.test(value)],
  ['openai-version', isDate],
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
    if (REQUEST_IDS.has(name)) {
      if (isRequestId(value)) headers['x-upstream-request-id'] = value
      else withheld++
    } else if (name.startsWith('x-ratelimit-') || name.startsWith('anthropic-ratelimit-')) {
      if (!rateLimits) continue
      const isNamed = RATE_NAMES.some((shape) => shape.test(name))
      if (isNamed && isRate(value)) headers[`x-upstream${name.slice(name.indexOf('-'))}`] = value
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

/** Seconds or a date, milliseconds, and a yes or no, as the SDKs read them. */
const RETRY: ReadonlyMap<string, Shape> = new Map([
  ['retry-after', (value: string) => /^\d{1,6}(?:\.\d{1,6})?$/.test(value) || isHttpDate(value)],
  ['retry-after-ms', (value: string) => /^\d{1,9}(?:\.\d{1,6})?$/.test(value)],
  ['x-should-retry', (value: string) => value === 'true' || value === 'false'],
])
/** IMF-fixdate of RFC 9110 §5.6.7. */
const isHttpDate: Shape = (value) => /^[A-Z][a-z]{2}, .{20} GMT$/.test(value) && new Date(value).toUTCString() === value

/** What a provider says with an error about asking again. Other forms are withheld. */
export function retryHeaders(
  provider: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, isShaped] of RETRY) {
    const value = provider[name]
    if (typeof value === 'string' && isShaped(value)) headers[name] = value
  }
  return headers
}

/** How long a provider wants no requests, milliseconds; undefined if it does not say. Also times too long to pass on. */
export function retryAfterMs(
  provider: Readonly<Record<string, string | string[] | undefined>>,
  now: number = Date.now(),
): number | undefined {
  const { 'retry-after-ms': ms, 'retry-after': after } = provider
  if (isDecimal(ms)) return Number(ms)
  if (isDecimal(after)) return Number(after) * 1000
  return typeof after === 'string' && isHttpDate(after) ? Math.max(0, Date.parse(after) - now) : undefined
}

const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value)
