import type { Caller, CallerLimit } from 'governed-gateway'
import type { KeyLimit } from './record.ts'
import type { Registry } from './registry.ts'

const NONE: readonly KeyLimit[] = []

/** Limits of a caller's key and team, as one array that stays the same until one of them changes. */
export class LimitsOfCallers {
  readonly #registry: Pick<Registry, 'get' | 'team'>
  readonly #source: string
  readonly #known = new Map<
    string,
    { key: readonly KeyLimit[]; team: readonly KeyLimit[]; all: readonly CallerLimit[] }
  >()

  /** @param source name of the plugin whose keys have limits of their own */
  constructor(registry: Pick<Registry, 'get' | 'team'>, source: string) {
    this.#registry = registry
    this.#source = source
  }

  /** For lists. A key that was revoked has none. */
  now(scope: CallerLimit['scope'], subject: string): readonly CallerLimit[] | undefined {
    if (scope === 'team') return (this.#registry.team(subject)?.limits ?? NONE).map((limit) => ({ scope, ...limit }))
    const key = this.#registry.get(subject)
    return key && (key.revoked_at === undefined ? key.limits : NONE).map((limit) => ({ scope, ...limit }))
  }

  /** Undefined without limits. */
  of({ keyId, team: name, source }: Caller): readonly CallerLimit[] | undefined {
    // A key of the config may have the id of a key that lies in the store.
    const key = source === this.#source ? (this.#registry.get(keyId)?.limits ?? NONE) : NONE
    const team = name === undefined ? NONE : (this.#registry.team(name)?.limits ?? NONE)
    if (key.length === 0 && team.length === 0) return undefined
    const known = this.#known.get(keyId)
    if (known?.key === key && known.team === team) return known.all
    const all = [
      ...key.map((limit) => ({ scope: 'key', ...limit }) as const),
      ...team.map((limit) => ({ scope: 'team', ...limit }) as const),
    ]
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(keyId, { key, team, all })
    return all
  }
}

const MAX_KNOWN = 20_000
