import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store } from '../../engine/contract/store.ts'
import { usage } from '../../engine/contract/store-errors.ts'
import { StoreClient } from './client.ts'
import type { Durability } from './embedded/driver.ts'
import type { Driver } from './ops.ts'
import type { Shareable } from './remote.ts'

export interface StoreOptions {
  /** Base folder of a relative `file:`; default: the working directory. */
  base?: string
  /** Name of this store's hash chains. */
  instance?: string
  /** Redis: identifies the holder of the instance name; see `RedisOptions`. */
  holder?: string
  /** Embedded: what a completed write survives; default `stored`. */
  durability?: Durability
  /** Redis: names the deployment; default `governed-gateway`. */
  deployment?: string
  /** Redis: start even when the server cannot be reached, default false. */
  lazy?: boolean
}

/** Loads what opening this store will need. Opens and checks nothing. */
export async function prepareStore(spec: string): Promise<void> {
  if (spec.startsWith('file:')) await (await import('./embedded/driver.ts')).prepareThread()
}

/**
 * Opens the store that a config names: `memory`, `file:FOLDER`, `redis://…` or `rediss://…`. Loads drivers on demand.
 */
export async function openDriver(spec: string, options: StoreOptions = {}): Promise<Driver | Shareable> {
  const { base = '.', instance, holder, durability, deployment, lazy } = options
  const named = instance === undefined ? {} : { instance }
  if (spec === 'memory') {
    const { MemoryDriver } = await import('./memory.ts')
    return new MemoryDriver(named)
  }
  if (spec.startsWith('file:')) {
    const { EmbeddedDriver } = await import('./embedded/driver.ts')
    const folder = spec.startsWith('file://') ? fileURLToPath(spec) : resolve(base, spec.slice('file:'.length))
    return EmbeddedDriver.open({ folder, ...named, ...(durability === undefined ? {} : { durability }) })
  }
  if (/^rediss?:\/\//.test(spec)) {
    const { RedisDriver } = await import('./redis/driver.ts')
    const more = { ...(deployment === undefined ? {} : { deployment }), ...(lazy === undefined ? {} : { lazy }) }
    const held = holder === undefined ? {} : { holder }
    return RedisDriver.open({ url: spec, ...named, ...held, ...more })
  }
  // Do not show the value: a mistyped url may contain a password.
  throw usage('`store` must be memory, file:FOLDER, or a redis:// or rediss:// url.')
}

/**
 * @example
 * const store = await openStore('file:./data')
 * await store.increment('visits', 1)
 * await store.close()
 */
export async function openStore(spec: string, options: StoreOptions = {}): Promise<Store> {
  return new StoreClient(await openDriver(spec, options))
}
