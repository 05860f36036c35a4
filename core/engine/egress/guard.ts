/** Decides where a plugin may connect, and pins names to the checked addresses. */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { canonical, categoryOfAddress, isAddress } from './address.ts'
import { Allowlist } from './allow.ts'
import { EgressError, type RefusedCategory } from './category.ts'
import { kindOfName, readHost, readTarget, type Target } from './target.ts'

export interface Address {
  readonly address: string
  readonly family: number
}

/** All addresses of a name; empty or an error if there are none. */
export type Resolve = (host: string) => Promise<readonly Address[]>

export interface GuardOptions {
  /** Entries of `egress.allow`. Default none. */
  readonly allow?: readonly string[]
  /** Default: the system's resolver. */
  readonly resolve?: Resolve
  /** Addresses of this machine's interfaces, which reach services bound to all interfaces. */
  readonly ownAddresses?: () => Iterable<string>
}

const DNS_MS = 3000

export class EgressGuard {
  readonly #allow: Allowlist
  readonly #resolve: Resolve
  readonly #own: () => Iterable<string>

  constructor({ allow, resolve = systemResolve, ownAddresses = interfaceAddresses }: GuardOptions = {}) {
    this.#allow = new Allowlist(allow)
    this.#resolve = resolve
    this.#own = ownAddresses
  }

  /** Checks a URL as far as possible without resolving its name. Throws `GW_SSRF_BLOCKED`. */
  admit(url: string): Target {
    const target = readTarget(url)
    if (typeof target === 'string') throw EgressError.refused(target)
    const category = this.#judge(target.host, target.port)
    if (category !== undefined) throw EgressError.refused(category)
    return target
  }

  /** The same for a raw connection; returns the host in plain spelling. */
  admitHost(host: string, port: number): string {
    if (!Number.isInteger(port) || port < 1 || port > 65535) throw EgressError.refused('port')
    const plain = readHost(host)
    if (plain === undefined) throw EgressError.refused('malformed')
    const category = this.#judge(plain, port)
    if (category !== undefined) throw EgressError.refused(category)
    return plain
  }

  /**
   * Why a URL would be refused, or undefined. `resolve` also looks up its name; a name without addresses is refused as
   * `dns`.
   */
  async check(url: string, { resolve }: { resolve: boolean }): Promise<RefusedCategory | undefined> {
    const target = readTarget(url)
    if (typeof target === 'string') return target
    const category = this.#judge(target.host, target.port)
    if (category !== undefined || !resolve || isAddress(target.host)) return category
    try {
      await this.addresses(target.host, target.port)
      return undefined
    } catch (error) {
      return (error as EgressError).category as RefusedCategory
    }
  }

  /** The checked addresses of a name: a single bad one refuses all. Throws `EgressError`. */
  async addresses(host: string, port: number): Promise<readonly Address[]> {
    const found = await withDeadline(this.#resolve(host), DNS_MS).catch((cause: unknown) => {
      throw EgressError.failed('dns', cause)
    })
    if (found.length === 0) throw EgressError.failed('dns')
    for (const { address } of found) {
      const category = this.#judgeAddress(address, host, port)
      if (category !== undefined) throw EgressError.refused(category)
    }
    return found.map(({ address }) => ({ address, family: isIP(address) }))
  }

  /** For `net.connect` and undici: connects to the checked addresses, so that a second DNS answer changes nothing. */
  lookup(port: number): LookupFunction {
    return (hostname, options, callback) => {
      const host = hostname.toLowerCase().replace(/\.+$/, '')
      this.addresses(host, port).then(
        (all) => {
          const family = Number(String(options.family ?? 0).replace('IPv', ''))
          const usable = family === 0 ? all : all.filter((one) => one.family === family)
          const [first] = usable
          if (first === undefined) callback(EgressError.failed('dns'), '', 0)
          else if (options.all)
            callback(
              null,
              usable.map((one) => ({ ...one })),
            )
          else callback(null, first.address, first.family)
        },
        (error: EgressError) => callback(error, '', 0),
      )
    }
  }

  #judge(host: string, port: number): RefusedCategory | undefined {
    if (isAddress(host)) return this.#judgeAddress(host, host, port)
    const kind = kindOfName(host)
    if (kind === 'other') return undefined
    if (kind === 'metadata') return 'hostname'
    if (this.#allow.names(host, port)) return undefined
    return kind === 'internal' && this.#allow.opensRanges ? undefined : 'hostname'
  }

  #judgeAddress(address: string, host: string, port: number): RefusedCategory | undefined {
    const by = categoryOfAddress(address)
    const category = (by === 'public' || by === 'private') && this.#isOwn(address) ? 'loopback' : by
    if (category === 'public' || this.#allow.opens(category, address, host, port)) return undefined
    return category
  }

  #isOwn(address: string): boolean {
    const plain = canonical(address)
    for (const own of this.#own()) if (own === plain) return true
    return false
  }
}

/**
 * The category for which the guard would refuse a URL, or undefined.
 *
 * @param allow entries of `egress.allow`
 * @param resolve looks names up; without one they are judged by their spelling only
 */
export function checkUrl(
  url: string,
  allow: readonly string[] = [],
  resolve?: Resolve,
): Promise<RefusedCategory | undefined> {
  const guard = new EgressGuard({ allow, ...(resolve && { resolve }) })
  return guard.check(url, { resolve: resolve !== undefined })
}

/** Passes no hints: undici's would hide a name's IPv6 addresses on a host without IPv6. */
const systemResolve: Resolve = (host) => systemLookup(host, { all: true })

const INTERFACES_MS = 30_000
let interfaces: { readonly at: number; readonly addresses: ReadonlySet<string> } | undefined

function interfaceAddresses(): ReadonlySet<string> {
  const now = performance.now()
  if (interfaces === undefined || now - interfaces.at > INTERFACES_MS) {
    const all = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
    const usable = all.map(({ address }) => address).filter(isAddress)
    interfaces = { at: now, addresses: new Set(usable.map(canonical)) }
  }
  return interfaces.addresses
}

function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The resolver did not answer in time.')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
