/** Whether the gateway is ready while the store is away depends on who needs it. */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { definePlugin } from '../../../../core/engine/contract/plugin.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { post, setup, type TestGateway } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { told, until } from '../../../helpers/until.ts'
import { RedisServer } from '../store/redis-server.ts'
import { reader, requests } from './faults.ts'

const schema = { type: 'object', properties: {}, additionalProperties: false } as const
/** Looks at texts and keeps nothing. */
const looker = definePlugin({ name: 'looker', schema, create: () => ({ detect: () => {} }) })
/** Keeps something of its own for each request. */
const keeper = definePlugin({ name: 'keeper', schema, create: (_, { store }) => ({ detect: () => void store.reach }) })
/** Keeps something, but no request waits for it. */
const observer = definePlugin({
  ...keeper,
  name: 'observer',
  onError: 'allow',
  governs: 'usage',
})
/** Wants limits, and does not say so before a request comes. */
const counting = { ...requests(100), name: 'counting', governs: 'content' as const }
const plugins = { looker, keeper, observer, reader, requests: requests(100), counting }

async function readiness(gateway: TestGateway): Promise<number> {
  const reply = await send(`${gateway.url}/health/ready`)
  await reply.text()
  return reply.status
}

describe('readiness while Redis is away', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start()
  })
  after(() => redis.stop())

  /** Each in a database of its own: they share a process, so their audit chains would have the same name. */
  const start = async (t: TestContext, database: number, use: readonly string[], config: { audit?: object } = {}) => {
    const specs = new Map(Object.entries(plugins).map(([name, spec]) => [name, spec as never]))
    const audit = { spill_folder: temporaryFolder(), ...config.audit }
    const store = redis.url.replace(/0$/, String(database))
    const entries = use.map((name) => ({ use: name }))
    const { gateway } = await setup(t, { plugins: entries, specs, config: { store, ...config, audit } })
    return gateway
  }
  /** Settles when the gateway knows it. */
  const noticed = ({ log }: TestGateway): Promise<unknown> => told(log, 'store.unavailable')

  it('is there exactly when requests are answered', async (t) => {
    const cases: [readonly string[], number, { audit?: object; limits?: object }?][] = [
      [[], 200],
      [['looker', 'observer'], 200],
      [['keeper'], 503],
      [['requests'], 503],
      [['looker', 'reader'], 503],
      [['reader'], 200, { audit: { on_error: 'allow' } }],
      [['requests'], 200, { limits: { on_store_error: 'local' } }],
      [['counting'], 503],
    ]
    const running = []
    for (const [i, [use, status, config]] of cases.entries()) {
      running.push({ use, status, gateway: await start(t, i, use, config) })
    }
    for (const { use, gateway } of running) {
      assert.equal(await readiness(gateway), 200)
      const reply = await post(gateway)
      await reply.text()
      assert.equal(reply.status, 200, use.join())
    }
    await redis.kill()
    for (const { use, status, gateway } of running) {
      await noticed(gateway)
      assert.equal(await readiness(gateway), status, use.join())
      if (use.includes('keeper')) continue
      const reply = await post(gateway)
      await reply.text()
      assert.equal(reply.status, status, use.join())
    }
    await redis.run()
    for (const { gateway } of running) await until(async () => (await readiness(gateway)) === 200)
  })
})
