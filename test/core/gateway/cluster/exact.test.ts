import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { RunningGateway as Node } from '../../../helpers/cli.ts'
import { RedisServer } from '../../services/store/redis-server.ts'
import { assertExact, assertTokens, budgetOf, flood, holdUntil, LARGE, LIMIT, spentAfterLeases } from './limits.ts'
import { type ClusterRig, pidOf, shareCluster } from './setup.ts'

/** Each that the limit let pass is paid, also those that nobody settled: spent + free = limit. */
const PAID = { spent: LIMIT, reserved: 0 }

describe('four times as many requests at once as a limit lets pass', () => {
  const shared = shareCluster(() => ({ ...budgetOf({ calm: LIMIT, killed: LIMIT }), workers: 4 }))

  it(`are exactly ${LIMIT} with four workers, which use no token over a limit`, async () => {
    const { provider, gateway } = shared()
    await assertExact('calm', provider, [gateway.url], LIMIT)
    await assertTokens(provider, [gateway.url])
  })

  it('never become more when a worker is killed meanwhile', async () => {
    const { provider, gateway, folder } = shared()
    const before = provider.requests.length
    const { arrived, release } = holdUntil(provider, LIMIT)
    // First as many as may pass: of sixty connections each worker has some. The others then race for what is left.
    const replies = await flood('killed', [gateway.url], LIMIT)
    await arrived
    replies.push(...(await flood('killed', [gateway.url], 3 * LIMIT)))
    process.kill(await pidOf(gateway, 1), 'SIGKILL')
    await pidOf(gateway, 1, 1)
    // What the dead one held stays held: nobody else gets in.
    const late = await flood('killed', [gateway.url], 40)
    assert.deepEqual(new Set(await Promise.all(late)), new Set([403]))
    release()
    const statuses = await Promise.all(replies)
    const completed = statuses.filter((status) => status === 200).length
    assert.ok(completed < LIMIT && statuses.filter((status) => status === 0).length > 0, String(completed))
    assert.equal(provider.requests.length - before, LIMIT)
    gateway.kill('SIGTERM')
    assert.equal((await gateway.ended).code, 0)
    for (const id of ['calm', 'killed']) assert.deepEqual(await spentAfterLeases(join(folder, 'data'), id), PAID)
  })
})

describe('three nodes on one Redis', () => {
  let redis: RedisServer
  let rig: ClusterRig
  let nodes: Node[]
  before(async () => {
    redis = await RedisServer.start('--appendfsync', 'everysec')
  })
  after(() => redis.stop())
  const shared = shareCluster(() => ({
    ...budgetOf({ calm: LARGE, half: LIMIT, all: LIMIT }),
    ...{ workers: 1, store: redis.url },
  }))
  before(async () => {
    rig = shared()
    nodes = [rig.gateway, await rig.another(), await rig.another()]
  })

  it(`let exactly ${LARGE} of ${4 * LARGE} requests pass, and use no token over a limit`, async () => {
    const urls = nodes.map(({ url }) => url)
    await assertExact('calm', rig.provider, urls, LARGE)
    await assertTokens(rig.provider, urls)
  })

  // Half: requests still race for what is left. All: the limit is used up, and every hold is known.
  for (const [id, held] of [
    ['half', LIMIT / 2],
    ['all', LIMIT],
  ] as const) {
    it(`never let more pass when one is killed while ${held} are under way`, async () => {
      const before = rig.provider.requests.length
      const { arrived, release } = holdUntil(rig.provider, held)
      const urls = nodes.map(({ url }) => url)
      // First as many as are held, so that each node has some of them; the others then race for what is left.
      const replies = await flood(id, urls, held)
      await arrived
      replies.push(...(await flood(id, urls, 4 * LIMIT - held)))
      const victim = nodes.shift() as Node
      victim.kill('SIGKILL')
      assert.equal((await victim.ended).signal, 'SIGKILL')
      release()
      const statuses = Map.groupBy(await Promise.all(replies), (status) => status)
      assert.deepEqual(new Set(statuses.keys()), new Set([200, 403, 0]))
      assert.ok(statuses.get(200)!.length < LIMIT)
      // What the dead one held stays held: neither of the others lets anybody else in.
      const others = nodes.map(({ url }) => url)
      const late = await flood(id, others, 40)
      assert.deepEqual(new Set(await Promise.all(late)), new Set([403]))
      const reached = rig.provider.requests.length - before
      assert.ok(held === LIMIT ? reached === LIMIT : reached <= LIMIT, String(reached))
      nodes.push(await rig.another())
    })
  }

  it('have paid for each that a limit let pass when all have ended', async () => {
    for (const node of nodes) {
      node.kill('SIGTERM')
      assert.equal((await node.ended).code, 0)
    }
    for (const id of ['half', 'all']) assert.deepEqual(await spentAfterLeases(redis.url, id), PAID)
  })
})
