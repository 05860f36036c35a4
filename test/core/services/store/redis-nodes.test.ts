import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { JsonObject, Store } from '../../../../core/engine/contract/store.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { RedisDriver, type RedisOptions } from '../../../../core/services/store/redis/driver.ts'
import { until } from '../../../helpers/until.ts'
import { allRecords, kind } from './faults.ts'
import { scope } from './harness.ts'
import { assertOnce, deploymentName, exchange, openingRedis, total } from './redis-helpers.ts'
import { RedisServer } from './redis-server.ts'

const open = openingRedis()

describe('redis store: several nodes', () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start('--appendfsync', 'everysec')
  })
  after(() => server.stop())

  const nodes = (count: number, options: Partial<RedisOptions> = {}): Promise<Store[]> => {
    const deployment = deploymentName()
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
    await until(() => told || a.set('settings/siem', { url: 'x' }, { notify: true }).then(() => false))
    assert.equal(await heard, 'settings/siem')
  })

  it('lets any node deliver what a dead one left, each chain in order', async () => {
    const options = { leaseMs: 300, pollMs: 20 }
    const deployment = deploymentName()
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
    const deployment = deploymentName()
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
      await until(() => cluster.cli('CLUSTER', 'INFO').includes('cluster_state:ok'))
      const store = await open(`${cluster.url}?cluster=true`, { instance: 'n1' })
      await Promise.all(Array.from({ length: 20 }, (_, i) => exchange(store, i)))
      await assertOnce(store, 'n1', 20)
      const heard = new Promise<void>((resolve) => void store.watch('k', (key) => key === 'k' && resolve()))
      let told = false
      void heard.then(() => {
        told = true
      })
      await until(() => told || store.set('k', 1, { notify: true }).then(() => false))
      await store.close()
    } finally {
      await cluster.stop()
    }
  })
})
