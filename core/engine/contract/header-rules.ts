/** Valid headers, and headers that only the gateway sets. */
import { GatewayError } from './errors.ts'

/** Headers of a single connection: RFC 9110 §7.6.1 and additions by proxies. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
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

/** The client's credentials for the gateway: never passed on. */
export const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key', 'api-key'])

/** Headers of the upstream request that only the gateway sets. */
const PROTECTED = new Set([...HOP_BY_HOP, ...CREDENTIALS, 'host', 'content-length', 'content-encoding'])

export const isProtectedHeader = (name: string): boolean => PROTECTED.has(name)

/** RFC 9110 §5.1 and §5.5, without obsolete text. */
export const isField = (name: string, value: unknown): boolean =>
  isName(name) && typeof value === 'string' && !/[^\t\x20-\x7e]/.test(value)

/** Plugins set the same few names with each request. */
const names = new Set<string>()
const MOST_NAMES = 1000

function isName(name: string): boolean {
  if (names.has(name)) return true
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return false
  if (names.size < MOST_NAMES && name.length <= LONGEST_NAME) names.add(name)
  return true
}

/** Clients and providers refuse response heads with longer names. */
const LONGEST_NAME = 128
const LONGEST_VALUE = 4096

export function checkHeader(name: unknown, value: unknown): void {
  if (typeof name === 'string' && name.length <= LONGEST_NAME && isField(name, value)) {
    if ((value as string).length <= LONGEST_VALUE) return
    throw new GatewayError(
      'GW_PLUGIN_CONTRACT',
      `Header '${name}' has a value of more than ${LONGEST_VALUE} characters.`,
    )
  }
  const shown = typeof name === 'string' ? `'${name.slice(0, LONGEST_NAME)}' ` : ''
  throw new GatewayError('GW_PLUGIN_CONTRACT', `Header ${shown}has a name or value that HTTP does not allow.`)
}
