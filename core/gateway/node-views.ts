/** What each node on one Redis sees of its upstreams: one process of a node writes it, any process reads it. */
import type { Json, Log } from '../engine/contract/plugin.ts'
import type { Store } from '../engine/contract/store.ts'
import { isToldElsewhere } from '../engine/contract/store-errors.ts'
import type { BreakerState } from '../engine/upstreams/load/breaker.ts'
import type { UpstreamStatus } from '../engine/upstreams/load/load.ts'
import { Trouble } from '../engine/util/trouble.ts'

const EVERY_MS = 5_000
/** A node that does not write for so long is not shown. */
const TTL_MS = 15_000
/** Names of nodes, the newest first; those without a view have ended. */
const NAMES = 'deployment/nodes'
const MOST = 200

/** Of all processes: `state` is the worst, `since` when the first of them had it; requests are sums. */
export interface NodeUpstream extends UpstreamStatus {
  /** How many processes are in each state. */
  readonly processes: Readonly<Partial<Record<BreakerState, number>>>
}

export interface NodeView {
  readonly node: string
  /** When the node wrote it, ISO 8601, on its clock. */
  readonly at: string
  readonly upstreams: readonly NodeUpstream[]
}

type SharedStore = Pick<Store, 'set' | 'get' | 'push' | 'recent' | 'delete' | 'status'>

/** Undefined if nodes do not share this store. */
export const viewsOf = ({ store, instance }: { store: Store; instance: string }, log: Log): NodeViews | undefined =>
  store.reach === 'cluster' ? new NodeViews(store, instance, log) : undefined

export class NodeViews {
  readonly #store: SharedStore
  readonly #node: string
  readonly #trouble: Trouble
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** @param instance of any process of the node */
  constructor(store: SharedStore, instance: string, log: Log) {
    this.#store = store
    this.#node = nodeOf(instance)
    const words = { begins: 'other nodes cannot see this one', ends: 'other nodes see this one again' }
    this.#trouble = new Trouble({ log, ...words })
  }

  /** Writes now and regularly, until `close`. */
  start(read: () => Promise<readonly NodeUpstream[]>): void {
    const write = (): void => {
      this.#writing = this.#write(read).catch((error: Error) => {
        if (!isToldElsewhere(error, this.#store)) this.#trouble.note({ error: error.message })
      })
    }
    write()
    this.#timer = setInterval(write, EVERY_MS).unref()
  }

  /** Of the other nodes. */
  async others(): Promise<NodeView[]> {
    const names = (await this.#names()).filter((name) => name !== this.#node)
    const views = await Promise.all(names.map((name) => this.#store.get<Json>(keyOf(name))))
    return (views as unknown as (NodeView | undefined)[])
      .filter((view) => view !== undefined)
      .toSorted((a, b) => (a.node < b.node ? -1 : 1))
  }

  own(upstreams: readonly NodeUpstream[]): NodeView {
    return { node: this.#node, at: new Date().toISOString(), upstreams }
  }

  async close(): Promise<void> {
    this.#trouble.close()
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    await this.#writing
    await this.#store.delete(keyOf(this.#node)).catch(() => {})
  }

  async #write(read: () => Promise<readonly NodeUpstream[]>): Promise<void> {
    const view = this.own(await read())
    await this.#store.set(keyOf(this.#node), view as unknown as Json, { ttlMs: TTL_MS })
    if (!(await this.#names()).includes(this.#node)) await this.#store.push(NAMES, [this.#node], MOST)
  }

  async #names(): Promise<string[]> {
    const { entries } = await this.#store.recent(NAMES, { limit: MOST })
    return [...new Set(entries as string[])]
  }
}

const keyOf = (node: string): string => `${NAMES}/${node}`

/** Workers have the name of their node and a number. */
export const nodeOf = (instance: string): string => instance.replace(/-w\d+$/, '')
