import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../../helpers/http.ts'
import { RedisServer } from '../store/redis-server.ts'
import { type ClusterRig, pidOf, startCluster } from './setup.ts'

const session = { headers: { 'x-service-session-id': 's' } }
const options = (redis: RedisServer) => ({ plugins: [{ use: 'sessions' }], store: redis.url })

async function readiness({ gateway }: ClusterRig): Promise<string> {
  const reply = await send(`${gateway.url}/health/ready`)
  const { status } = await reply.json()
  assert.equal(reply.status, status === 'ok' ? 200 : 503)
  return status as string
}

/** Settles once every worker says so: each new connection may reach another. */
async function all(rig: ClusterRig, wanted: string): Promise<void> {
  for (let row = 0; row < 12; row++) if ((await readiness(rig)) !== wanted) row = -1
}

const turn = async ({ post }: ClusterRig): Promise<number> => {
  const reply = await post(session)
  await reply.text()
  return reply.status === 200 ? Number(reply.headers['x-service-turn-index']) : -reply.status
}

describe('workers on Redis', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start()
  })
  after(() => redis.stop())

  it('have connections of their own, and count together', async (t) => {
    const rig = await startCluster(t, options(redis))
    assert.match(rig.gateway.greeting(), /workers {2}2/)
    const turns = []
    for (let i = 0; i < 8; i++) turns.push(await turn(rig))
    assert.deepEqual(turns, [0, 1, 2, 3, 4, 5, 6, 7])
    const instances = rig.gateway.lines
      .filter(({ msg }) => msg === 'service.started')
      .map(({ event }) => (event as { instance: string }).instance)
    assert.equal(new Set(instances).size, 2)
    process.kill(await pidOf(rig.gateway, 1), 'SIGKILL')
    await pidOf(rig.gateway, 1, 1)
    for (let i = 8; i < 12; i++) assert.equal(await turn(rig), i)
  })

  for (const fault of ['killed', 'hung'] as const) {
    it(`say that they are unavailable while Redis is ${fault}, and heal without a restart`, async (t) => {
      const rig = await startCluster(t, options(redis))
      const before = await turn(rig)
      let stop = false
      let served = 0
      // A plain client goes on all the time: it is answered, whatever happens to Redis.
      const load = (async () => {
        while (!stop) {
          const reply = await rig.post()
          await reply.text()
          assert.equal(reply.status, 200)
          served++
        }
      })()
      if (fault === 'killed') await redis.kill()
      else redis.signal('SIGSTOP')
      await all(rig, 'unavailable')
      if (fault === 'killed') await redis.run()
      else redis.signal('SIGCONT')
      await all(rig, 'ok')
      stop = true
      await load
      assert.ok(served > 0)
      assert.ok((await turn(rig)) > before)
      assert.equal(rig.gateway.lines.filter(({ msg }) => msg === 'worker ended: another takes its place').length, 0)
    })
  }
})
