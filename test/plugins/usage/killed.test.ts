/** A process that is killed loses nothing that it counted. */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chunks, completion, json, stream } from '../../../core/testing/provider.ts'
import { type ClusterRig, pidOf, startCluster } from '../../core/gateway/cluster/setup.ts'
import { RedisServer } from '../../core/services/store/redis-server.ts'
import { asking, bearer } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { ALL } from '../../helpers/rounds.ts'
import { until } from '../../helpers/until.ts'

const REQUESTS = 24
const DIES = fileURLToPath(new URL('../../fixtures/plugins/dies.ts', import.meta.url))

type Row = Record<string, number | string>

interface Node {
  readonly url: string
}

let redis: RedisServer
before(async () => {
  redis = await RedisServer.start()
})
after(() => redis.stop())

async function start(t: TestContext, more: object): Promise<ClusterRig> {
  const limits = ['requests', 'tokens', 'usd'].map((unit) => ({ scope: 'key', unit, limit: 1e6, window: 'month' }))
  const budget = { limits, prices: [{ model: '*', input: 1.1, output: 3.3 }] }
  const rig = await startCluster(t, {
    keys: ['user', 'ops'].map((id) => ({ id, key: `${id}-key-for-tests`, admin: id === 'ops' })),
    // Nothing reaches the store before the kill.
    plugins: [
      { use: 'budget', options: budget },
      { use: 'usage', options: { flush_seconds: 60 } },
    ],
    ...more,
  })
  rig.provider.otherwise((x) => {
    const streams = (x.request.json as { stream?: boolean }).stream === true
    return streams ? stream(chunks('One two three'))(x) : json(completion('One two three'))(x)
  })
  return rig
}

async function ask({ url }: Node): Promise<void> {
  await Promise.all(Array.from({ length: REQUESTS }, (_, i) => askOnce(url, 'Hello', i % 2 === 0)))
}

async function askOnce(url: string, text: string, streams: boolean): Promise<string> {
  const headers = bearer('user-key-for-tests')
  const reply = await send(`${url}/v1/chat/completions`, { headers, body: asking(text, { stream: streams }) })
  assert.equal(reply.status, 200)
  return reply.text()
}

/** What budgets charged, and what is counted. */
async function both({ url }: Node): Promise<{ charged: unknown[]; counted: unknown[] }> {
  const get = async (path: string) =>
    JSON.parse(await (await send(`${url}${path}`, { method: 'GET', headers: bearer('ops-key-for-tests') })).text())
  const { budgets } = (await get('/api/budgets')) as { budgets: Row[] }
  const spent = (unit: string) => budgets.find((one) => one.unit === unit && one.subject === 'user')?.spent
  const { usage } = (await get('/api/usage?by=key&key=user')) as { usage: Row[] }
  const { served = 0, prompt_tokens: input = 0, completion_tokens: output = 0, usd } = usage[0] ?? {}
  return {
    charged: ['requests', 'tokens', 'usd'].map(spent),
    counted: [served, (input as number) + (output as number), usd],
  }
}

describe('usage of a killed process', () => {
  const stores = { 'the embedded store': () => 'file:./data', Redis: () => redis.url }
  for (const [name, store] of Object.entries(stores)) {
    it(`agrees with the budgets after the next start, with ${name}`, async (t) => {
      const rig = await start(t, { store: store(), workers: 1 })
      await ask(rig.gateway)
      rig.gateway.kill('SIGKILL')
      await rig.gateway.ended
      const second = await rig.here()
      const first = await both(second)
      assert.deepEqual(first.counted, first.charged)
      assert.equal(first.counted[0], REQUESTS)
      await ask(second)
      const then = await both(second)
      assert.deepEqual(then.counted, then.charged)
      assert.equal(then.counted[0], 2 * REQUESTS)
    })
  }

  for (const streams of ALL ? [false, true] : [true]) {
    it(`has a request without limits whose ${streams ? 'stream' : 'reply'} had just left`, async (t) => {
      const usage = { use: 'usage', options: { flush_seconds: 60 } }
      const rig = await start(t, { workers: 1, plugins: [usage, { use: DIES, options: { text: 'three' } }] })
      rig.provider.reply(json(completion('One two')))
      await askOnce(rig.gateway.url, 'Hello', false)
      const last = await askOnce(rig.gateway.url, 'Hello', streams)
      assert.match(last, /three/)
      assert.equal((await rig.gateway.ended).signal, 'SIGKILL')
      const { url } = await rig.here({ plugins: [usage] })
      const counted = await send(`${url}/api/usage`, { method: 'GET', headers: bearer('ops-key-for-tests') })
      const [today] = (JSON.parse(await counted.text()) as { usage: Row[] }).usage
      assert.equal(today?.served, 2)
    })
  }

  it('agrees with the budgets when a worker takes the place of another', async (t) => {
    const rig = await start(t, {})
    for (const worker of [1, 2]) {
      await ask(rig.gateway)
      process.kill(await pidOf(rig.gateway, worker), 'SIGKILL')
      await pidOf(rig.gateway, worker, 1)
    }
    await until(async () => {
      const { counted } = await both(rig.gateway)
      return counted[0] === 2 * REQUESTS
    })
    const { counted, charged } = await both(rig.gateway)
    assert.deepEqual(counted, charged)
  })
})
