/** A Redis that comes back without its data, while gateways run. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { completion, json } from '../../../../core/testing/provider.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { ADMIN_KEY, asking, bearer, post, type Setup, setup } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'
import { RedisServer } from '../../services/store/redis-server.ts'

type Row = Record<string, number | string>

const limit = { id: 'rq', scope: 'key', unit: 'requests', limit: 50, window: { rolling: '1d' } }

const FINGERPRINT = '{governed-gateway}:k:deployment/secret'

async function start(t: TestContext): Promise<{ redis: RedisServer; nodes: [Setup, Setup] }> {
  const redis = await RedisServer.start('--appendonly', 'no')
  t.after(() => redis.stop())
  const node = async (instance: string): Promise<Setup> => {
    const audit = { use: 'audit-file', options: { path: join(temporaryFolder(), 'audit.jsonl') } }
    const plugins = [{ use: 'usage' }, audit, { use: 'budget', options: { limits: [limit] } }]
    const one = await setup(t, {
      plugins,
      config: { store: redis.url, instance, audit: { spill_folder: temporaryFolder() } },
    })
    one.provider.otherwise(json(completion('Well')))
    return one
  }
  return { redis, nodes: [await node('first'), await node('second')] }
}

const get = async ({ gateway }: Setup, path: string): Promise<Record<string, Row[]>> => {
  const reply = await send(`${gateway.url}${path}`, { method: 'GET', headers: bearer(ADMIN_KEY) })
  return JSON.parse(await reply.text()) as Record<string, Row[]>
}

const budget = async (node: Setup) =>
  (await get(node, '/api/budgets')).budgets?.find(({ subject }) => subject === 'user') ?? {}
const spent = async (node: Setup) => (await budget(node)).spent
const counted = async (node: Setup) => (await get(node, '/api/usage?by=key&key=user')).usage?.[0]?.served

async function ask({ gateway }: Setup): Promise<number> {
  const reply = await post(gateway, asking('Hello'))
  await reply.text()
  return reply.status
}

/** Settles when each node has a connection again, as its next answered request shows. */
async function emptied(
  redis: RedisServer,
  nodes: readonly Setup[],
  how: 'restart' | 'flush' = 'restart',
): Promise<void> {
  if (how === 'flush') redis.cli('FLUSHALL')
  else {
    await redis.kill()
    await redis.run()
  }
  for (const node of nodes) await until(async () => (await ask(node)) === 200)
}

describe('a Redis that comes back empty', () => {
  for (const how of ['restart', 'flush'] as const) {
    it(`has what both nodes count from then on, and usage of the hour, after a ${how}`, async (t) => {
      const { redis, nodes } = await start(t)
      for (const node of nodes) assert.equal(await ask(node), 200)
      for (const node of nodes) {
        await until(async () => (await counted(node)) === 2)
        assert.equal(await spent(node), 2)
      }
      await emptied(redis, nodes, how)
      // The connection stays: the last write of the first exchange shows the loss.
      const more = how === 'flush' ? 2 : 0
      if (more > 0) for (const node of nodes) assert.equal(await ask(node), 200)
      for (const node of nodes) {
        await until(async () => (await spent(node)) === 2 + more)
        await until(async () => (await counted(node)) === 4 + more)
      }
    })
  }

  it('follows what admins add to a budget', async (t) => {
    const { redis, nodes } = await start(t)
    for (const node of nodes) assert.equal(await ask(node), 200)
    const add = async (amount: number) => {
      const body = { id: 'rq', subject: 'user', amount }
      const reply = await send(`${nodes[0].gateway.url}/api/budgets/top-up`, { headers: bearer(ADMIN_KEY), body })
      assert.equal(reply.status, 200, await reply.text())
    }
    for (let i = 0; i < 5; i++) await add(1)
    for (const node of nodes) await until(async () => (await budget(node)).limit === 55)
    await emptied(redis, nodes)
    for (const node of nodes) await until(async () => (await budget(node)).limit === 50)
    await add(7)
    for (const node of nodes) await until(async () => (await budget(node)).limit === 57)
  })

  it('has the fingerprint of the secret again, so that no node with another one starts', async (t) => {
    const { redis, nodes } = await start(t)
    await emptied(redis, nodes)
    await until(() => redis.cli('EXISTS', FINGERPRINT) === '1')
    const other = { store: redis.url, instance: 'third', secret: 'another secret for tests, 32 characters or more' }
    await assert.rejects(setup(t, { config: other }), /secret: it is not that of the other gateways/)
  })

  it('tells an operator whose fingerprint is another one by then', async (t) => {
    const { redis, nodes } = await start(t)
    redis.cli('HSET', FINGERPRINT, 't', '"another"')
    for (const type of ['normal', 'pubsub']) redis.cli('CLIENT', 'KILL', 'TYPE', type)
    for (const { gateway } of nodes) {
      const { level, problem } = await until(() =>
        gateway.log.find(({ msg }) => msg === 'another node has another secret'),
      )
      assert.equal(level, 'error')
      assert.match(String(problem), /Give all nodes the same secret/)
    }
  })
})
