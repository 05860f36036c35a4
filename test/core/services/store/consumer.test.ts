import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { LogRecord } from '../../../../core/engine/contract/store.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'

const numbers = (records: readonly LogRecord[]): unknown[] => records.map(({ record }) => record.n)

/** `performance.now()` and timers, which pass only by hand. */
function handClock(t: TestContext): (ms: number) => Promise<void> {
  let now = performance.now()
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  t.mock.method(performance, 'now', () => now)
  return async (ms) => {
    now += ms
    t.mock.timers.tick(ms)
    await setImmediate()
  }
}

it('lets records gather after a read that left none behind, and reads on at once while there are more', async (t) => {
  const pass = handClock(t)
  const store = new StoreClient(new MemoryDriver())
  const consumer = store.consumer('audit', 'siem', { gatherMs: 500 })
  await store.append('audit', [{ n: 1 }, { n: 2 }, { n: 3 }])
  assert.deepEqual(numbers(await consumer.read(2)), [1, 2])
  assert.deepEqual(numbers(await consumer.read(2)), [3])
  let next: unknown[] | undefined
  const read = consumer.read(10).then((records) => {
    next = numbers(records)
  })
  await store.append('audit', [{ n: 4 }])
  await pass(499)
  assert.equal(next, undefined)
  await store.append('audit', [{ n: 5 }])
  await pass(1)
  await read
  assert.deepEqual(next, [4, 5])
  await store.close()
})

it('waits no longer for records to gather once it is told to stop', async () => {
  const store = new StoreClient(new MemoryDriver())
  const consumer = store.consumer('audit', 'siem', { gatherMs: 60_000 })
  await store.append('audit', [{ n: 1 }])
  assert.deepEqual(numbers(await consumer.read(10)), [1])
  const stop = new AbortController()
  const aborted = consumer.read(10, stop.signal)
  stop.abort()
  assert.deepEqual(await aborted, [])
  const closed = consumer.read(10)
  await consumer.close()
  assert.deepEqual(await closed, [])
  await store.close()
})
