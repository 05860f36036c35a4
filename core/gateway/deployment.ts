/** Opens the store, and checks what all nodes on one Redis must share. */
import { createHash } from 'node:crypto'
import type { Config } from '../engine/config/types.ts'
import { GatewayError } from '../engine/contract/errors.ts'
import type { Log } from '../engine/contract/plugin.ts'
import type { Store } from '../engine/contract/store.ts'
import { isStoreError } from '../engine/contract/store-errors.ts'
import { writeProblem } from '../engine/util/system-error.ts'
import type { Logger } from '../services/logger.ts'
import { openConfiguredStore } from '../services/store/configured.ts'
import { nodeOf } from './node-views.ts'
import type { WorkerShare } from './running-gateway.ts'

/** The store of the config, or that of the primary. */
export async function openStore(config: Config, worker: WorkerShare | undefined, instance: string): Promise<Store> {
  const { durability } = config.audit
  // A replacement worker continues like the others while Redis is down.
  const lazy = (worker?.restarts ?? 0) > 0 && config.limits.on_store_error === 'local'
  const options = { instance, holder: worker?.holder ?? crypto.randomUUID(), durability, lazy }
  return worker?.store ?? (await openConfiguredStore(config.store, options))
}

/** Purpose of the derived key that serves as the secret's fingerprint; see `subkey`. */
export const SECRET_PURPOSE = 'fingerprint of the deployment secret'
const SECRET = 'deployment/secret'
const LIMITS = 'deployment/limits'
const MOST_LIMITS = 2_000
const TRIES = 5

/**
 * Throws if the gateways on this store use another secret: this one could not read their settings, and would sign the
 * audit trail with an unexpected key. The first gateway stores the fingerprint; a store that may have lost it gets it
 * again, until it is closed.
 */
export async function keepSecret(store: Store, fingerprint: Buffer, log: Pick<Logger, 'error'>): Promise<void> {
  if (store.reach !== 'cluster') return
  const own = fingerprint.toString('base64url')
  await checkSecret(store, own)
  store.watch(SECRET, (key) => {
    if (key !== undefined) return
    checkSecret(store, own).catch((error: unknown) => {
      // This node has worked with its secret until now, so only an operator can say which one is right.
      if (error instanceof GatewayError) log.error({ problem: error.message }, 'another node has another secret')
    })
  })
}

async function checkSecret(store: Store, own: string): Promise<void> {
  try {
    const known =
      (await store.get<string>(SECRET)) ??
      ((await store.set(SECRET, own, { ifVersion: 0 })) ? own : await store.get(SECRET))
    if (known === own) return
  } catch (error) {
    // Reported elsewhere; this is a worker's successor, or no other gateway runs yet. The next connection checks again.
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
  /** The node that has it. */
  readonly node: string
}

interface Differing {
  readonly limit: string
  readonly node: string
}

/** Stores this node's limits, and returns those that differ on another node under the same id. */
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

/** What events name as their instance: their chain. A store that workers share keeps one, with the name of the node. */
export const chainName = (worker: WorkerShare | undefined, instance: string): string =>
  worker?.store === undefined ? instance : nodeOf(instance)

/**
 * Warns about limits that differ between nodes under the same id: they share a count, but each node enforces its own.
 * This may be intended during a rolling change.
 */
export async function reportLimits(
  store: Store,
  config: Pick<Config, 'plugins'>,
  instance: string,
  log: Pick<Logger, 'warn'>,
  emit: (differing: { limit: string; other: string }) => void,
): Promise<void> {
  // Workers of one node reload one after another.
  const node = nodeOf(instance)
  const differing = await compareLimits(store, config, node).catch(() => [])
  for (const { limit, node: other } of differing) {
    log.warn({ limit, other }, 'another node has different settings for the same limit id')
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

/** Warns about a full store or an unusable spill folder. */
export function warnOfPlaces(store: Store, config: Config, log: Log): void {
  const { state, detail } = store.status
  if (state === 'full') log.warn({ problem: detail }, 'the store has no room for its reserve and accepts no writes')
  const { spill_folder: folder } = config.audit
  const problem = folder === undefined ? undefined : writeProblem(folder)
  if (problem !== undefined) log.warn({ problem }, 'audit.spill_folder cannot be used')
}
