/** What the nodes on one Redis must have in common. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runCli } from '../../../helpers/cli.ts'
import { until } from '../../../helpers/until.ts'
import { RedisServer } from '../../services/store/redis-server.ts'
import { startCluster } from './setup.ts'

const OTHER = 'another secret for tests, 32 characters or more'
const limits = (limit: number) => {
  const plain = { scope: 'key', unit: 'requests', window: { rolling: '1h' } }
  return [
    {
      use: 'budget',
      options: {
        limits: [
          { id: 'same', limit: 5, ...plain },
          { id: 'other', limit, ...plain },
        ],
      },
    },
  ]
}

describe('nodes on one Redis', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start()
  })
  after(() => redis.stop())

  it('do not start with another secret, until the fingerprint is deleted', async (t) => {
    redis.cli('FLUSHALL')
    const rig = await startCluster(t, { workers: 1, store: redis.url })
    const file = join(rig.folder, 'second.yaml')
    const other = { secret: OTHER, instance: 'second' }
    writeFileSync(file, rig.config({ ...other, workers: 2 }))
    const alone = await rig.here(other).catch(({ message }: Error) => message)
    const { code, stderr } = await runCli(['start', '--config', file])
    assert.notEqual(code, 0)
    for (const told of [alone, stderr]) {
      assert.match(String(told), /secret: it is not that of the other gateways.*deployment\/secret/s)
      assert.ok(!String(told).includes(OTHER))
    }
    // They left nothing behind.
    const keys = redis.cli('KEYS', '*')
    assert.ok(!keys.includes('second'), keys)
    assert.equal(redis.cli('DEL', '{governed-gateway}:k:deployment/secret'), '1')
    await rig.here(other)
  })

  it('tell of limits that differ, and of no others', async (t) => {
    redis.cli('FLUSHALL')
    const rig = await startCluster(t, { workers: 2, store: redis.url, plugins: limits(10) })
    const second = await rig.here({ instance: 'second', plugins: limits(20) })
    const told = (lines: typeof second.lines) => lines.filter(({ msg }) => msg === 'limits.differ')
    await until(() => told(second.lines).length > 0)
    assert.deepEqual(
      told(second.lines).map(({ event }) => (event as { limit: string }).limit),
      ['budget/other'],
    )
    assert.deepEqual(told(rig.gateway.lines), [])
  })
})
