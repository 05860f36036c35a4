import { GatewayError } from '../errors.ts'
import { isStoreError } from './errors.ts'
import { openStore, type StoreOptions } from './open.ts'
import type { Store } from './store.ts'

/** The store that a config names; what is wrong with it is a `GW_CONFIG` error. */
export async function openConfiguredStore(spec: string, options: StoreOptions): Promise<Store> {
  try {
    return await openStore(spec, options)
  } catch (cause) {
    if (isStoreError(cause)) throw new GatewayError('GW_CONFIG', `store: ${cause.message}`, { cause })
    throw cause
  }
}
