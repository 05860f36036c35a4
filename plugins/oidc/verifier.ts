import { GatewayError, isGatewayError, type Principal, type Services } from 'governed-gateway'
import { decodeJwt, errors, jwtVerify } from 'jose'
import { type IssuerOptions, principalOf } from './claims.ts'
import { type FindKey, KeySet, unavailable } from './key-set.ts'

interface Verified {
  readonly principal: Principal
  readonly keys: KeySet
  /** What found its key: the token counts as new once the issuer publishes other keys. */
  readonly by: FindKey
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** Tokens whose signature need not be checked again; about 15 MB at most. */
const MAX_KNOWN = 10_000
/** Each problem once a minute. */
const LOG_EVERY_MS = 60_000
const MAX_LOGGED = 100
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/

interface Issuer {
  readonly options: IssuerOptions
  readonly keys: KeySet
}

/** Verifies tokens, and remembers those that are valid until they expire or the issuer changes its keys. */
export class Verifier {
  readonly #issuers: ReadonlyMap<string, Issuer>
  readonly #known = new Map<string, Verified>()
  readonly #log: Services['log']
  /** When a problem is logged again. */
  readonly #loggedUntil = new Map<string, number>()

  constructor(issuers: readonly IssuerOptions[], services: Pick<Services, 'fetch' | 'log'>) {
    this.#log = services.log
    this.#issuers = new Map(
      issuers.map((options) => {
        const { issuer, jwks_url: url, keys_refresh_seconds: seconds } = options
        return [issuer, { options, keys: new KeySet({ issuer, url, refreshMs: seconds * 1000 }, services) }]
      }),
    )
  }

  start(): void {
    for (const { keys } of this.#issuers.values()) keys.start()
  }

  stop(): void {
    for (const { keys } of this.#issuers.values()) keys.stop()
  }

  /** A promise only for a token that is new. */
  identify(token: string): Principal | undefined | Promise<Principal | undefined> {
    const known = this.#known.get(token)
    if (known !== undefined && known.by === known.keys.current) {
      if (Date.now() >= known.until) return undefined
      // Its key may have been withdrawn since.
      if (!known.keys.isUsable) throw unavailable()
      return known.principal
    }
    if (!JWT.test(token)) return undefined
    const issuer = this.#issuerOf(token)
    return issuer && this.#verify(token, issuer)
  }

  #issuerOf(token: string): Issuer | undefined {
    try {
      return this.#issuers.get(decodeJwt(token).iss ?? '')
    } catch {
      return undefined
    }
  }

  async #verify(token: string, { options, keys }: Issuer): Promise<Principal | undefined> {
    const { issuer, audience, algorithms, clock_skew_seconds: skew } = options
    const rules = {
      ...{ issuer, audience: [...audience], algorithms: [...algorithms], clockTolerance: skew },
      requiredClaims: ['exp'],
    }
    try {
      const { payload, by } = await keys.with(async (find) => {
        const { payload: claims } = await jwtVerify(token, find, { ...rules, currentDate: new Date() })
        return { payload: claims, by: find }
      })
      // JSON has numbers that are read as infinite.
      if (!Number.isFinite(payload.exp)) return undefined
      const principal = principalOf(payload, options)
      if (typeof principal === 'string') throw this.#unusable(issuer, principal)
      this.#keep(token, { principal, keys, by, until: ((payload.exp as number) + skew) * 1000 })
      return principal
    } catch (error) {
      // Not valid, for whatever reason: guesses learn nothing.
      if (isGatewayError(error)) throw error
      // Such as a key of the issuer that is too short.
      if (!(error instanceof errors.JOSEError)) this.#warn(issuer, 'a public key of the issuer cannot be used')
      return undefined
    }
  }

  /** Its issuer signed the token, so its holder may know what is wrong. */
  #unusable(issuer: string, problem: string): GatewayError {
    this.#warn(issuer, 'a valid token was refused for its claims', problem)
    return new GatewayError('GW_INVALID_KEY', `The token is valid, but ${problem}.`)
  }

  #warn(issuer: string, message: string, problem = message): void {
    const now = Date.now()
    if (now < (this.#loggedUntil.get(problem) ?? 0)) return
    if (this.#loggedUntil.size >= MAX_LOGGED) this.#loggedUntil.clear()
    this.#loggedUntil.set(problem, now + LOG_EVERY_MS)
    this.#log.warn({ issuer, ...(problem !== message && { problem }) }, message)
  }

  #keep(token: string, verified: Verified): void {
    if (this.#known.size >= MAX_KNOWN) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(token, verified)
  }
}
