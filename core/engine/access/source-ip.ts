import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Range = ReturnType<typeof ipaddr.parseCIDR>

/**
 * The client's address: the socket's peer or, if that is a trusted proxy, the last untrusted hop of `X-Forwarded-For`.
 *
 * @param trusted addresses or CIDR ranges of `listen.trusted_proxies`
 */
export function sourceIpOf(trusted: readonly string[]): (req: IncomingMessage) => string | undefined {
  if (trusted.length === 0) return (req) => req.socket.remoteAddress
  const ranges = trusted.map(toRange)
  const isTrusted = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range))
  }
  return (req) => {
    let hop = req.socket.remoteAddress
    const chain = String(req.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => part.trim())
    while (hop !== undefined && isTrusted(hop)) {
      const next = addressOf(chain.pop())
      if (next === undefined) break
      hop = next
    }
    return hop
  }
}

/** Parses an address, optionally with a port. Undefined for anything else. A zone means something to its own node only (RFC 4007, 11). */
function addressOf(entry = ''): string | undefined {
  const address = /^\[([^[\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address
  return ipaddr.IPv6.isValid(address) ? address.replace(/%.*/, '') : undefined
}

function toRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128] as Range
}
