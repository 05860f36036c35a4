import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { LogRecord } from '../../../../core/engine/contract/store.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'

const numbers = (records: readonly LogRecord[]): unknown[] => records.map(({ record }) => record.n)

it('lets records gather after a read that left none behind, and reads on at once while there are more', async () => {
  const store = new StoreClient(new MemoryDriver())
  const consumer = store.consumer('audit', 'siem', { gatherMs: 500 })
  await store.append('audit', [{ n: 1 }, { n: 2 }, { n: 3 }])
  assert.deepEqual(numbers(await consumer.read(2)), [1, 2])
  const before = performance.now()
  assert.deepEqual(numbers(await consumer.read(2)), [3])
  const between = performance.now()
  assert.ok(between - before < 500)
  const next = consumer.read(10)
  await store.append('audit', [{ n: 4 }])
  await store.append('audit', [{ n: 5 }])
  assert.deepEqual(numbers(await next), [4, 5])
  // The timer counts whole milliseconds.
  assert.ok(performance.now() - between > 498)
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
