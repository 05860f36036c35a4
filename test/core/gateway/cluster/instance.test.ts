/** Two nodes on one Redis must not have one name: each would refuse half of the requests. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openStore } from '../../../../core/services/store/open.ts'
import { type RunningGateway, runCli } from '../../../helpers/cli.ts'
import { asking, bearer, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { RedisServer } from '../../services/store/redis-server.ts'
import { type ClusterRig, shareCluster, startCluster } from './setup.ts'

const settings = (redis: RedisServer, more: object) => ({
  workers: 1,
  store: redis.url,
  plugins: [{ use: 'audit-file' }],
  audit: { spill_folder: './spill' },
  ...more,
})

async function ask({ url }: Pick<RunningGateway, 'url'>): Promise<number> {
  const reply = await send(`${url}/v1/chat/completions`, { body: asking(), headers: bearer(USER_KEY) })
  await reply.text()
  return reply.status
}

async function readiness({ url }: Pick<RunningGateway, 'url'>): Promise<unknown> {
  const reply = await send(`${url}/health/ready`)
  return { code: reply.status, ...((await reply.json()) as object) }
}

describe('the name of an instance', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start()
  })
  after(() => redis.stop())

  const assertRefused = async ({ file, gateway }: ClusterRig, name: string): Promise<void> => {
    const { code, stderr } = await runCli(['start', '--config', file])
    assert.notEqual(code, 0)
    assert.match(stderr, new RegExp(`has the instance name ${name}.*SERVICE_INSTANCE`, 's'))
    assert.equal(await ask(gateway), 200)
    assert.deepEqual(await readiness(gateway), { code: 200, status: 'ok' })
  }

  it('is refused at the start while workers of another have it, and says what to do', async (t) => {
    const rig = await startCluster(t, settings(redis, { workers: 2, instance: 'of-workers' }))
    await assertRefused(rig, 'of-workers')
  })

  describe('of one process', () => {
    const shared = shareCluster(() => settings(redis, { instance: 'phoenix' }))

    it('is refused at the start while another has it', () => assertRefused(shared(), 'phoenix'))

    it('is unique by default, also where host names and process ids are the same', async (t) => {
      const { here } = shared()
      const nodes = [await here({ instance: undefined }), await here({ instance: undefined })]
      assert.deepEqual(await Promise.all(nodes.map(ask)), [200, 200])
      const store = await openStore(redis.url)
      t.after(() => store.close())
      const { instances } = await store.stats('audit')
      const own = instances.map(({ instance }) => instance).filter((name) => /-\d+-[0-9a-f]{10}$/.test(name))
      assert.equal(own.length, 2)
    })

    it('that another took meanwhile makes a gateway unavailable, which says why, until it is free', async () => {
      const { gateway, here } = shared()
      gateway.kill('SIGSTOP')
      const other = await here()
      gateway.kill('SIGCONT')
      for (let i = 0; i < 5; i++) assert.deepEqual([await ask(gateway), await ask(other)], [503, 200])
      const refused = { code: 503, status: 'unavailable', reason: 'instance_in_use' }
      assert.deepEqual(await readiness(gateway), refused)
      assert.deepEqual(await readiness(other), { code: 200, status: 'ok' })
      await other.close()
      await gateway.logged('store.recovered')
      assert.equal(await ask(gateway), 200)
      assert.deepEqual(await readiness(gateway), { code: 200, status: 'ok' })
    })

    it('is taken over from a process that was killed, and free after an orderly stop', async () => {
      const { gateway, here } = shared()
      gateway.kill('SIGKILL')
      await gateway.ended
      const next = await here()
      assert.equal(await ask(next), 200)
      const held = () => redis.cli('KEYS', '*i:phoenix')
      assert.notEqual(held(), '')
      await next.close()
      assert.equal(held(), '')
    })
  })
})
