/** What admins ask about a node: each answer covers all of its processes. */
import type { Json } from '../engine/contract/plugin.ts'
import type { MemoStats } from '../engine/text/memo.ts'
import type { BreakerState } from '../engine/upstreams/load/breaker.ts'
import type { UpstreamStatus } from '../engine/upstreams/load/load.ts'
import type { PeerChannel } from '../services/peers.ts'
import type { CoreState } from './figures.ts'
import type { NodeUpstream, NodeView, NodeViews } from './node-views.ts'

/** Not a name that a plugin can have. */
const QUESTION = '#status'
/** Older answers are those of a process that has ended, milliseconds. */
const FRESH_MS = 5000

/** Worst first. */
const STATES: readonly BreakerState[] = ['open', 'half_open', 'closed']
const SUMMED = ['open_requests', 'max_concurrent', 'waiting'] as const
const HIGHEST = ['latency_ms', 'keys', 'keys_resting'] as const

type OwnState = Pick<CoreState, 'upstreams' | 'memo'>

interface ProcessStatus {
  readonly upstreams: readonly UpstreamStatus[]
  readonly memo: MemoStats | null
}

/** Breakers, queues and memory of texts belong to a process, so one process must ask the others. */
export class NodeStatus {
  readonly #state: OwnState
  readonly #peers: PeerChannel | undefined
  readonly #views: NodeViews | undefined

  /** @param views of the nodes on one Redis */
  constructor(state: OwnState, peers: PeerChannel | undefined, views?: NodeViews) {
    this.#state = state
    this.#peers = peers
    this.#views = views
    peers?.answer(QUESTION, async () => ({ at: Date.now(), ...this.#own }) as unknown as Json)
  }

  get #own(): ProcessStatus {
    return { upstreams: this.#state.upstreams(), memo: this.#state.memo() ?? null }
  }

  async #all(): Promise<readonly ProcessStatus[]> {
    const others = ((await this.#peers?.ask(QUESTION)) ?? []) as unknown as (ProcessStatus & { readonly at: number })[]
    return [this.#own, ...others.filter(({ at }) => Date.now() - at < FRESH_MS)]
  }

  async upstreams(): Promise<NodeUpstream[]> {
    const all = (await this.#all()).flatMap(({ upstreams }) => upstreams)
    return [...Map.groupBy(all, ({ name }) => name).values()].map(merged)
  }

  /** What each node on this store sees, this one first; undefined if nodes share none. */
  async nodes(own: readonly NodeUpstream[]): Promise<NodeView[] | undefined> {
    const views = this.#views
    // The store may be down; this node still answers for itself.
    return views && [views.own(own), ...(await views.others().catch(() => []))]
  }

  /** Shows other nodes what this one sees, until `close`. One process of a node does. */
  publish(): void {
    this.#views?.start(() => this.upstreams())
  }

  async close(): Promise<void> {
    await this.#views?.close()
  }

  /** Null if texts are not remembered. */
  async memo(): Promise<MemoStats | null> {
    const all = (await this.#all()).flatMap(({ memo }) => memo ?? [])
    const [first] = all
    if (first === undefined) return null
    const names = Object.keys(first) as (keyof MemoStats)[]
    return Object.fromEntries(names.map((name) => [name, sum(all, name)])) as unknown as MemoStats
  }
}

function merged(all: readonly UpstreamStatus[]): NodeUpstream {
  const byState = Map.groupBy(all, ({ state }) => state)
  const state = STATES.find((one) => byState.has(one)) as BreakerState
  const mirrored = Map.groupBy(
    all.flatMap((one) => Object.entries(one.mirrored ?? {})),
    ([result]) => result,
  )
  return {
    ...(all[0] as UpstreamStatus),
    state,
    since: (byState.get(state) ?? []).map(({ since }) => since).toSorted()[0] as string,
    failures_in_row: Math.max(...all.map((one) => one.failures_in_row)),
    ...known(all, SUMMED, (name) => sum(all, name)),
    ...known(all, HIGHEST, (name) => Math.max(...all.map((one) => one[name] ?? 0))),
    ...(mirrored.size > 0 && {
      mirrored: Object.fromEntries([...mirrored].map(([result, counts]) => [result, sum(counts, 1)])),
    }),
    processes: Object.fromEntries(STATES.flatMap((one) => (byState.has(one) ? [[one, byState.get(one)?.length]] : []))),
  }
}

/** Members that at least one process reports. */
const known = <N extends keyof UpstreamStatus>(
  all: readonly UpstreamStatus[],
  names: readonly N[],
  value: (name: N) => number,
): Partial<Record<N, number>> =>
  Object.fromEntries(
    names.flatMap((name) => (all.some((one) => one[name] !== undefined) ? [[name, value(name)]] : [])),
  ) as Partial<Record<N, number>>

const sum = <N extends PropertyKey>(all: readonly { readonly [name in N]?: unknown }[], name: N): number =>
  all.reduce((total: number, one) => total + ((one[name] as number | undefined) ?? 0), 0)
