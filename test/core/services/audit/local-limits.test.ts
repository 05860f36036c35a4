import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '../../../../core/engine/contract/store-errors.ts'
import { LocalLimits } from '../../../../core/services/audit/local-limits.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { chunks, stream } from '../../../../core/testing/provider.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'
import { told } from '../../../helpers/until.ts'
import { withStore } from '../store/here.ts'
import { Faults, requests } from './faults.ts'

const specs = new Map([['requests', requests(3)]])
const plugins = [{ use: 'requests' }]
const window = { calendar: 'month' } as const
const meter = { key: 'requests/user', window } as const

for (const streamed of [false, true]) {
  for (const fault of ['before', 'after'] as const) {
    for (const on_error of ['block', 'allow'] as const)
      test(`limits.on_store_error: block refuses, whatever a plugin's on_error (${on_error}, ${fault}, stream: ${streamed})`, async (t) => {
        const entries = plugins.map((entry) => ({ ...entry, on_error }))
        const faults = new Faults(t)
        const { gateway, provider } = await setup(t, {
          plugins: entries,
          specs,
          config: { store: `file:${temporaryFolder()}` },
        })
        faults.begin(fault)
        const reply = await post(gateway, asking('Hello', { stream: streamed }))
        assert.equal(reply.status, 503)
        assert.equal(((await reply.json()) as { error: { code: string } }).error.code, 'limits_unavailable')
        assert.equal(provider.requests.length, 0)
        faults.end()
        await told(gateway.log, 'store.recovered')
        const statuses = []
        for (let i = 0; i < 4; i++) {
          const next = await post(gateway, asking('Hello', { stream: streamed }))
          await next.text()
          statuses.push(next.status)
        }
        assert.deepEqual(statuses, [200, 200, 200, 403])
      })

    test(`limits.on_store_error: local counts here, then in the store (${fault}, stream: ${streamed})`, async (t) => {
      const path = temporaryFolder()
      const faults = new Faults(t)
      const config = { store: `file:${path}`, limits: { on_store_error: 'local' } }
      const { gateway, provider } = await setup(t, { plugins, specs, config })
      faults.begin(fault)
      const statuses = []
      for (let i = 0; i < 4; i++) {
        const reply = await post(gateway, asking('Hello', { stream: streamed }))
        await reply.text()
        statuses.push(reply.status)
      }
      assert.deepEqual(statuses, [200, 200, 200, 403])
      assert.equal(provider.requests.length, 3)
      assert.equal((await told(gateway.log, 'store.unavailable')).limits, 'local')
      faults.end()
      assert.equal((await told(gateway.log, 'store.recovered')).local, 4)
      const next = await post(gateway, asking('Hello', { stream: streamed }))
      assert.equal(next.status, 403)
      await next.text()
      await gateway.close()
      const [state] = await withStore(path, (store) => store.inspect([meter]))
      assert.deepEqual([state?.spent, state?.reserved], [3, 0])
    })
  }

  test(`what was reserved before the store went is settled once, after (stream: ${streamed})`, async (t) => {
    const path = temporaryFolder()
    const faults = new Faults(t)
    const config = { store: `file:${path}`, limits: { on_store_error: 'local' } }
    const { gateway, provider } = await setup(t, { plugins, specs, config })
    const go = Promise.withResolvers<void>()
    if (streamed) provider.reply(stream([chunks('Hi')[0] as object, go.promise, ...chunks('Hi').slice(1)] as never))
    else
      provider.reply(async (x) => {
        await go.promise
        x.response.writeHead(500).end()
      })
    const asked = post(gateway, asking('Hello', { stream: streamed }))
    await provider.next()
    faults.begin('before')
    go.resolve()
    await (await asked).text()
    faults.end()
    await told(gateway.log, 'store.recovered')
    await gateway.close()
    const [state] = await withStore(path, (store) => store.inspect([meter]))
    assert.deepEqual([state?.spent, state?.reserved], [streamed ? 1 : 0, 0])
  })
}

test('what was used locally is added once, however often the store fails meanwhile', async () => {
  const local = new LocalLimits()
  const store = new StoreClient(new MemoryDriver())
  for (const [id, key] of [
    ['a', 'k1'],
    ['b', 'k1'],
    ['c', 'k2'],
  ] as const) {
    await local.reserve({ id, scopes: [{ key, window, limit: 100, amount: 10 }] })
    await local.settle(id, { [key]: 4 })
  }
  const { end } = StoreClient.prototype
  let fails = 2
  store.end = async function (request) {
    const ended = await end.call(this, request)
    if (fails-- > 0) throw unavailable('after it happened')
    return ended
  }
  await assert.rejects(local.flush(store))
  await assert.rejects(local.flush(store))
  await local.flush(store)
  await local.flush(store)
  const states = await store.inspect(['k1', 'k2'].map((key) => ({ key, window })))
  assert.deepEqual(
    states.map(({ spent, reserved }) => [spent, reserved]),
    [
      [8, 0],
      [4, 0],
    ],
  )
})

test('more can be taken locally of what the store granted, and is not charged twice', async () => {
  const local = new LocalLimits()
  const store = new StoreClient(new MemoryDriver())
  const scopes = [{ key: 'k', window, limit: 100, amount: 10 }]
  assert.equal((await local.topUp({ id: 'x', op: '1', scopes })).ok, true)
  await local.settle('x', undefined)
  await local.flush(store)
  assert.equal((await store.inspect([{ key: 'k', window }]))[0]?.spent, 0)
})
