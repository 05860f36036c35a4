import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUDIT } from '../../../../core/services/audit/audit-log.ts'
import { WrittenEvents } from '../../../../core/services/audit/written-events.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'

const HOUR = 3_600_000
const event = (n: number, type = 'plugin.failed', time = Date.now()) => ({
  id: `e${n}`,
  type,
  request_id: `r${n}`,
  time: new Date(time).toISOString(),
})

async function log() {
  const store = new StoreClient(new MemoryDriver())
  const events = Array.from({ length: 3500 }, (_, n) => event(n, 'plugin.failed', Date.now() - (3500 - n) * 1000))
  for (let i = 0; i < events.length; i += 500) await store.append(AUDIT, events.slice(i, i + 500))
  const reads: unknown[] = []
  const { scan } = store
  store.scan = (stream, options) => {
    reads.push(options)
    return scan.call(store, stream, options)
  }
  return { store, events, reads }
}

test('finds what is in the log, reading back as far as it must and once', async () => {
  const { store, events, reads } = await log()
  const known = new WrittenEvents(store)
  const fresh = event(9001)
  assert.deepEqual(await known.missing([events[3400]!, fresh, events[3499]!]), [fresh])
  assert.equal(reads.length, 1)
  assert.deepEqual(await known.missing([events[3450]!]), [])
  assert.equal(reads.length, 1)
  assert.deepEqual(
    await known.missing([events[10]!, event(9002, 'plugin.failed', Date.now() - HOUR)]).then((l) => l.length),
    1,
  )
  assert.equal(reads.length, 5)
})

test('what was appended meanwhile is known without reading again', async () => {
  const { store, reads } = await log()
  const known = new WrittenEvents(store)
  const mine = [event(9001), event(9002)]
  assert.equal((await known.missing(mine)).length, 2)
  known.add(mine)
  assert.deepEqual(await known.missing(mine), [])
  assert.equal(reads.length, 1)
})

const lost = (n: number, request_id: string, time?: number) => ({
  ...event(n, 'stream.aborted', time),
  request_id,
  reason: 'gateway_lost',
})

test('the true last event of an exchange that was taken for lost supersedes the other, and is written once', async () => {
  const store = new StoreClient(new MemoryDriver())
  await store.append(AUDIT, [lost(1, 'x')])
  const late = [
    { ...event(2, 'response.redacted'), request_id: 'x' },
    { ...event(3, 'response.blocked'), request_id: 'x' },
    { ...event(4, 'request.completed'), request_id: 'y' },
  ]
  const known = new WrittenEvents(store)
  const missing = await known.missing(late)
  assert.deepEqual(
    missing.map(({ id, supersedes }) => [id, supersedes]),
    [
      ['e2', undefined],
      ['e3', 'e1'],
      ['e4', undefined],
    ],
  )
  await store.append(AUDIT, missing)
  known.add(missing)
  assert.deepEqual(await known.missing(late), [])
  assert.deepEqual(await new WrittenEvents(store).missing(late), [])
})

test('an event that another process wrote since the first read is known', async () => {
  const store = new StoreClient(new MemoryDriver())
  const known = new WrittenEvents(store)
  await known.missing([event(1)])
  await store.append(AUDIT, [lost(2, 'r3')])
  const missing = await known.missing([event(3, 'request.completed')])
  assert.deepEqual(
    missing.map(({ supersedes }) => supersedes),
    ['e2'],
  )
})

test('an exchange that was taken for lost long ago is found by the time in the id of its request', async () => {
  const store = new StoreClient(new MemoryDriver())
  const began = Date.now() - HOUR
  const time = began.toString(16).padStart(12, '0')
  const request_id = `req_${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
  await store.append(AUDIT, [lost(1, request_id, began + 90_000)])
  for (let i = 0; i < 3; i++)
    await store.append(
      AUDIT,
      Array.from({ length: 500 }, (_, n) => event(10 + i * 500 + n)),
    )
  const missing = await new WrittenEvents(store).missing([{ ...event(2, 'request.completed'), request_id }])
  assert.deepEqual(
    missing.map(({ supersedes }) => supersedes),
    ['e1'],
  )
})
