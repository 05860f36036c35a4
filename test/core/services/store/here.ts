/** The embedded store without its thread, which costs more than most tests: for those who look at a folder that a gateway left. */
import type { Store } from '../../../../core/engine/contract/store.ts'
import { CallDriver } from '../../../../core/services/store/calls.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { SqliteWorker } from '../../../../core/services/store/embedded/sqlite-worker.ts'
import type { Call } from '../../../../core/services/store/protocol.ts'

class Here extends CallDriver {
  readonly kind = 'embedded'
  readonly reach = 'machine'
  readonly #owner: SqliteWorker

  constructor(folder: string) {
    super({})
    this.#owner = new SqliteWorker({
      ...{ folder, durability: 'stored', check: 'quick', instance: 'here', ballastBytes: 0, cached: 100 },
    })
  }

  protected send(calls: readonly Call[]): void {
    for (const { replies } of this.#owner.process([{ client: 0, calls }])) this.receive(replies)
  }

  async close(): Promise<void> {
    await this.idle()
    this.status = { state: 'closed', detail: 'closed' }
    this.#owner.close()
  }
}

/** Runs `use` with the store in a folder; the gateway that owned it must be closed. */
export async function withStore<T>(folder: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = new StoreClient(new Here(folder))
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
