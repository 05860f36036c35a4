/** Gateways that alert as processes: killed, with workers, and as nodes on one Redis. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Receiver, respond } from '../../../core/testing/index.ts'
import { startCluster } from '../../core/gateway/cluster/setup.ts'
import { RedisServer } from '../../core/services/store/redis-server.ts'
import { ADMIN_KEY, asking, bearer, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { until } from '../../helpers/until.ts'
import { receiverFor } from './rig.ts'

interface Node {
  readonly url: string
}

function start(t: TestContext, receiver: Receiver, more: object, options: object = {}) {
  const rules = [{ name: 'no', keywords: ['forbidden'], reason: 'That word is not allowed' }]
  return startCluster(t, {
    keys: [
      { id: 'user', key: USER_KEY },
      { id: 'ops', key: ADMIN_KEY, admin: true },
    ],
    egress: { allow: [new URL(receiver.url).host] },
    plugins: [
      { use: 'policy', options: { rules } },
      { use: 'alerting', options: { enabled: true, webhook_url: receiver.url, ...options } },
    ],
    ...more,
  })
}

async function block({ url }: Node): Promise<void> {
  const reply = await send(`${url}/v1/chat/completions`, { body: asking('forbidden'), headers: bearer(USER_KEY) })
  assert.equal(reply.status, 403)
  await reply.text()
}

interface Page {
  entries: { outcome: string; event_type: string }[]
}

async function outcomes({ url }: Node): Promise<Page['entries']> {
  const reply = await send(`${url}/api/settings/alerting/delivery-log`, { headers: bearer(ADMIN_KEY) })
  return ((await reply.json()) as unknown as Page).entries
}

describe('kill -9 between event and delivery', () => {
  for (const when of ['as soon as the client has its answer', 'while the receiver has the alert in hand']) {
    it(`${when}: the alert arrives, once`, async (t) => {
      const receiver = await receiverFor(t)
      // It takes what it is sent, and does not answer.
      receiver.otherwise(respond(200, '', {}, new Promise(() => {})))
      const { gateway: first, here } = await start(t, receiver, { workers: 1 })
      await block(first)
      if (when.startsWith('while')) await receiver.next()
      first.kill('SIGKILL')
      await first.ended
      const before = receiver.requests.length

      receiver.otherwise(respond(200))
      const second = await here()
      for (let seen = when.startsWith('while') ? 1 : 0; seen <= before; seen++) await receiver.next()
      // Within the window the same is only counted, also by the process that came after.
      await block(second)
      await block(second)
      const told = await until(async () => {
        const entries = await outcomes(second)
        return entries.length >= 2 && entries
      })
      assert.deepEqual(told.map(({ outcome, event_type: type }) => `${type} ${outcome}`).sort(), [
        'request.blocked delivered',
        'request.blocked suppressed',
      ])
      assert.equal(receiver.requests.length, before + 1)
      const alerts = receiver.requests.map(({ json }) => (json as { id: string }).id)
      assert.equal(new Set(alerts).size, 1, 'what was sent twice has one id')
    })
  }
})

const WINDOW = { dedupe_window_seconds: 3 }

async function assertOneAlert(receiver: Receiver, nodes: readonly Node[]): Promise<void> {
  for (let round = 0; round < 6; round++) for (const node of nodes) await block(node)
  const first = (await receiver.next()).json as { type: string }
  assert.equal(first.type, 'request.blocked')
  // A machine that is slow makes more than one digest of it; never another alert.
  for (let told = 1; told < 6 * nodes.length; ) {
    const digest = (await receiver.next()).json as { type: string; count: number }
    assert.equal(digest.type, 'alert.digest')
    told += digest.count
    assert.ok(told <= 6 * nodes.length, `${told} told`)
  }
}

describe('one alert', () => {
  it('from three nodes on one Redis', async (t) => {
    const redis = await RedisServer.start()
    t.after(() => redis.stop())
    const receiver = await receiverFor(t)
    const { gateway, here } = await start(t, receiver, { workers: 1, store: redis.url }, WINDOW)
    await assertOneAlert(receiver, [gateway, await here(), await here()])
  })

  it('from four workers of one machine', async (t) => {
    const receiver = await receiverFor(t)
    const { gateway } = await start(t, receiver, { workers: 4 }, WINDOW)
    await assertOneAlert(receiver, [gateway])
  })
})
