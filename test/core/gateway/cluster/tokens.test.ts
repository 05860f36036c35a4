import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RunningGateway } from '../../../helpers/cli.ts'
import { asking, type TestGateway, USER_KEY } from '../../../helpers/gateway.ts'
import { CountingProvider, Crowd } from '../../../plugins/budget/load.ts'
import { RedisServer } from '../../services/store/redis-server.ts'
import { type ClusterRig, startCluster, startNodes } from './setup.ts'

const LIMIT = 12_000
const REQUESTS = 300
const config = {
  log: { level: 'warn' },
  plugins: [
    { use: 'budget', options: { limits: [{ scope: 'key', unit: 'tokens', limit: LIMIT, window: { rolling: '1h' } }] } },
  ],
}

/** More than the limit allows is asked for at once, half of it streamed: no token is used over it, and hardly one is left. */
async function assertTokens({ provider }: ClusterRig, nodes: readonly RunningGateway[]) {
  let asked = 0
  const counting = new CountingProvider(() => ({ tokens: 20 + ((asked++ * 37) % 160) }))
  provider.otherwise(counting.script)
  const crowds = nodes.map(({ url }) => new Crowd({ url } as TestGateway, USER_KEY, 96 / nodes.length))
  try {
    const bodies = [false, true].map((stream) => asking('Hello', { stream, max_tokens: 200 }))
    const send = (_: unknown, i: number) =>
      (crowds[i % crowds.length] as Crowd).send(bodies[Math.floor(i / crowds.length) % 2] as object)
    const replies = await Promise.all(Array.from({ length: REQUESTS }, send))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 403]))
    const used = counting.used.get('') ?? 0
    assert.ok(used <= LIMIT && used >= LIMIT * 0.98, `${used} of ${LIMIT} tokens were used`)
  } finally {
    await Promise.all(crowds.map((crowd) => crowd.close()))
  }
}

it('tokens are never used over the limit by four workers', async (t) => {
  const rig = await startCluster(t, { ...config, workers: 4 })
  await assertTokens(rig, [rig.gateway])
})

describe('tokens on three nodes', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start('--appendfsync', 'everysec')
  })
  after(() => redis.stop())

  it('are never used over the limit', async (t) => {
    const rig = await startCluster(t, { ...config, workers: 1, store: redis.url })
    await assertTokens(rig, await startNodes(t, rig, 3))
  })
})
