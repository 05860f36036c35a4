import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Address {
  readonly version: 4 | 6
  readonly text: string
}

/**
 * An address as receivers take it: IPv4 in IPv6 clothes becomes IPv4, a zone is dropped. Undefined for what is none, such
 * as `others` in the events that stand for many sources.
 */
export function address(value: string | undefined): Address | undefined {
  const bare = value?.split('%', 1)[0] ?? ''
  if (isIP(bare) === 0) return undefined
  const parsed = ipaddr.process(bare)
  return { version: parsed.kind() === 'ipv4' ? 4 : 6, text: parsed.toString() }
}
