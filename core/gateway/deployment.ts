/** What all nodes of one Redis must have in common, and whether they do. */
import { createHash } from 'node:crypto'
import type { Config } from '../engine/config/types.ts'
import { GatewayError } from '../engine/contract/errors.ts'
import type { Store } from '../engine/contract/store.ts'
import { isStoreError } from '../engine/contract/store-errors.ts'
import type { Logger } from '../services/logger.ts'

/** Purpose of the key whose text stands for the secret; see `subkey`. */
export const SECRET_PURPOSE = 'fingerprint of the deployment secret'
const SECRET = 'deployment/secret'
const LIMITS = 'deployment/limits'
const MOST_LIMITS = 2_000
const TRIES = 5

/**
 * Throws when the gateways on this store have another secret: this one could not read their settings, and would sign
 * the audit trail with a key that nobody expects. The first gateway leaves the fingerprint.
 */
export async function checkSecret(store: Store, fingerprint: Buffer): Promise<void> {
  if (store.reach !== 'cluster') return
  const own = fingerprint.toString('base64url')
  try {
    const known =
      (await store.get<string>(SECRET)) ??
      ((await store.set(SECRET, own, { ifVersion: 0 })) ? own : await store.get(SECRET))
    if (known === own) return
  } catch (error) {
    // A store that is away, or without room, is told elsewhere; it is a worker's successor, or nobody is there yet.
    if (isStoreError(error, 'unavailable') || isStoreError(error, 'full')) return
    throw error
  }
  const remedy =
    'Give all nodes the same secret (SERVICE_SECRET). To change it, stop all nodes and delete the key ' +
    "'{governed-gateway}:k:deployment/secret' in that Redis; see docs/operations.md."
  throw new GatewayError('GW_CONFIG', `secret: it is not that of the other gateways on this Redis. ${remedy}`)
}

interface Known {
  readonly hash: string
  /** Who has it. */
  readonly node: string
}

interface Differing {
  readonly limit: string
  readonly node: string
}

/** Leaves the limits of this node in the store, and returns those that another node has under the same id, but not alike. */
async function compareLimits(store: Store, config: Pick<Config, 'plugins'>, node: string): Promise<Differing[]> {
  const own = limitsOf(config)
  if (store.reach !== 'cluster' || own.size === 0) return []
  for (let i = 0; i < TRIES; i++) {
    const entry = await store.entry<Record<string, Known & Record<string, string>>>(LIMITS)
    const known = new Map<string, Known>(Object.entries(entry?.value ?? {}))
    const differing = [...own].flatMap(([limit, hash]) => {
      const other = known.get(limit)
      return other === undefined || other.hash === hash || other.node === node ? [] : [{ limit, node: other.node }]
    })
    for (const [limit, hash] of own) {
      known.delete(limit)
      known.set(limit, { hash, node })
    }
    const kept = Object.fromEntries([...known].slice(-MOST_LIMITS)) as unknown as Record<string, string>
    if (await store.set(LIMITS, kept, { ifVersion: entry?.version ?? 0 })) return differing
  }
  return []
}

/**
 * Nodes that have another limit under the same id count together, and each refuses by its own: that is told, since it may
 * be meant while a change goes from node to node.
 */
export async function tellLimits(
  store: Store,
  config: Pick<Config, 'plugins'>,
  instance: string,
  log: Pick<Logger, 'warn'>,
  emit: (told: { limit: string; other: string }) => void,
): Promise<void> {
  // Workers of one node change one after another.
  const node = instance.replace(/-w\d+$/, '')
  const differing = await compareLimits(store, config, node).catch(() => [])
  for (const { limit, node: other } of differing) {
    log.warn({ limit, other }, 'another node has other settings for a limit of the same id')
    emit({ limit, other })
  }
}

/** Limits of the config by plugin and id, as hashes. */
function limitsOf({ plugins }: Pick<Config, 'plugins'>): Map<string, string> {
  const found = new Map<string, string>()
  for (const { use, options } of plugins) {
    const { limits } = (options ?? {}) as { limits?: unknown }
    if (!Array.isArray(limits)) continue
    for (const [i, limit] of limits.entries()) {
      if (typeof limit !== 'object' || limit === null) continue
      const sorted = JSON.stringify(Object.entries(limit).sort(([a], [b]) => (a < b ? -1 : 1)))
      found.set(`${use}/${idOf(limit, i)}`, createHash('sha256').update(sorted).digest('base64url'))
    }
  }
  return found
}

function idOf(
  limit: { id?: unknown; name?: unknown; scope?: unknown; unit?: unknown; window?: unknown },
  i: number,
): string {
  const { id, name, scope, unit, window } = limit
  if (typeof (id ?? name) === 'string') return String(id ?? name)
  return unit === undefined ? `limit_${i + 1}` : JSON.stringify([scope, unit, window])
}
