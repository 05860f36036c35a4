import { GatewayError, type Level, type Services } from 'governed-gateway'
import { createKey, expiryTime, flagProblem, sentence } from 'governed-gateway/kit'
import type { KeyLimit, KeyRecord } from './record.ts'
import type { Registry } from './registry.ts'

/** Members of a key in a request. */
export interface KeyInput {
  readonly id: string
  readonly team?: string
  readonly description?: string
  readonly models?: readonly string[]
  readonly expires?: string
  readonly disabled?: boolean
  readonly admin?: boolean
  readonly max_classification?: Level
  readonly flags?: Readonly<Record<string, string | number | boolean>>
  readonly flags_allow?: readonly string[]
  readonly limits?: readonly KeyLimit[]
}

/** `null` sets the default. */
export type KeyPatch = { readonly [K in Exclude<keyof KeyInput, 'id'>]?: KeyInput[K] | null }

/** A key with its secret, which nobody can read again. */
export interface Issued {
  readonly record: KeyRecord
  readonly secret: string
}

const DEFAULTS = { models: ['*'], disabled: false, admin: false, flags: {}, flags_allow: [], limits: [] } as const
/** More secrets that are valid at once would only be forgotten. */
const MAX_SECRETS = 4

/** Creates and changes keys, and records each change. */
export class KeyManager {
  readonly #registry: Registry
  readonly #services: Pick<Services, 'emit' | 'flags' | 'keys'>

  constructor(registry: Registry, services: Pick<Services, 'emit' | 'flags' | 'keys'>) {
    this.#registry = registry
    this.#services = services
  }

  async create({ id, ...given }: KeyInput, by: string): Promise<Issued> {
    this.#check(given)
    if (this.#isConfigured(id)) throw exists(id)
    const { secret, ...digest } = newSecret()
    const now = new Date().toISOString()
    const record: KeyRecord = {
      ...{ id, ...digest, previous: [], cut: 0, ...DEFAULTS, ...given },
      ...{ created_at: now, created_by: by, updated_at: now },
    }
    await this.#registry.change(id, (known) => {
      if (known !== undefined) throw exists(id)
      return record
    })
    this.#services.emit('key.created', { ...aboutOf(record, by), fields: Object.keys(given).sort() })
    return { record, secret }
  }

  async update(id: string, patch: KeyPatch, by: string): Promise<KeyRecord> {
    this.#checkOwn(id)
    this.#check(patch)
    const record = await this.#registry.change(id, (known) => {
      const old = usable(id, known)
      const next: Record<string, unknown> = { ...old, updated_at: new Date().toISOString() }
      for (const [name, value] of Object.entries(patch)) {
        if (value !== null) next[name] = value
        else if (name in DEFAULTS) next[name] = DEFAULTS[name as keyof typeof DEFAULTS]
        else delete next[name]
      }
      return { ...(next as unknown as KeyRecord), cut: old.cut + (patch.disabled === true && !old.disabled ? 1 : 0) }
    })
    this.#services.emit('key.updated', { ...aboutOf(record, by), fields: Object.keys(patch).sort() })
    return record
  }

  async rotate(id: string, overlapSeconds: number, by: string): Promise<Issued> {
    this.#checkOwn(id)
    const { secret, ...digest } = newSecret()
    const record = await this.#registry.change(id, (known) => {
      const old = usable(id, known)
      const now = Date.now()
      const until = now + overlapSeconds * 1000
      // A secret from an earlier rotation never lives longer than it was to.
      const kept = [{ hash: old.hash, until }, ...old.previous].map((one) => ({
        ...one,
        until: Math.min(one.until, until),
      }))
      return {
        ...{ ...old, ...digest, updated_at: new Date(now).toISOString(), rotated_at: new Date(now).toISOString() },
        previous: kept.filter((one) => one.until > now).slice(0, MAX_SECRETS),
        cut: old.cut + (overlapSeconds === 0 ? 1 : 0),
      }
    })
    this.#services.emit('key.rotated', { ...aboutOf(record, by), overlap_seconds: overlapSeconds })
    return { record, secret }
  }

  async revoke(id: string, by: string): Promise<KeyRecord> {
    let isNew = false
    const record = await this.#registry.change(id, (known) => {
      if (known === undefined) throw this.#isConfigured(id) ? configured(id) : missing('key')
      // So that a revocation whose answer was lost can be repeated.
      isNew = known.revoked_at === undefined
      if (!isNew) return known
      const now = new Date().toISOString()
      return { ...known, previous: [], cut: known.cut + 1, revoked_at: now, updated_at: now }
    })
    if (isNew) this.#services.emit('key.revoked', aboutOf(record, by))
    return record
  }

  async setTeam(name: string, limits: readonly KeyLimit[], by: string): Promise<void> {
    this.#checkLimits(limits)
    const updated_at = new Date().toISOString()
    await this.#registry.changeTeam(name, () => ({ name, limits, updated_at }))
    this.#services.emit('team.updated', { subject: name, changed_by: by, limits: limits.length })
  }

  async removeTeam(name: string, by: string): Promise<void> {
    await this.#registry.changeTeam(name, (known) => {
      if (known === undefined) throw missing('team')
      return undefined
    })
    this.#services.emit('team.updated', { subject: name, changed_by: by, limits: 0 })
  }

  #isConfigured(id: string): boolean {
    return this.#services.keys.some((key) => key.id === id)
  }

  /** A key of the config came later and took the id: the key of the store is not valid, and can only be revoked. */
  #checkOwn(id: string): void {
    if (this.#isConfigured(id)) throw configured(id)
  }

  /** Rules that a schema cannot express. */
  #check({ expires, flags, flags_allow, limits }: KeyPatch): void {
    if (typeof expires === 'string' && Number.isNaN(expiryTime(expires)))
      throw invalid('expires', 'must be a date (2027-01-31) or a date and time with zone (2027-01-31T12:00:00Z)')
    for (const [name, value] of Object.entries(flags ?? {})) this.#checkFlag(`flags.${name}`, '', name, String(value))
    for (const one of flags_allow ?? []) {
      const [name = '', value = ''] = one.split('=')
      if (value === '*' && this.#services.flags.has(name)) continue
      this.#checkFlag('flags_allow', `'${one}' `, name, value)
    }
    if (limits) this.#checkLimits(limits)
  }

  #checkFlag(param: string, entry: string, name: string, value: string): void {
    const problem = flagProblem(this.#services.flags, name, value)
    if (problem !== undefined) throw invalid(param, `${entry}${problem}`)
  }

  #checkLimits(limits: readonly KeyLimit[]): void {
    if (limits.length === 0) return
    const enforced = [...this.#services.flags.values()].some(({ owner }) => owner === 'budget')
    if (!enforced) throw invalid('limits', 'needs the plugin budget, which is not enabled')
    const kinds = limits.map(({ unit, window }) => JSON.stringify([unit, window]))
    if (new Set(kinds).size < kinds.length) throw invalid('limits', 'has two limits of one unit and window')
    for (const [i, { unit, limit }] of limits.entries()) {
      if (unit !== 'usd' && !Number.isInteger(limit))
        throw invalid(`limits[${i}].limit`, `must be a whole number of ${unit}`)
    }
  }
}

function newSecret(): { secret: string; hash: string; hint: string } {
  const { key, hash } = createKey()
  return { secret: key, hash: hash.slice('sha256:'.length), hint: key.slice(-4) }
}

const aboutOf = ({ id, team }: KeyRecord, by: string) => ({
  subject: id,
  changed_by: by,
  ...(team !== undefined && { team }),
})

function usable(id: string, known: KeyRecord | undefined): KeyRecord {
  if (known === undefined) throw missing('key')
  if (known.revoked_at !== undefined) throw invalid('id', `'${id}' was revoked, which is final`)
  return known
}

const failure = (status: number, code: string, message: string): GatewayError =>
  new GatewayError('GW_PLUGIN_REJECTION', message, { status, code, type: 'invalid_request_error', param: 'id' })

export const missing = (what: string): GatewayError =>
  failure(404, 'key_not_found', `There is no ${what} of this name that was created at run time.`)

const configured = (id: string): GatewayError =>
  failure(404, 'key_not_found', `The key '${id}' is in the config file: change it or remove it there.`)

const exists = (id: string): GatewayError => failure(409, 'key_exists', `There is already a key '${id}'.`)

const invalid = (param: string, what: string): GatewayError =>
  new GatewayError('GW_VALIDATION', sentence(`${param} ${what}`), { param })
