import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Address {
  readonly version: 4 | 6
  readonly text: string
}

/**
 * An address in the form that receivers accept: IPv4-mapped IPv6 becomes IPv4, and zones are dropped. Undefined if it
 * is not an address, such as `others` in events about many sources.
 */
export function address(value: string | undefined): Address | undefined {
  const bare = value?.split('%', 1)[0] ?? ''
  if (isIP(bare) === 0) return undefined
  const parsed = ipaddr.process(bare)
  return { version: parsed.kind() === 'ipv4' ? 4 : 6, text: parsed.toString() }
}
