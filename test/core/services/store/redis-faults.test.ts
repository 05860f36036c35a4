import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertChained } from '../../../helpers/chain.ts'
import { until } from '../../../helpers/until.ts'
import { allRecords, kind, status } from './faults.ts'
import { FaultyProxy } from './faulty-proxy.ts'
import { scope } from './harness.ts'
import { assertOnce, exchange, openingRedis, total } from './redis-helpers.ts'
import { RedisServer } from './redis-server.ts'

const open = openingRedis()

describe('redis store: faults', () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start()
  })
  after(() => server.stop())

  it('counts nothing twice and nothing never when the server is killed and restarted under load', async () => {
    const store = await open(server.url, { instance: 'n1', timeoutMs: 20_000, patienceMs: 20_000 })
    let done = 0
    const killed = (async () => {
      for (const at of [50, 150]) {
        await until(() => done >= at)
        await server.kill()
        await server.run()
      }
    })()
    let next = 0
    const workers = Array.from({ length: 20 }, async () => {
      for (let i = next++; i < 300; i = next++) {
        await exchange(store, i)
        done++
      }
    })
    await Promise.all([killed, ...workers])
    await assertOnce(store, 'n1', 300)
  })

  it('counts nothing twice when connections are cut between a call and its answer', async () => {
    const proxy = await FaultyProxy.start(server.port)
    try {
      const store = await open(proxy.url, { instance: 'n1', timeoutMs: 20_000, patienceMs: 20_000 })
      let next = 0
      const workers = Array.from({ length: 10 }, async () => {
        for (let i = next++; i < 200; i = next++) {
          if (i % 10 === 5) proxy.cutAfter ??= i % 7
          await exchange(store, i)
        }
      })
      await Promise.all(workers)
      proxy.cutAfter = undefined
      assert.ok(proxy.cuts >= 10, `${proxy.cuts} cuts`)
      await assertOnce(store, 'n1', 200)
    } finally {
      await proxy.stop()
    }
  })

  it('answers in time while the server hangs, takes back what was in doubt, and recovers by itself', async () => {
    // The connection must be there within twice that, on a busy machine too.
    const store = await open(server.url, { instance: 'n1', timeoutMs: 1500, patienceMs: 100 })
    await exchange(store, 0)
    const [down, up] = [status(store, 'unavailable'), status(store, 'ready')]
    server.signal('SIGSTOP')
    try {
      const scopes = [scope(1e9, 10, { window: 'total' })]
      const calls = [
        store.reserve({ id: 'hung-1', leaseMs: 60_000, scopes }),
        store.begin({ id: 'hung-2', leaseMs: 60_000, scopes, events: [{ type: 'begin', i: 1 }] }),
        store.get('count'),
      ]
      // The server stays stopped until they have ended.
      for (const result of await Promise.allSettled(calls)) {
        assert.ok(result.status === 'rejected' && kind('unavailable', `127.0.0.1:${server.port}`)(result.reason))
      }
      await down
      await assert.rejects(store.get('count'), kind('unavailable'))
    } finally {
      server.signal('SIGCONT')
    }
    await up
    await store.set('after', 1)
    // The cancellations went over the same connection before.
    assert.deepEqual(await total(store), [12, 0])
    await assert.rejects(
      store.reserve({ id: 'hung-1', leaseMs: 60_000, scopes: [scope(1, 1, { window: 'total' })] }),
      kind('usage'),
    )
    await exchange(store, 1)
    const records = await allRecords(store, 'n1')
    assertChained(records)
  })

  it('notices a server that hangs while nobody calls', async () => {
    const store = await open(server.url, { timeoutMs: 500, patienceMs: 10 })
    const [down, up] = [status(store, 'unavailable'), status(store, 'ready')]
    server.signal('SIGSTOP')
    try {
      assert.match((await down).detail, /no answer/)
    } finally {
      server.signal('SIGCONT')
    }
    await up
  })

  it('starts without a server if it may, else says what to check', async () => {
    const other = await RedisServer.start()
    const { url } = other
    await other.kill()
    await assert.rejects(open(url), kind('unavailable', `127.0.0.1:${other.port}`, 'Check that the server runs'))
    const store = await open(url, { lazy: true })
    await assert.rejects(store.get('k'), kind('unavailable'))
    const up = status(store, 'ready')
    await other.run()
    await up
    assert.equal(await store.set('k', 1), true)
    await store.close()
    await other.stop()
  })

  it('names a refused password without repeating it', async () => {
    const guarded = await RedisServer.start('--requirepass', 'right-one')
    try {
      const wrong = `redis://:wrong-one@127.0.0.1:${guarded.port}`
      const refused = (error: unknown) =>
        kind('unavailable', 'refuses access')(error) && !String(error).includes('wrong-one')
      await assert.rejects(open(wrong), refused)
      await assert.rejects(open(`redis://127.0.0.1:${guarded.port}`), kind('unavailable', 'refuses access'))
      const store = await open(`redis://:right-one@127.0.0.1:${guarded.port}`)
      assert.equal(await store.set('k', 1), true)
      await store.close()
    } finally {
      await guarded.stop()
    }
    await assert.rejects(open('http://127.0.0.1:1/'), kind('usage', 'redis://'))
  })

  it('makes one round trip for a begin and one for an end', async () => {
    const store = await open(server.url, { instance: 'n1' })
    await store.append('audit', [{ type: 'first' }])
    // Commands inside scripts are counted under their own names.
    server.cli('CONFIG', 'RESETSTAT')
    await store.begin({ id: 'x', leaseMs: 60_000, scopes: [scope(1e9, 1)], marker: {}, events: [{ type: 'begin' }] })
    await store.end({ id: 'x', used: { team: 1 }, events: [{ type: 'end' }] })
    assert.match(server.cli('INFO', 'commandstats'), /cmdstat_evalsha:calls=2,/)
  })

  it('survives a flush of the scripts', async () => {
    const store = await open(server.url, { instance: 'n1' })
    await exchange(store, 0)
    server.cli('SCRIPT', 'FLUSH')
    await Promise.all(Array.from({ length: 20 }, (_, i) => exchange(store, i + 1)))
    await assertOnce(store, 'n1', 21)
  })

  it('says so when the server has forgotten what it confirmed, and goes on with the chain', async () => {
    const store = await open(server.url, { instance: 'n1' })
    for (let i = 0; i < 5; i++) await store.append('audit', [{ i }])
    const ready = status(store, 'ready')
    server.cli('FLUSHALL')
    await store.append('audit', [{ i: 5 }])
    assert.match((await ready).detail, /lost 5 confirmed records of the chain n1/)
    assert.deepEqual(
      (await allRecords(store, 'n1')).map((record) => [record.seq, record.i]),
      [[6, 5]],
    )
  })

  it('says so when memory runs out, and goes on when there is room', async () => {
    const store = await open(server.url)
    await store.set('k', 1)
    const [full, ready] = [status(store, 'full'), status(store, 'ready')]
    server.cli('CONFIG', 'SET', 'maxmemory', '1')
    try {
      await assert.rejects(store.set('k', 2), kind('full', 'maxmemory'))
      assert.match((await full).detail, /out of memory/)
      assert.equal(await store.get('k'), 1)
    } finally {
      server.cli('CONFIG', 'SET', 'maxmemory', '0')
    }
    await store.set('k', 3)
    await ready
  })

  it('warns about a server that may evict', async () => {
    server.cli('CONFIG', 'SET', 'maxmemory', '1gb')
    server.cli('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    try {
      const store = await open(server.url)
      assert.match(store.status.detail, /maxmemory-policy allkeys-lru/)
    } finally {
      server.cli('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
      server.cli('CONFIG', 'SET', 'maxmemory', '0')
    }
  })
})
