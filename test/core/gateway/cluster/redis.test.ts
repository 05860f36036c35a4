import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'
import { RedisServer } from '../../services/store/redis-server.ts'
import { type ClusterRig, pidOf, shareCluster, startCluster } from './setup.ts'

const session = { headers: { 'x-service-session-id': 's' } }

async function readiness({ gateway }: ClusterRig): Promise<string> {
  const reply = await send(`${gateway.url}/health/ready`)
  const { status } = await reply.json()
  assert.equal(reply.status, status === 'ok' ? 200 : 503)
  return status as string
}

/** Settles once every worker says so: each new connection may reach another. */
async function all(rig: ClusterRig, wanted: string): Promise<void> {
  let row = 0
  await until(async () => {
    row = (await readiness(rig)) === wanted ? row + 1 : 0
    return row === 12
  })
}

const turn = async ({ post }: ClusterRig): Promise<number> => {
  const reply = await post(session)
  await reply.text()
  return reply.status === 200 ? Number(reply.headers['x-service-turn-index']) : -reply.status
}

/** A worker that is killed while Redis is away has a successor that serves. */
async function assertReplaced({ gateway, post }: ClusterRig): Promise<void> {
  process.kill(await pidOf(gateway, 1), 'SIGKILL')
  const successor = await pidOf(gateway, 1, 1)
  const served = () => gateway.lines.some(({ msg, pid }) => msg === 'request.completed' && pid === successor)
  await until(async () => {
    assert.equal((await post()).status, 200)
    return served()
  })
}

describe('workers on Redis', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start()
  })
  after(() => redis.stop())

  describe('without a limit', () => {
    const shared = shareCluster(() => ({ plugins: [{ use: 'sessions' }], store: redis.url }))
    const ended = () =>
      shared().gateway.lines.filter(({ msg }) => msg === 'worker ended: another takes its place').length

    it('have connections of their own, and count together', async () => {
      const rig = shared()
      assert.match(rig.gateway.greeting(), /workers {2}2/)
      const turns = []
      for (let i = 0; i < 8; i++) turns.push(await turn(rig))
      assert.deepEqual(turns, [0, 1, 2, 3, 4, 5, 6, 7])
      const instances = () =>
        rig.gateway.lines
          .filter(({ msg }) => msg === 'service.started')
          .map(({ event }) => (event as { instance: string }).instance)
      await rig.gateway.logged(() => new Set(instances()).size === 2)
      process.kill(await pidOf(rig.gateway, 1), 'SIGKILL')
      await pidOf(rig.gateway, 1, 1)
      for (let i = 8; i < 12; i++) assert.equal(await turn(rig), i)
    })

    for (const fault of ['killed', 'hung'] as const) {
      it(`say that they are unavailable while Redis is ${fault}, and heal without a restart`, async () => {
        const rig = shared()
        const before = { turn: await turn(rig), ended: ended() }
        let stop = false
        let served = 0
        // A plain client goes on all the time: it is answered, whatever happens to Redis.
        const load = until(async () => {
          const reply = await rig.post()
          await reply.text()
          assert.equal(reply.status, 200)
          served++
          return stop
        })
        if (fault === 'killed') await redis.kill()
        else redis.signal('SIGSTOP')
        await all(rig, 'unavailable')
        if (fault === 'killed') await redis.run()
        else redis.signal('SIGCONT')
        await all(rig, 'ok')
        stop = true
        await load
        assert.ok(served > 0)
        // A call that waits too long on a busy machine takes its turn from the messages, which is 0.
        await until(async () => (await turn(rig)) > before.turn)
        assert.equal(ended(), before.ended)
      })
    }
  })

  for (const choice of ['block', 'local'] as const) {
    it(`do what the operator chose while Redis is away, then count in it again (${choice})`, async (t) => {
      redis.cli('FLUSHALL')
      const limits = [{ scope: 'key', unit: 'requests', limit: 200, window: { rolling: '1h' } }]
      const rig = await startCluster(t, {
        plugins: [{ use: 'sessions' }, { use: 'budget', options: { limits } }],
        limits: { on_store_error: choice },
        store: redis.url,
      })
      const status = async (): Promise<number> => {
        const reply = await rig.post()
        await reply.text()
        return reply.status
      }
      assert.equal(await status(), 200)
      await redis.kill()
      // Each worker notices by itself; until then a call may wait for the connection to come back.
      let row = 0
      await until(async () => {
        row = (await status()) === (choice === 'block' ? 503 : 200) ? row + 1 : 0
        return row === 8
      })
      if (choice === 'block') await all(rig, 'unavailable')
      else assert.equal(await readiness(rig), 'ok')
      const told = (type: string) =>
        new Set(rig.gateway.lines.filter(({ msg }) => msg === type).map(({ worker }) => worker)).size
      // One that has not noticed yet would do so later, and count by itself while the others are counting in Redis.
      await rig.gateway.logged(() => told('store.unavailable') === 2)
      if (choice === 'local') await assertReplaced(rig)
      await redis.run()
      await rig.gateway.logged(() => told('store.recovered') === 2)
      // Both workers count in Redis again: what is left of the limit is used, and no more.
      let served = 0
      let refused = 0
      while (refused < 20 && served <= 200) {
        const now = await status()
        if (now === 403) refused++
        else if (now === 200) served++
      }
      assert.ok(served > 0 && served < 200, `${served} of 200`)
    })
  }
})
