import { join } from 'node:path'
import { it } from 'node:test'
import type { Store } from '../../../../core/engine/contract/store.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { EmbeddedDriver, type EmbeddedOptions } from '../../../../core/services/store/embedded/driver.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { conformance } from './conformance.ts'
import type { Harness } from './harness.ts'
import { compareWithModel } from './model.ts'

const root = temporaryFolder()

let folders = 0
const folderOf = new Map<Store, string>()

async function open(folder: string, options: Partial<EmbeddedOptions> = {}): Promise<Store> {
  const store = new StoreClient(await EmbeddedDriver.open({ folder, ballastBytes: 0, ...options }))
  folderOf.set(store, folder)
  return store
}

const harness: Harness = { name: 'embedded', open: (options) => open(join(root, String(folders++)), options) }

conformance(harness)

// A cache of two, so that most of what is asked for must come from the file.
for (const options of [{}, { cached: 2 }, { cached: 2, durability: 'relaxed' }] as const) {
  it(`behaves like the in-memory store, also over restarts ${JSON.stringify(options)}`, async () => {
    const small: Harness = {
      name: 'embedded',
      open: (more) => open(join(root, String(folders++)), { ...more, ...options }),
    }
    await compareWithModel(small, rounds(6), async (store, clock) => {
      await store.close()
      return open(folderOf.get(store)!, { clock: clock.read, ...options })
    })
  })
}
