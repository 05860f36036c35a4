import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Exchange } from 'governed-gateway'
import { ExchangeFacts } from '../../../core/engine/exchange/fact-map.ts'
import { StoreClient } from '../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../core/services/store/memory.ts'
import type { Args, OpName } from '../../../core/services/store/ops.ts'
import { apiError } from '../../../core/testing/provider.ts'
import { Turns } from '../../../plugins/sessions/turns.ts'
import { RedisServer } from '../../core/services/store/redis-server.ts'
import { silent } from '../../helpers/core.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { asking, post, type Setup, setup } from '../../helpers/gateway.ts'
import { until } from '../../helpers/until.ts'

const exchange = (headers: object): Exchange =>
  ({ caller: { keyId: 'k' }, request: { headers, json: {} }, facts: new ExchangeFacts() }) as unknown as Exchange

const HOUR_MS = 3_600_000
const plugins = [{ use: 'sessions' }]
async function turn({ gateway }: Setup, session: string, options: { count?: number; text?: string } = {}) {
  const { count, text } = options
  const headers = {
    'x-service-session-id': session,
    ...(count === undefined ? {} : { 'x-stainless-retry-count': `${count}` }),
  }
  const reply = await post(gateway, asking(text), { headers })
  await reply.text()
  return Number(reply.headers['x-service-turn-index'])
}

describe('sessions: turns', () => {
  it('survive a restart', async (t) => {
    const config = { store: `file:${temporaryFolder()}` }
    const first = await setup(t, { plugins, config })
    assert.deepEqual([await turn(first, 'a'), await turn(first, 'a')], [0, 1])
    await first.gateway.close()
    const second = await setup(t, { plugins, config })
    assert.deepEqual([await turn(second, 'a'), await turn(second, 'b')], [2, 0])
  })

  it('are counted from the last use on, with one call to the store', async () => {
    const clock = { now: Date.UTC(2026, 0, 1) }
    const driver = new MemoryDriver({ clock: () => clock.now })
    const calls: OpName[] = []
    const call = driver.call.bind(driver)
    driver.call = <K extends OpName>(name: K, args: Args<K>) => {
      calls.push(name)
      return call(name, args)
    }
    const turns = new Turns(new StoreClient(driver), 1, silent)
    const next = (headers = {}) => turns.next(exchange(headers), 's')
    for (let i = 0; i < 5; i++) {
      assert.equal(await next(), i)
      clock.now += HOUR_MS - 1
    }
    assert.deepEqual(new Set(calls), new Set(['increment']))
    clock.now += 1
    assert.equal(await next(), 0)
    // Clients that number their attempts cost a second call, which nobody waits for.
    assert.equal(await next({ 'x-stainless-retry-count': '0' }), 1)
    assert.deepEqual(calls.slice(5), ['increment', 'increment', 'set'])
  })

  it('are taken from the messages while the store does not answer', async (t) => {
    const driver = new MemoryDriver()
    const warnings: object[] = []
    const log = { ...silent, warn: (fields: object) => warnings.push(fields) }
    const turns = new Turns(new StoreClient(driver), 1, log)
    const x = exchange({})
    await driver.close()
    assert.equal(await turns.next(x, 's'), undefined)
    assert.equal(await turns.next(x, 's'), undefined)
    assert.deepEqual(
      warnings.map((fields) => (fields as { err: Error }).err.message),
      ['The store is closed.'],
    )
    t.mock.timers.enable({ apis: ['setTimeout'] })
    driver.call = () => new Promise(() => {})
    const waiting = turns.next(x, 's')
    t.mock.timers.tick(700)
    assert.equal(await waiting, undefined)
  })
})

describe('sessions: two nodes on one Redis', () => {
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start('--appendfsync', 'everysec')
  })
  after(() => redis.stop())

  const nodes = (t: TestContext): Promise<Setup[]> =>
    Promise.all([1, 2].map(() => setup(t, { plugins, config: { store: redis.url } })))

  it('number the turns of one session together', async (t) => {
    redis.cli('FLUSHALL')
    const [a, b] = (await nodes(t)) as [Setup, Setup]
    const turns = []
    for (const node of [a, b, b, a]) turns.push(await turn(node, 's'))
    assert.deepEqual(turns, [0, 1, 2, 3])
    const many = await Promise.all(Array.from({ length: 40 }, (_, i) => turn(i % 2 === 0 ? a : b, 'many')))
    assert.deepEqual(
      many.toSorted((x, y) => x - y),
      Array.from({ length: 40 }, (_, i) => i),
    )
  })

  it("know an SDK's retry of an attempt that failed on the other node", async (t) => {
    redis.cli('FLUSHALL')
    const [a, b] = (await nodes(t)) as [Setup, Setup]
    a.provider.reply(apiError(500))
    assert.equal(await turn(a, 's', { count: 0, text: 'One' }), 0)
    assert.equal(await turn(b, 's', { count: 1, text: 'One' }), 0)
    assert.equal(await turn(a, 's', { count: 0, text: 'Two' }), 1)
  })

  it('go on while Redis is away, and count again when it is back', async (t) => {
    redis.cli('FLUSHALL')
    const [a] = (await nodes(t)) as [Setup, Setup]
    assert.equal(await turn(a, 's'), 0)
    await redis.kill()
    assert.equal(await turn(a, 's'), 0)
    await redis.run()
    await until(async () => (await turn(a, 's')) > 0)
    assert.ok((await turn(a, 's')) >= 2)
  })
})
