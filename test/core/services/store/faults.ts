import { join } from 'node:path'
import { afterEach } from 'node:test'
import type { JsonObject, Store, StoreStatus } from '../../../../core/engine/contract/store.ts'
import { isStoreError, type StoreErrorKind } from '../../../../core/engine/contract/store-errors.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { EmbeddedDriver, type EmbeddedOptions } from '../../../../core/services/store/embedded/driver.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

/** For `assert.rejects`: a store error of that kind whose message holds these words. */
export const kind =
  (wanted: StoreErrorKind, ...words: string[]) =>
  (error: unknown): boolean =>
    isStoreError(error, wanted) && words.every((word) => error.message.includes(word))

/** Fulfils when the store announces that state. */
export const status = (store: Store, state: StoreStatus['state']): Promise<StoreStatus> =>
  new Promise((resolve) => {
    const stop = store.onStatus((now) => {
      if (now.state !== state) return
      stop()
      resolve(now)
    })
  })

/** Closes after each test what it was given: what a failed test left open would keep the process alive. */
export function closing(): (store: Store) => Store {
  const stores = new Set<Store>()
  afterEach(async () => {
    for (const store of stores) await store.close()
    stores.clear()
  })
  return (store) => {
    stores.add(store)
    return store
  }
}

export interface EmbeddedStores {
  /** Holds all folders; removed after the last test. */
  readonly root: string
  /** A path of its own at each call; nothing is there yet. */
  folder(): string
  /** Opens the store of a folder, without ballast, and closes it after the test. */
  open(path: string, options?: Partial<EmbeddedOptions>): Promise<Store>
  /** Has a store that was opened otherwise closed after the test. */
  closed(store: Store): Store
  /** Opens a new store of each kind that needs no server. */
  readonly stores: readonly (readonly [name: string, open: () => Promise<Store>])[]
}

export function embeddedStores(): EmbeddedStores {
  const root = temporaryFolder()
  const closed = closing()
  let folders = 0
  const folder = () => join(root, String(folders++))
  const open: EmbeddedStores['open'] = async (path, options = {}) =>
    closed(new StoreClient(await EmbeddedDriver.open({ folder: path, ballastBytes: 0, ...options })))
  const stores: EmbeddedStores['stores'] = [
    ['memory', async () => new StoreClient(new MemoryDriver())],
    ['embedded', () => open(folder())],
  ]
  return { root, folder, open, closed, stores }
}

export async function allRecords(store: Store, instance?: string): Promise<JsonObject[]> {
  const all: JsonObject[] = []
  const whose = instance === undefined ? {} : { instance }
  for (let after: string | undefined; ; ) {
    const page = await store.scan('audit', { ...whose, limit: 1000, ...(after === undefined ? {} : { after }) })
    for (const { record } of page.records) all.push(record)
    if (page.next === undefined) return all
    after = page.next
  }
}
