import assert from 'node:assert/strict'
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

describe('with a Redis server', () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start()
  })
  after(() => server.stop())

  let deployments = 0
  const harness: Harness = {
    name: 'redis',
    async open(options) {
      const deployment = `test-${deployments++}`
      return new StoreClient(await RedisDriver.open({ url: server.url, deployment, ...options }))
    },
  }

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
