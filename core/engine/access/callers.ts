/** Finds the caller of a request among the configured keys and the sources of plugins. */
import type { KeyConfig } from '../config/types.ts'
import { GatewayError } from '../contract/errors.ts'
import { isLevel } from '../contract/labels.ts'
import type { Principal, PrincipalSource, UnkeyedRequest } from '../contract/principal.ts'
import { isTeam } from '../util/team-name.ts'
import { isThenable } from '../util/thenable.ts'
import type { ClientCertificate } from './client-certificate.ts'
import { type CredentialHeaders, credentialOf } from './credential.ts'
import { invalidKey, Keyring, missingKey } from './keyring.ts'

/** Longer credentials are refused unread. Tokens with many groups have several thousand characters. */
const MAX_CREDENTIAL_LENGTH = 16_384

const MAX_FOREIGN = 20_000

/** A source, and the plugin it belongs to. */
export interface NamedSource {
  readonly plugin: string
  readonly source: PrincipalSource
}

/** Authenticates requests. Without sources of plugins it is the keyring alone. */
export class Callers {
  readonly #keyring: Keyring
  readonly #identifying: readonly NamedSource[]
  readonly #sessions: readonly NamedSource[]
  /** Credentials of sources, so that each is hashed once to look for a configured key. */
  readonly #foreign = new Set<string>()
  /** Principals that were checked, by the object that a source returned. */
  readonly #checked = new WeakMap<object, Principal>()

  constructor(keys: readonly KeyConfig[], sources: readonly NamedSource[] = [], now?: () => number) {
    this.#keyring = new Keyring(keys, now)
    this.#identifying = sources.filter(({ source }) => source.identify !== undefined)
    this.#sessions = sources.filter(({ source }) => source.credentialOf !== undefined)
  }

  /**
   * The principal of a request; a promise only if a source has to look it up. A key in the headers comes first.
   *
   * @param certificate of the client, if it was verified
   *
   * @throws GatewayError GW_MISSING_KEY, GW_INVALID_KEY, GW_BAD_REQUEST
   */
  authenticate(
    headers: CredentialHeaders,
    method = 'GET',
    certificate?: ClientCertificate,
  ): Principal | Promise<Principal> {
    const credential = credentialOf(headers)
    if (credential !== undefined) return this.#identify(credential)
    const certified = certificate === undefined ? undefined : this.#keyring.findCertified(certificate)
    if (certified !== undefined) return fromAnotherSite(headers) ? refuse() : certified
    if (this.#sessions.length === 0) throw missingKey()
    return this.#unkeyed({ method, headers: headers as UnkeyedRequest['headers'] })
  }

  async #unkeyed(request: UnkeyedRequest): Promise<Principal> {
    for (const { source } of this.#sessions) {
      const credential = await source.credentialOf?.(request)
      if (typeof credential === 'string') return this.#identify(credential)
    }
    throw missingKey()
  }

  #identify(credential: string): Principal | Promise<Principal> {
    const configured = this.#foreign.has(credential) ? undefined : this.#keyring.find(credential)
    if (configured !== undefined) return configured
    return credential.length > MAX_CREDENTIAL_LENGTH ? refuse() : this.#ask(credential, 0)
  }

  #ask(credential: string, from: number): Principal | Promise<Principal> {
    for (let i = from; i < this.#identifying.length; i++) {
      const { plugin, source } = this.#identifying[i] as NamedSource
      const found: unknown = source.identify?.(credential)
      if (isThenable(found)) {
        return Promise.resolve(found).then((late) => this.#accept(plugin, late) ?? this.#ask(credential, i + 1))
      }
      const principal = this.#accept(plugin, found)
      if (principal === undefined) continue
      this.#remember(credential)
      return principal
    }
    return refuse()
  }

  #remember(credential: string): void {
    if (this.#foreign.size >= MAX_FOREIGN) this.#foreign.clear()
    this.#foreign.add(credential)
  }

  /** Fails closed: an almost valid principal must not count as one with other permissions. */
  #accept(plugin: string, found: unknown): Principal | undefined {
    if (found === undefined) return undefined
    const known = typeof found === 'object' && found !== null ? this.#checked.get(found) : undefined
    if (known !== undefined) return known
    const principal = readPrincipal(plugin, found)
    // Usage, limits and content kept by a provider belong to a name: two callers may not share one.
    if (this.#keyring.has(principal.keyId)) return refuse()
    this.#checked.set(found as object, principal)
    return principal
  }
}

/** Browsers add a certificate to whatever a page of another site makes them send, and say so. */
function fromAnotherSite(headers: CredentialHeaders): boolean {
  const site = (headers as UnkeyedRequest['headers'])['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}

function refuse(): never {
  throw invalidKey()
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/.test(value)

function readPrincipal(plugin: string, found: unknown): Principal {
  const wrong = (member: string) =>
    new GatewayError('GW_PLUGIN_CONTRACT', `Plugin ${plugin} identified a caller whose \`${member}\` is not valid.`)
  if (typeof found !== 'object' || found === null) throw wrong('identify')
  const { keyId, team, admin, flags, flagsAllow, models, maxClassification, region } = found as Record<string, unknown>
  if (!isName(keyId)) throw wrong('keyId')
  if (team !== undefined && !isTeam(team)) throw wrong('team')
  if (typeof admin !== 'boolean') throw wrong('admin')
  if (!isTexts(flagsAllow)) throw wrong('flagsAllow')
  if (!isTexts(models)) throw wrong('models')
  if (maxClassification !== undefined && !isLevel(maxClassification)) throw wrong('maxClassification')
  if (region !== undefined && !(typeof region === 'string' && region !== '')) throw wrong('region')
  if (typeof flags !== 'object' || flags === null) throw wrong('flags')
  const values = Object.entries(flags)
  if (values.some(([, value]) => typeof value !== 'string' && typeof value !== 'number')) throw wrong('flags')
  return Object.freeze({
    keyId,
    admin,
    models: Object.freeze([...models]),
    flagsAllow: Object.freeze([...flagsAllow]),
    flags: Object.freeze(Object.fromEntries(values)) as Principal['flags'],
    ...(team !== undefined && { team }),
    ...(maxClassification !== undefined && { maxClassification }),
    ...(region !== undefined && { region }),
    source: plugin,
  })
}
