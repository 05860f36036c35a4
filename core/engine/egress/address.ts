/**
 * Categories of addresses. ipaddr.js parses; the table is ours, since the ranges of the library have holes (it calls
 * `::7f00:1`, `4000::1` and 168.63.129.16 unicast) and hide what must not be opened with a private range (100.100.100.200).
 *
 * Sources: the IANA special-purpose address registries (RFC 6890) and the clouds' documentation of their metadata services.
 */
import ipaddr from 'ipaddr.js'
import type { Category } from './category.ts'

export type Cidr = ReturnType<typeof ipaddr.parseCIDR>
type Row = readonly [Cidr, Category | 'mapped']

const rows = (category: Category | 'mapped', ...ranges: string[]): Row[] =>
  ranges.map((range) => [ipaddr.parseCIDR(range), category])

/** The first match wins. */
const IPV4: readonly Row[] = [
  ...rows('metadata', '169.254.169.254/32', '169.254.170.2/32', '169.254.170.23/32', '169.254.169.253/32'),
  ...rows('metadata', '169.254.169.123/32', '169.254.0.23/32', '169.254.42.42/32'),
  ...rows('metadata', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'),
  ...rows('unspecified', '0.0.0.0/8'),
  ...rows('loopback', '127.0.0.0/8'),
  ...rows('link_local', '169.254.0.0/16'),
  ...rows('private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'),
  ...rows('reserved', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'),
  ...rows('reserved', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'),
  ...rows('multicast', '224.0.0.0/4'),
  ...rows('reserved', '240.0.0.0/4'),
  ...rows('public', '0.0.0.0/0'),
]

const IPV6: readonly Row[] = [
  ...rows('metadata', 'fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'),
  ...rows('metadata', 'fd00:a9fe:a9fe::1/128', 'fd00:100::100:200/128', 'fe80::a9fe:a9fe/128'),
  ...rows('unspecified', '::/128'),
  ...rows('loopback', '::1/128'),
  ...rows('mapped', '::ffff:0:0/96'),
  // IPv4-compatible, translated (RFC 6145), NAT64 (RFC 6052, RFC 8215), 6to4, Teredo.
  ...rows('embedded_v4', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'),
  ...rows('link_local', 'fe80::/10'),
  ...rows('private', 'fc00::/7'),
  ...rows('multicast', 'ff00::/8'),
  ...rows('reserved', '2001::/23', '2001:4:112::/48', '2001:db8::/32', '2620:4f:8000::/48', '3fff::/20'),
  ...rows('public', '2000::/3'),
  // Unassigned addresses are not public.
  ...rows('reserved', '::/0'),
]

/** Ranges that an operator may allow. */
export const PRIVATE_RANGES: readonly Cidr[] = [...IPV4, ...IPV6]
  .filter(([, category]) => category === 'private')
  .map(([range]) => range)

/** Whether a text is an address in plain spelling: four decimal parts, or IPv6 without brackets and zone. */
export function isAddress(text: string): boolean {
  if (text.includes(':')) return !text.includes('%') && ipaddr.IPv6.isValid(text)
  // `isValid` would also accept 0177.1 and 2130706433.
  return ipaddr.IPv4.isValidFourPartDecimal(text)
}

/** The canonical spelling of an address: mapped addresses become IPv4, IPv6 is compressed. */
export const canonical = (address: string): string => ipaddr.process(address).toString()

/** The category of an address; `malformed` if it is not in plain spelling. */
export function categoryOfAddress(address: string): Category {
  if (!isAddress(address)) return 'malformed'
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return lookUp(IPV4, parsed)
  const category = lookUp(IPV6, parsed)
  return category === 'mapped' ? lookUp(IPV4, ipaddr.IPv4.parse(canonical(address))) : category
}

function lookUp<T extends Category | 'mapped'>(table: readonly Row[], address: ReturnType<typeof ipaddr.parse>): T {
  const row = table.find(([range]) => address.match(range as never))
  return (row as Row)[1] as T
}

/** Whether an address lies in a range; a mapped address counts as its IPv4 address. */
export function within(address: string, [base, bits]: Cidr): boolean {
  const parsed = ipaddr.process(address)
  return parsed.kind() === base.kind() && parsed.match([base, bits] as never)
}

/** Whether two ranges overlap: then one contains the other's base. */
export function overlap(a: Cidr, b: Cidr): boolean {
  if (a[0].kind() !== b[0].kind()) return false
  const bits = Math.min(a[1], b[1])
  return a[0].match([b[0], bits] as never)
}

/** Parses `address/bits` in plain spelling, or returns undefined. */
export function parseRange(text: string): Cidr | undefined {
  const [address, bits, ...rest] = text.split('/')
  if (address === undefined || bits === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return undefined
  if (!isAddress(address) || Number(bits) > (address.includes(':') ? 128 : 32)) return undefined
  return ipaddr.parseCIDR(text)
}
