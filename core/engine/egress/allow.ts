/** `egress.allow` of the config file: the only way to allow non-public addresses. */
import {
  type Cidr,
  canonical,
  categoryOfAddress,
  isAddress,
  overlap,
  PRIVATE_RANGES,
  parseRange,
  within,
} from './address.ts'
import type { Category } from './category.ts'
import { kindOfName, plainHost } from './target.ts'

export class Allowlist {
  readonly #ranges: readonly Cidr[]
  readonly #exact: ReadonlySet<string>

  /** @param entries CIDR ranges and exact `host:port`, already validated */
  constructor(entries: readonly string[] = []) {
    this.#ranges = entries.map(parseRange).filter((range) => range !== undefined)
    const targets = entries.flatMap((entry) => splitHostPort(entry) ?? [])
    this.#exact = new Set(targets.map(({ host, port }) => keyOf(host, port)))
  }

  /** Whether private ranges are allowed, so that internal names may be resolved. */
  get opensRanges(): boolean {
    return this.#ranges.length > 0
  }

  /** Whether this exact host and port are listed. */
  names(host: string, port: number): boolean {
    return this.#exact.has(keyOf(host, port))
  }

  /** Whether an address of this category is allowed for `host:port`, the original target. */
  opens(category: Category, address: string, host: string, port: number): boolean {
    if (category !== 'private' && category !== 'loopback') return false
    if (this.names(host, port)) return true
    return category === 'private' && this.#ranges.some((range) => within(address, range))
  }
}

const keyOf = (host: string, port: number): string => `${isAddress(host) ? canonical(host) : host}:${port}`

function splitHostPort(entry: string): { host: string; port: number } | undefined {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/.exec(entry)
  const port = Number(match?.[2])
  if (match === null || port < 1 || port > 65535) return undefined
  const host = plainHost(match[1] as string)
  if (match[1]?.startsWith('[') ? !isAddress(host) : host === '' || isOddNumber(host)) return undefined
  return { host, port }
}

/** `0177.1` or `2130706433`: an address to some parsers, a name to others. */
const isOddNumber = (host: string): boolean => /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host) && !isAddress(host)

/** The problem of an entry, as a phrase that follows the entry; undefined if none. */
export function allowProblem(entry: string): string | undefined {
  const range = parseRange(entry)
  if (range !== undefined) return rangeProblem(range)
  const target = splitHostPort(entry)
  if (target !== undefined) return targetProblem(target.host)
  const bare = isAddress(entry) ? (entry.includes(':') ? `[${entry}]` : entry) : undefined
  const hint = bare === undefined ? '' : `: add a port (${bare}:443) or a prefix length`
  return `is neither a CIDR range such as 10.0.0.0/8 nor an exact host:port${hint}`
}

function rangeProblem(range: Cidr): string | undefined {
  if (PRIVATE_RANGES.some((own) => overlap(own, range))) return undefined
  const category = categoryOfAddress(range[0].toString())
  if (category === 'loopback') {
    return 'opens nothing: loopback is opened only by an exact host:port such as 127.0.0.1:9200'
  }
  if (category === 'public') return 'opens nothing: public addresses are open already. Remove it'
  return `opens nothing: a range opens private addresses only, and these are ${category}`
}

function targetProblem(host: string): string | undefined {
  const category = isAddress(host) ? categoryOfAddress(host) : kindOfName(host)
  const openable: readonly string[] = ['public', 'private', 'loopback', 'machine', 'internal', 'other']
  return openable.includes(category) ? undefined : `opens nothing: ${category} targets stay refused`
}
