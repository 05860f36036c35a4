/** What each node on one Redis sees of its upstreams. */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { unavailable } from '../../../core/engine/contract/store-errors.ts'
import type { NodeView } from '../../../core/gateway/node-views.ts'
import { NodeViews, nodeOf } from '../../../core/gateway/node-views.ts'
import { StoreClient } from '../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../core/services/store/memory.ts'
import { ADMIN_KEY, asking, bearer, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { until } from '../../helpers/until.ts'
import { RedisServer } from '../services/store/redis-server.ts'
import { startCluster } from './cluster/setup.ts'

interface Node {
  readonly url: string
}

const log = { debug() {}, info() {}, warn() {}, error() {} }

describe('the views of nodes', () => {
  it('are there until their node ends or has not written for a while', async (t) => {
    let now = 1_000_000
    const store = new StoreClient(new MemoryDriver({ clock: () => now }))
    t.after(() => store.close())
    const [first, second] = ['one-w1', 'two'].map((name) => new NodeViews(store, name, log)) as [NodeViews, NodeViews]
    const main = { name: 'main', state: 'closed', since: '', failures_in_row: 0, processes: { closed: 2 } } as const
    first.start(async () => [main])
    second.start(async () => [])
    const seen = await until(async () => (await second.others()).length === 1 && second.others())
    assert.deepEqual(
      seen.map(({ node, upstreams }) => [node, upstreams]),
      [['one', [main]]],
    )
    assert.deepEqual(
      (await first.others()).map(({ node }) => node),
      ['two'],
    )
    await second.close()
    assert.deepEqual(await first.others(), [])
    now += 20_000
    assert.deepEqual(await second.others(), [])
    await first.close()
  })

  it('leave an outage of the store to the line that the audit trail logs', async (t) => {
    const lines: string[] = []
    const warned = { ...log, warn: (...args: unknown[]) => void lines.push(String(args.at(-1))) }
    const status = { state: 'unavailable' }
    const driver = new MemoryDriver()
    const store = new StoreClient(driver)
    t.after(() => store.close())
    const failing = new Proxy(store, {
      get: (target, name) =>
        name === 'status'
          ? status
          : name === 'set'
            ? () => Promise.reject(unavailable('away'))
            : Reflect.get(target, name).bind(target),
    })
    for (const [state, expected] of [
      ['unavailable', []],
      ['ready', ['other nodes cannot see this one']],
    ] as const) {
      status.state = state
      const views = new NodeViews(failing, 'one', warned)
      views.start(async () => [])
      await views.close()
      assert.deepEqual(lines, expected)
    }
  })

  it('go by the node, not its processes', () => {
    assert.deepEqual(['a-w1', 'a-w12', 'a', 'a-web'].map(nodeOf), ['a', 'a', 'a', 'a-web'])
  })
})

describe('nodes on one Redis', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start()
  })
  after(() => redis.stop())

  const views = async ({ url }: Node): Promise<readonly NodeView[]> => {
    const reply = await send(`${url}/api/upstreams`, { headers: bearer(ADMIN_KEY) })
    return ((await reply.json()) as { nodes: readonly NodeView[] }).nodes
  }

  async function start(t: TestContext) {
    const keys = [
      { id: 'ops', key: ADMIN_KEY, admin: true },
      { id: 'user', key: USER_KEY },
    ]
    const rig = await startCluster(t, { store: redis.url, instance: 'first', keys, plugins: [] })
    const upstreams = { broken: { url: 'http://127.0.0.1:1' } }
    return { first: rig.gateway, second: await rig.here({ instance: 'second', upstreams }) }
  }

  it('show each other what they see, until one ends', async (t) => {
    const { first, second } = await start(t)
    const names = async (node: Node) => (await views(node)).map(({ node: name }) => name)
    await until(async () => (await names(first)).length === 2 && (await names(second)).length === 2)
    assert.deepEqual(await names(first), ['first', 'second'])
    assert.deepEqual(await names(second), ['second', 'first'])
    // Its second worker may have come after the first write.
    const scripted = async () => (await views(second))[1]?.upstreams.find(({ name }) => name === 'scripted')
    await until(async () => (await scripted())?.processes.closed === 2)
    const fail = () => send(`${second.url}/v1/chat/completions`, { body: asking(), headers: bearer(USER_KEY) })
    await (await fail()).text()
    // The other node writes again within five seconds.
    await until(async () => (await views(first))[1]?.upstreams[0]?.failures_in_row !== 0)
    await second.close()
    assert.deepEqual(await names(first), ['first'])
  })
})
