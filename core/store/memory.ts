import { hostname } from 'node:os'
import { Engine } from './engine/engine.ts'
import { MemoryLogs } from './engine/storage.ts'
import { unavailable } from './errors.ts'
import type { Args, Driver, Notice, OpName, Result } from './ops.ts'
import type { StoreStatus } from './store.ts'

export interface MemoryOptions {
  /** Name of this store's hash chains; default: the host name. */
  instance?: string
  /** For tests: the store's clock, Unix milliseconds. */
  clock?: () => number
}

/** Keeps everything in this process and nothing beyond it. */
export class MemoryDriver implements Driver {
  readonly kind = 'memory'
  readonly reach = 'process'
  readonly #engine: Engine
  readonly #clock: () => number
  readonly #listeners: ((notice: Notice) => void)[] = []
  status: StoreStatus = { state: 'ready', detail: 'in memory: everything is lost when the process ends' }

  constructor({ instance = hostname(), clock = Date.now }: MemoryOptions = {}) {
    this.#engine = new Engine({ instance: () => instance, logs: new MemoryLogs() })
    this.#clock = clock
  }

  async call<K extends OpName>(name: K, args: Args<K>): Promise<Result<K>> {
    if (this.status.state === 'closed') throw unavailable('The store is closed.')
    // Through JSON, so that nobody shares an object with the engine and the drivers agree on what a value is.
    const result = this.#engine.apply(name, copy(args), this.#clock())
    const notices = this.#engine.notices.splice(0)
    for (const notice of notices) for (const listener of this.#listeners) queueMicrotask(() => listener(notice))
    return copy(result)
  }

  listen(listener: (notice: Notice) => void): void {
    this.#listeners.push(listener)
  }

  async close(): Promise<void> {
    this.status = { state: 'closed', detail: 'closed' }
  }
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
