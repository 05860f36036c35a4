import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { verify } from '../../../core/store/canonical.ts'
import { StoreClient } from '../../../core/store/client.ts'
import { isStoreError, type StoreErrorKind } from '../../../core/store/errors.ts'
import { GENESIS } from '../../../core/store/ops.ts'
import { RedisDriver, type RedisOptions } from '../../../core/store/redis/driver.ts'
import type { JsonObject, Store, StoreStatus } from '../../../core/store/store.ts'
import { FaultyProxy } from './faulty-proxy.ts'
import { scope } from './harness.ts'
import { RedisServer } from './redis-server.ts'

const stores = new Set<Store>()
afterEach(async () => {
  for (const store of stores) await store.close()
  stores.clear()
})

let deployments = 0
async function open(url: string, options: Partial<RedisOptions> = {}): Promise<Store> {
  const deployment = options.deployment ?? `faults-${deployments++}`
  const store = new StoreClient(await RedisDriver.open({ url, deployment, ...options }))
  stores.add(store)
  return store
}

const kind =
  (wanted: StoreErrorKind, ...words: string[]) =>
  (error: unknown): boolean =>
    isStoreError(error, wanted) && words.every((word) => error.message.includes(word))

const status = (store: Store, state: StoreStatus['state']): Promise<StoreStatus> =>
  new Promise((resolve) => {
    const stop = store.onStatus((now) => {
      if (now.state !== state) return
      stop()
      resolve(now)
    })
  })

const total = async (store: Store): Promise<[number, number]> => {
  const [state] = await store.inspect([{ key: 'team', window: 'total' }])
  return [state!.spent, state!.reserved]
}

async function allRecords(store: Store, instance: string): Promise<JsonObject[]> {
  const all: JsonObject[] = []
  for (let after: string | undefined; ; ) {
    const page = await store.scan('audit', { instance, limit: 1000, ...(after === undefined ? {} : { after }) })
    for (const { record } of page.records) all.push(record)
    if (page.next === undefined) return all
    after = page.next
  }
}

/** An exchange with every sort of write in it. */
async function exchange(store: Store, i: number): Promise<void> {
  const id = `x${i}`
  const scopes = [scope(1e9, 10, { window: 'total' })]
  const { reservation } = await store.begin({
    id,
    leaseMs: 60_000,
    scopes,
    marker: { i },
    events: [{ type: 'begin', i }],
  })
  assert.ok(reservation.ok && reservation.scopes[0]!.granted === 10)
  const more = await store.topUp({ id, op: '1', scopes: [scope(1e9, 5, { window: 'total' })] })
  assert.ok(more.ok)
  await store.increment('count', 1)
  await store.push('log', [i], 100_000)
  const ended = await store.end({ id, used: { team: 12 }, events: [{ type: 'end', i }] })
  assert.equal(ended.closed, true)
}

/** Everything that `count` exchanges did happened once. */
async function assertOnce(store: Store, instance: string, count: number): Promise<void> {
  assert.deepEqual(await total(store), [12 * count, 0])
  assert.equal(await store.get('count'), count)
  const entries: unknown[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await store.recent('log', { limit: 1000, ...(cursor === undefined ? {} : { cursor }) })
    entries.push(...page.entries)
    cursor = page.next
    if (cursor === undefined) break
  }
  const each = Array.from({ length: count }, (_, i) => i)
  assert.deepEqual(
    (entries as number[]).sort((a, b) => a - b),
    each,
  )
  const records = await allRecords(store, instance)
  const head = { seq: 0, hash: GENESIS }
  assert.deepEqual(
    records.flatMap((record) => verify(record, head) ?? []),
    [],
  )
  for (const type of ['begin', 'end']) {
    const numbers = records.filter((record) => record.type === type).map((record) => record.i as number)
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      each,
    )
  }
  assert.deepEqual(await store.lapsed(10, 1000), [])
}

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
        while (done < at) await new Promise(setImmediate)
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
    const store = await open(server.url, { instance: 'n1', timeoutMs: 300, patienceMs: 100 })
    await exchange(store, 0)
    const [down, up] = [status(store, 'unavailable'), status(store, 'ready')]
    server.signal('SIGSTOP')
    try {
      const started = performance.now()
      const scopes = [scope(1e9, 10, { window: 'total' })]
      const calls = [
        store.reserve({ id: 'hung-1', leaseMs: 60_000, scopes }),
        store.begin({ id: 'hung-2', leaseMs: 60_000, scopes, events: [{ type: 'begin', i: 1 }] }),
        store.get('count'),
      ]
      for (const result of await Promise.allSettled(calls)) {
        assert.ok(result.status === 'rejected' && kind('unavailable', `127.0.0.1:${server.port}`)(result.reason))
      }
      assert.ok(performance.now() - started < 5000)
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
    const head = { seq: 0, hash: GENESIS }
    assert.deepEqual(
      records.flatMap((record) => verify(record, head) ?? []),
      [],
    )
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

describe('redis store: several nodes', () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start('--appendfsync', 'everysec')
  })
  after(() => server.stop())

  const nodes = (count: number, options: Partial<RedisOptions> = {}): Promise<Store[]> => {
    const deployment = `nodes-${deployments++}`
    return Promise.all(
      Array.from({ length: count }, (_, i) => open(server.url, { deployment, instance: `node-${i}`, ...options })),
    )
  }

  it('lets exactly 500 of 2,000 pass on three nodes', async () => {
    const all = await nodes(3)
    const answers = await Promise.all(
      Array.from({ length: 2000 }, (_, i) =>
        all[i % 3]!.reserve({ id: `x${i}`, leaseMs: 60_000, scopes: [scope(500, 1, { window: 'total' })] }),
      ),
    )
    assert.equal(answers.filter((answer) => answer.ok).length, 500)
    assert.deepEqual(await total(all[0]!), [0, 500])
  })

  it('never spends one token too many, and leaves less than 2 % while requests would fit', async () => {
    const all = await nodes(3)
    const limit = 100_000
    let used = 0
    const work = async (i: number): Promise<void> => {
      const store = all[i % 3]!
      const id = `x${i}`
      const amount = 300 + ((i * 37) % 900)
      const got = await store.reserve({
        id,
        leaseMs: 60_000,
        scopes: [scope(limit, amount, { window: 'total', least: 100 })],
      })
      if (!got.ok) return
      const granted = got.scopes[0]!.granted
      used += granted
      await store.settle(id, { team: granted })
    }
    await Promise.all(Array.from({ length: 600 }, (_, i) => work(i)))
    assert.deepEqual(await total(all[1]!), [used, 0])
    assert.ok(used <= limit && used > 0.98 * limit, String(used))
  })

  it('tells all nodes of a change', async () => {
    const [a, b] = (await nodes(2)) as [Store, Store]
    const heard = new Promise<string>((resolve) => {
      b.watch('settings/', (key) => {
        if (key !== undefined) resolve(key)
      })
    })
    let told = false
    void heard.then(() => {
      told = true
    })
    while (!told) await a.set('settings/siem', { url: 'x' }, { notify: true })
    assert.equal(await heard, 'settings/siem')
  })

  it('lets any node deliver what a dead one left, each chain in order', async () => {
    const options = { leaseMs: 300, pollMs: 20 }
    const deployment = `nodes-${deployments++}`
    const dying = await RedisDriver.open({ url: server.url, deployment, instance: 'node-a' })
    const a = new StoreClient(dying)
    const b = await open(server.url, { deployment, instance: 'node-b' })
    await a.append(
      'audit',
      Array.from({ length: 30 }, (_, n) => ({ n })),
    )
    await b.append('audit', [{ n: 'b' }])
    const first = a.consumer('audit', 'siem', options)
    const got = [...(await first.read(20))]
    while (got.length < 20) got.push(...(await first.read(20 - got.length)))
    const own = got.filter(({ record }) => record.instance === 'node-a')
    await first.ack(own[9]!.cursor)
    // It dies: its consumer says nothing, and its lease is no longer renewed.
    await dying.close()
    const heir = b.consumer('audit', 'siem', options)
    const rest: JsonObject[] = []
    const abort = new AbortController()
    while (rest.filter((r) => r.instance === 'node-a' && r.n === 29).length === 0) {
      for (const { record, cursor } of await heir.read(7, abort.signal)) {
        rest.push(record)
        await heir.ack(cursor)
      }
    }
    const numbers = rest.filter((record) => record.instance === 'node-a').map((record) => record.n)
    const expected = Array.from({ length: 30 - numbers.length }, (_, i) => i)
    assert.ok(numbers.length >= 20, `${numbers.length} delivered, acknowledged before: ${expected.length}`)
    assert.deepEqual(
      numbers,
      Array.from({ length: numbers.length }, (_, i) => 30 - numbers.length + i),
    )
    const stats = await b.stats('audit')
    assert.deepEqual(
      stats.instances.map(({ instance, seq }) => [instance, seq]),
      [
        ['node-a', 30],
        ['node-b', 1],
      ],
    )
    assert.equal(stats.groups[0]!.backlog, 0)
    await first.close()
  })

  it('shuts out a second gateway with the same name', async () => {
    const deployment = `nodes-${deployments++}`
    const a = await open(server.url, { deployment, instance: 'same' })
    await a.append('audit', [{ n: 1 }])
    const b = await open(server.url, { deployment, instance: 'same' })
    await b.append('audit', [{ n: 2 }])
    await assert.rejects(a.append('audit', [{ n: 3 }]), kind('in_use', 'same'))
    const records = await allRecords(b, 'same')
    assert.deepEqual(
      records.map((record) => [record.seq, record.n]),
      [
        [1, 1],
        [2, 2],
      ],
    )
  })

  it('works on a Redis Cluster', async () => {
    const cluster = await RedisServer.start('--cluster-enabled', 'yes')
    try {
      cluster.cli('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
      while (!cluster.cli('CLUSTER', 'INFO').includes('cluster_state:ok'));
      const store = await open(`${cluster.url}?cluster=true`, { instance: 'n1' })
      await Promise.all(Array.from({ length: 20 }, (_, i) => exchange(store, i)))
      await assertOnce(store, 'n1', 20)
      const heard = new Promise<void>((resolve) => void store.watch('k', (key) => key === 'k' && resolve()))
      let told = false
      void heard.then(() => {
        told = true
      })
      while (!told) await store.set('k', 1, { notify: true })
      await store.close()
    } finally {
      await cluster.stop()
    }
  })
})
