/** What a header may be, and which ones only the gateway decides. */
import { GatewayError } from './errors.ts'

/** RFC 9110 §7.6.1 and what proxies add: meant for one connection only. */
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

/** They hold the client's credentials for the gateway: never passed on. */
export const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key', 'api-key'])

/** Headers of the upstream request that only the gateway decides. */
const PROTECTED = new Set([...HOP_BY_HOP, ...CREDENTIALS, 'host', 'content-length', 'content-encoding'])

export const isProtectedHeader = (name: string): boolean => PROTECTED.has(name)

/** RFC 9110 §5.1 and §5.5, without obsolete text. */
export const isField = (name: string, value: unknown): boolean =>
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && typeof value === 'string' && !/[^\t\x20-\x7e]/.test(value)

/** Longer ones make whole heads that clients and providers refuse. */
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
