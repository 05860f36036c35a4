import { GatewayError } from '../errors.ts'
import { isStoreError } from '../store/errors.ts'
import { openDriver } from '../store/open.ts'
import type { Shareable } from '../store/remote.ts'

/** The store that the primary owns for its workers; undefined for Redis, which each of them opens. */
export async function openSharedDriver(spec: string, instance: string): Promise<Shareable | undefined> {
  if (/^rediss?:/.test(spec)) return undefined
  try {
    return (await openDriver(spec, { instance })) as Shareable
  } catch (cause) {
    if (isStoreError(cause)) throw new GatewayError('GW_CONFIG', `store: ${cause.message}`, { cause })
    throw cause
  }
}
