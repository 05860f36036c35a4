import { after, before, describe, it } from 'node:test'
import { StoreClient } from '../../../core/store/client.ts'
import { RedisDriver } from '../../../core/store/redis/driver.ts'
import { conformance } from './conformance.ts'
import type { Harness } from './harness.ts'
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
    await compareWithModel(harness, 150)
  })
})
