/** API keys, looked up by hash. Runs before the body is read. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyConfig } from '../config/types.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Principal } from '../contract/principal.ts'
import { matchesGlob } from '../util/glob.ts'
import { type ClientCertificate, certificateMatcher } from './client-certificate.ts'
import { type CredentialHeaders, credentialOf } from './credential.ts'

export type { Principal } from '../contract/principal.ts'

interface Entry {
  readonly digest: Buffer
  readonly principal: Principal
  readonly disabled: boolean
  /** Milliseconds since the epoch; Infinity for never. */
  readonly expires: number
}

/** Longer credentials are refused without hashing. */
const MAX_CREDENTIAL_LENGTH = 1024
const CHALLENGE = { 'www-authenticate': 'Bearer' }

/** The API keys of one config. */
export class Keyring {
  readonly #entries = new Map<string, Entry>()
  /** Cache of valid credentials, so that each is hashed only once; at most one per key. */
  readonly #known = new Map<string, Entry>()
  /** Keys that name a client certificate. */
  readonly #certified: { readonly matches: (certificate: ClientCertificate) => boolean; readonly entry: Entry }[] = []
  readonly #ids: ReadonlySet<string>
  readonly #now: () => number

  constructor(keys: readonly KeyConfig[], now: () => number = Date.now) {
    this.#now = now
    this.#ids = new Set(keys.map(({ id }) => id))
    for (const key of keys) {
      const digest = key.hash === undefined && key.key === undefined ? undefined : keyHash(key)
      const entry: Entry = {
        digest: Buffer.from(digest ?? '', 'hex'),
        principal: toPrincipal(key),
        disabled: key.disabled,
        expires: key.expires === undefined ? Number.POSITIVE_INFINITY : expiryTime(key.expires),
      }
      if (digest !== undefined) this.#entries.set(digest, entry)
      const { client_certificate: wanted } = key
      if (wanted !== undefined) this.#certified.push({ matches: certificateMatcher(wanted), entry })
    }
  }

  /**
   * The principal of a request. Throws `GW_MISSING_KEY`, or `GW_INVALID_KEY` with the same message for unknown, expired
   * and disabled keys, so that guesses reveal nothing; `GW_BAD_REQUEST` for different keys.
   */
  authenticate(headers: CredentialHeaders): Principal {
    const credential = credentialOf(headers)
    if (credential === undefined) throw missingKey()
    const principal = this.find(credential)
    if (principal === undefined) throw invalidKey()
    return principal
  }

  /** The principal of a key; undefined if it is not configured. Throws `GW_INVALID_KEY` if it is disabled or expired. */
  find(credential: string): Principal | undefined {
    const entry = credential.length > MAX_CREDENTIAL_LENGTH ? undefined : this.#find(credential)
    return entry && this.#valid(entry)
  }

  /** The principal of a key that names this client certificate, as `find`. */
  findCertified(certificate: ClientCertificate): Principal | undefined {
    const entry = this.#certified.find(({ matches }) => matches(certificate))?.entry
    return entry && this.#valid(entry)
  }

  #valid(entry: Entry): Principal {
    if (entry.disabled || this.#now() >= entry.expires) throw invalidKey()
    return entry.principal
  }

  /** Whether a configured key has this id. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /**
   * Both maps use a hash of the whole credential, either the engine's seeded hash or SHA-256, so that timing does not
   * reveal how much of a guess was right. The first look-up takes the same time for every key.
   */
  #find(credential: string): Entry | undefined {
    const known = this.#known.get(credential)
    if (known !== undefined) return known
    const digest = hash('sha256', credential, 'buffer')
    const entry = this.#entries.get(digest.toString('hex'))
    if (entry === undefined || !timingSafeEqual(entry.digest, digest)) return undefined
    this.#known.set(credential, entry)
    return entry
  }
}

/** A request without a key. */
export const missingKey = (): GatewayError =>
  new GatewayError('GW_MISSING_KEY', 'An API key is required: send the header `Authorization: Bearer <API_KEY>`.', {
    headers: CHALLENGE,
  })

/** The same for unknown, expired, disabled and revoked keys. */
export const invalidKey = (): GatewayError =>
  new GatewayError('GW_INVALID_KEY', 'The API key is not valid.', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })

/** Whether the key may use a model. No key may use the empty name of a request without a model. */
export function mayUse(principal: Principal, model: string): boolean {
  return principal.models.some((glob) => matchesGlob(glob, model))
}

/** A new API key, 256 random bits, and the hash for the config. */
export function createKey(): { key: string; hash: string } {
  const key = `gw_${randomBytes(32).toString('base64url')}`
  return { key, hash: `sha256:${hash('sha256', key, 'hex')}` }
}

/** SHA-256 of the API key, lower-case hex. */
export function keyHash(key: { readonly hash?: string | undefined; readonly key?: string | undefined }): string {
  return key.hash === undefined ? hash('sha256', key.key ?? '', 'hex') : key.hash.slice('sha256:'.length).toLowerCase()
}

/**
 * Milliseconds since the epoch from which a key is refused; NaN if `expires` is not a date. A bare date is valid
 * through its last second, UTC.
 */
export function expiryTime(expires: string): number {
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(expires) ?? []
  if (date === undefined) return Number.NaN
  const day = Date.parse(`${date}T00:00:00Z`)
  // Date.parse turns 30 February into March.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return Number.NaN
  return time === undefined ? day + 86_400_000 : Date.parse(expires)
}

function toPrincipal(key: KeyConfig): Principal {
  const flags: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(key.flags))
    flags[name] = typeof value === 'boolean' ? String(value) : value
  return Object.freeze({
    keyId: key.id,
    admin: key.admin,
    models: key.models,
    flagsAllow: key.flags_allow,
    flags: Object.freeze(flags),
    ...(key.team === undefined ? {} : { team: key.team }),
    ...(key.region === undefined ? {} : { region: key.region }),
    ...(key.max_classification === undefined ? {} : { maxClassification: key.max_classification }),
  })
}
