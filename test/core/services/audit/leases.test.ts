import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { Emitter } from '../../../../core/engine/events/emitter.ts'
import { ExchangeHolds } from '../../../../core/engine/exchange/holds.ts'
import { Leases } from '../../../../core/services/audit/leases.ts'
import { OrphanSweeper } from '../../../../core/services/audit/orphan-sweeper.ts'
import { Writer } from '../../../../core/services/audit/writer.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { silent } from '../../../helpers/core.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'
import { until } from '../../../helpers/until.ts'
import { allRecords } from '../store/faults.ts'
import { withStore } from '../store/here.ts'
import { isTerminal, reader, trail } from './faults.ts'

const LEASE_MS = 60_000
const specs = new Map([['reader', reader]])
const plugins = [{ use: 'reader' }]
const scope = { key: 'plugin/team', window: 'total', limit: 100, amount: 10 } as const

function storeWithClock() {
  const time = { now: 1_000_000 }
  const store = new StoreClient(new MemoryDriver({ clock: () => time.now }))
  return { time, store }
}

test('leases of running exchanges are renewed, with what is due by then', async (t) => {
  const { time, store } = storeWithClock()
  const leases = new Leases(store, silent)
  t.after(() => leases.stop())
  const holds = new ExchangeHolds('x')
  await store.begin({ id: 'x', leaseMs: LEASE_MS, scopes: [scope], marker: { request_id: 'x' } })
  leases.add({ id: 'x', holds, unsure: false })
  for (let i = 0; i < 5; i++) {
    time.now += 50_000
    await leases.renew()
  }
  assert.deepEqual(await store.lapsed(10, 1), [])
  holds.due({ 'plugin/team': 7 })
  await leases.renew()
  time.now += LEASE_MS + 1
  assert.deepEqual(
    (await store.lapsed(10, 1)).map(({ id }) => id),
    ['x'],
  )
  assert.equal((await store.inspect([scope]))[0]?.spent, 7)
})

test('a lease that ran out is told once, not renewed again, and stays ours', async (t) => {
  const { time, store } = storeWithClock()
  const warned: object[] = []
  const leases = new Leases(store, { ...silent, warn: (fields) => warned.push(fields) })
  t.after(() => leases.stop())
  await store.begin({ id: 'x', leaseMs: LEASE_MS, scopes: [scope] })
  leases.add({ id: 'x', holds: undefined, unsure: false })
  time.now += LEASE_MS + 1
  await leases.renew()
  await leases.renew()
  assert.deepEqual(warned, [{ exchanges: 1 }])
  assert.equal(leases.has('x'), true)
})

test('what could not be renewed is due with the next renewal', async (t) => {
  const { time, store } = storeWithClock()
  const leases = new Leases(store, silent)
  t.after(() => leases.stop())
  const holds = new ExchangeHolds('x')
  await store.begin({ id: 'x', leaseMs: LEASE_MS, scopes: [scope] })
  leases.add({ id: 'x', holds, unsure: false })
  holds.due({ 'plugin/team': 3 })
  const { renew } = store
  store.renew = () => Promise.reject(new Error('away'))
  await leases.renew()
  store.renew = renew
  await leases.renew()
  time.now += LEASE_MS + 1
  assert.equal((await store.inspect([scope]))[0]?.spent, 3)
})

test('exchanges of a gateway that was killed end as gateway_lost at the next start', async (t) => {
  const path = temporaryFolder()
  const marker = { request_id: 'req_lost', key_id: 'user', model: 'gpt-test', classification: 'CONFIDENTIAL' }
  await withStore(path, async (store) => {
    for (let i = 0; i < 250; i++) await store.begin({ id: `req_${i}`, leaseMs: LEASE_MS, scopes: [], marker })
  })
  const { gateway } = await setup(t, { plugins, specs, config: { store: `file:${path}` } })
  const lost = () => gateway.log.filter(({ event }) => (event as { type?: string })?.type === 'stream.aborted')
  await until(() => lost().length >= 250)
  await (await post(gateway, asking())).text()
  await gateway.close()
  const records = (await trail(path)).filter(isTerminal)
  const aborted = records.filter(({ type }) => type === 'stream.aborted')
  assert.deepEqual(new Set(aborted.map(({ request_id }) => request_id)).size, 250)
  assert.equal(records.length, 251)
  for (const { reason, key_id, model, classification, severity } of aborted) {
    assert.deepEqual(
      { reason, key_id, model, classification, severity },
      { reason: 'gateway_lost', key_id: 'user', model: 'gpt-test', classification: 'CONFIDENTIAL', severity: 'info' },
    )
  }
})

test('a reply that was blocked after another process took its gateway for dead is in the log, and supersedes that', async (t) => {
  const { time, store } = storeWithClock()
  const emitter = new Emitter('b', { ...silent, event() {} })
  const writer = new Writer(
    store,
    silent,
    undefined,
    () => {},
    async () => {},
  )
  t.after(() => writer.stop())
  await store.begin({ id: 'x', leaseMs: LEASE_MS, scopes: [scope], marker: { request_id: 'x' } })
  time.now += LEASE_MS + 1
  await new OrphanSweeper(store, silent, () => false).look(emitter)
  const blocked = new Emitter('a', { ...silent, event() {} }).build('response.blocked', {
    request_id: 'x',
    reason: 'Stays',
  })
  const entry = { id: 'x', used: { 'plugin/team': 4 }, events: [blocked as JsonObject] }
  assert.equal((await writer.end(entry, false)).kept, true)
  assert.equal((await writer.end(entry, false)).kept, true, 'made again')
  const [lost, last, ...more] = await allRecords(store)
  assert.deepEqual([lost?.type, lost?.reason, last?.type], ['stream.aborted', 'gateway_lost', 'response.blocked'])
  assert.deepEqual([last?.id, last?.supersedes, more], [blocked.id, lost?.id, []])
  assert.equal((await store.inspect([scope]))[0]?.spent, 4)
})
