import type { Caller, CallerLimit } from 'governed-gateway'
import type { KeyLimit } from './record.ts'
import type { Registry } from './registry.ts'

const NONE: readonly KeyLimit[] = []

/** Limits of a caller's key and team, as one array that stays the same until one of them changes. */
export class LimitsOfCallers {
  readonly #registry: Pick<Registry, 'get' | 'team'>
  readonly #known = new Map<
    string,
    { key: readonly KeyLimit[]; team: readonly KeyLimit[]; all: readonly CallerLimit[] }
  >()

  constructor(registry: Pick<Registry, 'get' | 'team'>) {
    this.#registry = registry
  }

  /** Undefined without limits. */
  of({ keyId, team: name }: Caller): readonly CallerLimit[] | undefined {
    const key = this.#registry.get(keyId)?.limits ?? NONE
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
