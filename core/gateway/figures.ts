/** Figures of the core: store, connections, memo of inspected texts. */
import type { FigureSpec, Sample } from '../engine/contract/plugin.ts'
import type { StoreStatus } from '../engine/contract/store.ts'
import type { MemoStats } from '../engine/text/memo.ts'
import type { UpstreamStatus } from '../engine/upstreams/load/load.ts'
import { Figures } from '../services/figures.ts'

export interface CoreState {
  store(): StoreStatus
  /** The store rejected a write and has not recovered. */
  down(): boolean
  connections(): number
  exchanges(): number
  memo(): MemoStats | undefined
  upstreams(): readonly UpstreamStatus[]
}

const one = (value: number): readonly Sample[] => [{ value }]

export function openFigures(state: CoreState): Figures {
  const figures = new Figures()
  for (const figure of coreFigures(state)) figures.offer(state, figure)
  return figures
}

function coreFigures(state: CoreState): readonly FigureSpec[] {
  const memo = (
    name: string,
    kind: FigureSpec['kind'],
    help: string,
    pick: (stats: MemoStats) => number,
  ): FigureSpec => ({
    name: `inspection_memo_${name}`,
    kind,
    help,
    read: () => {
      const stats = state.memo()
      return stats === undefined ? [] : one(pick(stats))
    },
  })
  return [
    {
      name: 'store_ready',
      kind: 'gauge',
      across: 'min',
      help: 'Whether the store takes writes: 1, or 0.',
      read: () => one(state.store().state === 'ready' && !state.down() ? 1 : 0),
    },
    {
      name: 'client_connections',
      kind: 'gauge',
      help: 'Open connections of clients.',
      read: () => one(state.connections()),
    },
    {
      name: 'exchanges_running',
      kind: 'gauge',
      help: 'Requests whose reply is not complete, streams included.',
      read: () => one(state.exchanges()),
    },
    {
      name: 'upstream_available',
      kind: 'gauge',
      across: 'min',
      help: 'Whether the upstream may be asked: 1, or 0 while its breaker is open.',
      read: () =>
        state.upstreams().map((one) => ({ value: one.state === 'open' ? 0 : 1, labels: { upstream: one.name } })),
    },
    {
      name: 'upstream_waiting_requests',
      kind: 'gauge',
      help: 'Requests that wait for a seat of the upstream.',
      read: () => state.upstreams().map(({ name, waiting = 0 }) => ({ value: waiting, labels: { upstream: name } })),
    },
    {
      name: 'upstream_keys_resting',
      kind: 'gauge',
      across: 'max',
      help: 'Keys of the upstream that rest after a 429.',
      read: () => state.upstreams().map((one) => ({ value: one.keys_resting ?? 0, labels: { upstream: one.name } })),
    },
    {
      name: 'mirrored_requests_total',
      kind: 'counter',
      help: 'Copies of requests to the mirror of a route, by result; and those that were not made, by reason.',
      read: () =>
        state
          .upstreams()
          .flatMap(({ name, mirrored = {} }) =>
            Object.entries(mirrored).map(([result, value]) => ({ value, labels: { upstream: name, result } })),
          ),
    },
    memo('entries', 'gauge', 'Texts whose findings are remembered.', ({ entries }) => entries),
    memo('bytes', 'gauge', 'Memory of remembered findings, bytes.', ({ bytes }) => bytes),
    memo('hits_total', 'counter', 'Texts that were not inspected again.', ({ hits }) => hits),
    memo('misses_total', 'counter', 'Texts that were inspected.', ({ misses }) => misses),
    memo('evictions_total', 'counter', 'Findings dropped for want of room.', ({ evictions }) => evictions),
  ]
}
