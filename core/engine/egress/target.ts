import type { RefusedCategory } from './category.ts'

/** Target of a URL. */
export interface Target {
  readonly url: URL
  /** Lower case, without brackets and trailing dots. */
  readonly host: string
  readonly port: number
}

const MAX_URL = 2048

/**
 * Parses an absolute http or https URL strictly: refuses what the URL parser would silently repair, because other
 * parsers may repair it differently.
 */
export function readTarget(text: unknown): Target | RefusedCategory {
  if (typeof text !== 'string' || text.length > MAX_URL || /[\0-\x20\x7f\\]/.test(text)) return 'malformed'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'malformed'
  if (scheme !== 'http' && scheme !== 'https') return 'scheme'
  const authority = /^\/\/([^/?#]+)/.exec(text.slice(scheme.length + 1))?.[1]
  if (authority === undefined) return 'malformed'
  if (authority.includes('@')) return 'userinfo'
  if (text.includes('#') || !URL.canParse(text)) return 'malformed'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'userinfo'
  if (url.port === '0') return 'port'
  const host = plainHost(url.hostname)
  if (host === '') return 'malformed'
  return { url, host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) }
}

/** A host in the form of the tables: lower case, no brackets, no trailing dots. */
export function plainHost(hostname: string): string {
  const host = hostname.toLowerCase()
  return host.startsWith('[') ? host.slice(1, -1) : host.replace(/\.+$/, '')
}

/** The host of a raw connection in the form of the tables; other spellings of an address become that address. */
export function readHost(host: string): string | undefined {
  const bare = host.startsWith('[') ? host : host.includes(':') ? `[${host}]` : host
  if (/[\0-\x20\x7f/?#@\\%]/.test(bare) || !URL.canParse(`http://${bare}/`)) return undefined
  const { hostname, port } = new URL(`http://${bare}/`)
  return port === '' ? plainHost(hostname) || undefined : undefined
}

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'api.metadata.cloud.ibm.com',
  'instance-data',
  'instance-data.ec2.internal',
])
const THIS_MACHINE = /(^|\.)localhost$|^localhost\.localdomain$|^ip6-(localhost|loopback)$/
const INTERNAL = /\.(local|localdomain|internal|intranet|lan|corp|home|home\.arpa|svc|cluster\.local|onion)$/

/**
 * Classifies a host name before resolution. `internal` names (`*.internal`, single labels) are allowed together with
 * private ranges, names of this machine only by name and port, and names of metadata services never.
 */
export function kindOfName(host: string): 'metadata' | 'machine' | 'internal' | 'other' {
  if (METADATA_NAMES.has(host)) return 'metadata'
  if (THIS_MACHINE.test(host)) return 'machine'
  return INTERNAL.test(host) || !host.includes('.') ? 'internal' : 'other'
}
