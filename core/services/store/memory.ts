import { hostname } from 'node:os'
import type { StoreStatus } from '../../engine/contract/store.ts'
import { notJson, unavailable } from '../../engine/contract/store-errors.ts'
import { Engine } from './engine/engine.ts'
import { MemoryLogs } from './engine/storage.ts'
import type { Args, Notice, OpName, Result } from './ops.ts'
import { failure, type Replies, type Reply } from './protocol.ts'
import type { Port, Shareable } from './remote.ts'
import { packResult, unpackArgs } from './wire.ts'

export interface MemoryOptions {
  /** Name of this store's hash chains; default: the host name. */
  instance?: string
  /** For tests: the store's clock, Unix milliseconds. */
  clock?: () => number
}

/** Keeps everything in this process; nothing survives it. */
export class MemoryDriver implements Shareable {
  readonly kind = 'memory'
  readonly reach = 'process'
  readonly #engine: Engine
  readonly #clock: () => number
  readonly #listeners = new Set<(notice: Notice) => void>()
  status: StoreStatus = { state: 'ready', detail: 'in memory: everything is lost when the process ends' }

  constructor({ instance = hostname(), clock = Date.now }: MemoryOptions = {}) {
    this.#engine = new Engine({ instance: () => instance, logs: new MemoryLogs() })
    this.#clock = clock
  }

  async call<K extends OpName>(name: K, args: Args<K>): Promise<Result<K>> {
    if (this.status.state === 'closed') throw unavailable('The store is closed.')
    return structuredClone(this.#apply(name, copy(name, args), this.#clock()))
  }

  connect(send: (replies: Replies) => void): Port {
    const onNotice = (notice: Notice): void => send([[], [notice]])
    this.#listeners.add(onNotice)
    const answer = (number: number, name: OpName, packed: unknown, now = this.#clock()): Reply => {
      try {
        return [number, 1, packResult(name, this.#apply(name, unpackArgs(name, packed) as never, now))]
      } catch (error) {
        return failure(number, error)
      }
    }
    return {
      receive: (calls) => send([calls.map((call) => answer(...call)), []]),
      close: () => void this.#listeners.delete(onNotice),
    }
  }

  listen(listener: (notice: Notice) => void): void {
    this.#listeners.add(listener)
  }

  async close(): Promise<void> {
    this.status = { state: 'closed', detail: 'closed' }
  }

  #apply<K extends OpName>(name: K, args: Args<K>, now: number): Result<K> {
    const result = this.#engine.apply(name, args, now)
    const notices = this.#engine.notices.splice(0)
    for (const notice of notices) for (const listener of this.#listeners) queueMicrotask(() => listener(notice))
    return result
  }
}

/** Callers and engine must not share objects. */
function copy<T>(name: OpName, args: T): T {
  try {
    return structuredClone(args)
  } catch {
    throw notJson(name)
  }
}
