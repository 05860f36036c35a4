/** Two nodes on one Redis must not have one name: each would refuse half of the requests. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { openStore } from '../../../../core/services/store/open.ts'
import { type RunningGateway, runCli, startCli } from '../../../helpers/cli.ts'
import { asking, bearer, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { RedisServer } from '../../services/store/redis-server.ts'
import { type ClusterRig, startCluster } from './setup.ts'

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

async function secondNode(t: TestContext, rig: ClusterRig): Promise<RunningGateway> {
  const file = join(rig.folder, 'second.yaml')
  writeFileSync(file, rig.config())
  const node = await startCli(['--config', file])
  t.after(async () => {
    node.kill('SIGTERM')
    await node.ended
  })
  return node
}

describe('the name of an instance', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start()
  })
  after(() => redis.stop())

  for (const workers of [1, 2]) {
    it(`is refused at the start while another has it, and says what to do (workers: ${workers})`, async (t) => {
      const rig = await startCluster(t, settings(redis, { workers, instance: `same-${workers}` }))
      const file = join(rig.folder, 'second.yaml')
      writeFileSync(file, rig.config())
      const { code, stderr } = await runCli(['start', '--config', file])
      assert.notEqual(code, 0)
      assert.match(stderr, new RegExp(`has the instance name same-${workers}.*SERVICE_INSTANCE`, 's'))
      assert.equal(await ask(rig.gateway), 200)
      assert.deepEqual(await readiness(rig.gateway), { code: 200, status: 'ok' })
    })
  }

  it('is taken over from a process that was killed, and free after an orderly stop', async (t) => {
    const rig = await startCluster(t, settings(redis, { instance: 'phoenix' }))
    rig.gateway.kill('SIGKILL')
    await rig.gateway.ended
    const next = await secondNode(t, rig)
    assert.equal(await ask(next), 200)
    next.kill('SIGTERM')
    await next.ended
    const started = performance.now()
    await secondNode(t, rig)
    assert.ok(performance.now() - started < 10_000)
  })

  it('that another took meanwhile makes a gateway unavailable, which says why, until it is free', async (t) => {
    const rig = await startCluster(t, settings(redis, { instance: 'paused' }))
    assert.equal(await ask(rig.gateway), 200)
    rig.gateway.kill('SIGSTOP')
    const other = await secondNode(t, rig)
    rig.gateway.kill('SIGCONT')
    for (let i = 0; i < 5; i++) {
      assert.deepEqual([await ask(rig.gateway), await ask(other)], [503, 200])
    }
    const refused = { code: 503, status: 'unavailable', reason: 'instance_in_use' }
    assert.deepEqual(await readiness(rig.gateway), refused)
    assert.deepEqual(await readiness(other), { code: 200, status: 'ok' })
    other.kill('SIGTERM')
    await other.ended
    await rig.gateway.logged('store.recovered')
    assert.equal(await ask(rig.gateway), 200)
    assert.deepEqual(await readiness(rig.gateway), { code: 200, status: 'ok' })
  })

  it('is unique by default, also where host names and process ids are the same', async (t) => {
    const rig = await startCluster(t, settings(redis, {}))
    const other = await secondNode(t, rig)
    assert.deepEqual([await ask(rig.gateway), await ask(other)], [200, 200])
    const store = await openStore(redis.url)
    t.after(() => store.close())
    const { instances } = await store.stats('audit')
    const own = instances.map(({ instance }) => instance).filter((name) => /-\d+-[0-9a-f]{10}$/.test(name))
    assert.equal(own.length, 2)
  })
})
