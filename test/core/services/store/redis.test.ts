import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { RedisDriver } from '../../../../core/services/store/redis/driver.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { conformance } from './conformance.ts'
import { fakeClock, type Harness } from './harness.ts'
import { compareWithModel } from './model.ts'
import { RedisServer } from './redis-server.ts'

/** The only user is the one that operations.md describes. */
const KEYS = ['~{governed-gateway}:*', '&{governed-gateway}:*']
const RIGHTS = '-@all +eval +evalsha +script|load +info +ping +subscribe +publish +time +@read +@write'.split(' ')

describe('with a Redis server, as a user with few rights', () => {
  let server: RedisServer
  before(async () => {
    // Each store has a deployment of its own.
    const keys = KEYS.map((pattern) => pattern.replace('}', '-*}'))
    const user = ['--user', 'gateway', 'on', '>least', ...keys, ...RIGHTS]
    server = await RedisServer.start(...user, '--user', 'default', 'off')
  })
  after(() => server.stop())

  let deployments = 0
  const harness: Harness = {
    name: 'redis',
    async open(options) {
      const deployment = `governed-gateway-${deployments++}`
      const url = `redis://gateway:least@127.0.0.1:${server.port}/0`
      return new StoreClient(await RedisDriver.open({ url, deployment, ...options }))
    },
  }

  it('has the rights that the documentation tells', () => {
    const page = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    for (const right of [...KEYS, ...RIGHTS]) assert.ok(page.includes(right), right)
  })

  conformance(harness)

  it('behaves like the in-memory store', async () => {
    await compareWithModel(harness, rounds(150))
  })

  it('has the same calendar', async () => {
    const clock = fakeClock()
    const options = { clock: clock.read }
    const [store, model] = [await harness.open(options), new StoreClient(new MemoryDriver(options))]
    const windows = (['minute', 'hour', 'day', 'week', 'month'] as const).map((calendar) => ({
      key: 'k',
      window: { calendar },
    }))
    const date = fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2110, 0, 1) })
    const property = fc.asyncProperty(date, async (now) => {
      clock.now = now
      assert.deepEqual(await store.inspect(windows), await model.inspect(windows), new Date(now).toISOString())
    })
    const leap = [2000, 2023, 2024, 2100].flatMap((year) => [
      Date.UTC(year, 1, 28, 23),
      Date.UTC(year, 2, 1) - 1,
      Date.UTC(year, 2, 1),
    ])
    await fc.assert(property, { numRuns: rounds(500), examples: leap.map((at): [number] => [at]) })
    await store.close()
  })
})
