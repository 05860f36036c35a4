import { GatewayError } from '../../engine/contract/errors.ts'
import type { Store } from '../../engine/contract/store.ts'
import { isStoreError } from '../../engine/contract/store-errors.ts'
import { openDriver, openStore, type StoreOptions } from './open.ts'
import type { Shareable } from './remote.ts'

/** Opens the store of a config; problems are `GW_CONFIG` errors. */
export const openConfiguredStore = (spec: string, options: StoreOptions): Promise<Store> =>
  configured(() => openStore(spec, options))

/** The store that a primary shares with its workers; undefined for Redis, which each worker opens itself. */
export async function openSharedDriver(spec: string, options: StoreOptions): Promise<Shareable | undefined> {
  if (/^rediss?:/.test(spec)) return undefined
  return configured(() => openDriver(spec, options) as Promise<Shareable>)
}

async function configured<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (cause) {
    if (isStoreError(cause)) throw new GatewayError('GW_CONFIG', `store: ${cause.message}`, { cause })
    throw cause
  }
}
