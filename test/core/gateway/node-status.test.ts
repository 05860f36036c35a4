/** Upstreams and memory of texts, as all processes of a node know them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '../../../core/engine/contract/plugin.ts'
import type { UpstreamStatus } from '../../../core/engine/upstreams/load/load.ts'
import { NodeStatus } from '../../../core/gateway/node-status.ts'
import { ADMIN_KEY, bearer } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { startCluster } from './cluster/setup.ts'

const memo = { entries: 1, bytes: 100, limit_bytes: 1000, hits: 2, misses: 3, evictions: 0 }
const EARLY = '2027-01-01T00:00:00.000Z'
const LATE = '2027-01-02T00:00:00.000Z'
const main = (more: Partial<UpstreamStatus> = {}): UpstreamStatus => ({
  ...{ name: 'main', state: 'closed', since: EARLY, failures_in_row: 0 },
  ...more,
})

function statusOf(own: UpstreamStatus, others: readonly UpstreamStatus[], at = Date.now()) {
  const channel = {
    answer: () => {},
    ask: async () => others.map((one) => ({ at, upstreams: [one], memo })) as unknown as Json[],
    inherited: {},
  }
  return new NodeStatus({ upstreams: () => [own], memo: () => memo }, channel)
}

describe('the status of a node', () => {
  it('has the worst state, the sums of requests, and the number of processes in each state', async () => {
    const others = [
      main({ state: 'open', since: LATE, failures_in_row: 5, waiting: 2, max_concurrent: 4, mirrored: { full: 1 } }),
      main({ waiting: 1, max_concurrent: 4, keys_resting: 1, mirrored: { full: 2, completed: 3 } }),
    ]
    const [upstream] = await statusOf(main({ max_concurrent: 4 }), others).upstreams()
    assert.deepEqual(upstream, {
      ...{ name: 'main', state: 'open', since: LATE, failures_in_row: 5, waiting: 3, max_concurrent: 12 },
      ...{ keys_resting: 1, mirrored: { full: 3, completed: 3 }, processes: { open: 1, closed: 2 } },
    })
  })

  it('sums the memory of texts', async () => {
    const sums = { entries: 2, bytes: 200, limit_bytes: 2000, hits: 4, misses: 6, evictions: 0 }
    assert.deepEqual(await statusOf(main(), [main()]).memo(), sums)
  })

  it('leaves out what a process said that has ended', async () => {
    const [upstream] = await statusOf(main(), [main({ state: 'open' })], Date.now() - 60_000).upstreams()
    assert.deepEqual([upstream?.state, upstream?.processes], ['closed', { closed: 1 }])
  })

  it('alone is that of its process', async () => {
    const alone = new NodeStatus({ upstreams: () => [main()], memo: () => undefined }, undefined)
    assert.deepEqual(await alone.upstreams(), [{ ...main(), processes: { closed: 1 } }])
    assert.equal(await alone.memo(), null)
  })
})

it('is asked of any worker', async (t) => {
  const keys = [{ id: 'ops', key: ADMIN_KEY, admin: true }]
  const { gateway } = await startCluster(t, { keys, plugins: [] })
  const reply = await send(`${gateway.url}/api/upstreams`, { headers: bearer(ADMIN_KEY) })
  const { upstreams } = (await reply.json()) as { upstreams: { name: string; processes: object }[] }
  assert.deepEqual(
    upstreams.map(({ name, processes }) => [name, processes]),
    [['scripted', { closed: 2 }]],
  )
})
