import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { unavailable } from '../../../../core/engine/contract/store-errors.ts'
import { Singleton } from '../../../../core/services/leader.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { silent } from '../../../helpers/core.ts'

/** Renewed often, and longer than any machine stands still. */
const fast = { leaseMs: 600_000, renewMs: 10, pauseMs: 1 }

/** Work that says when it begins, and runs until it is told to end. */
function work() {
  const begun = Promise.withResolvers<AbortSignal>()
  const state = { runs: 0, running: 0 }
  const run = async (signal: AbortSignal) => {
    state.runs++
    state.running++
    begun.resolve(signal)
    if (!signal.aborted) await once(signal, 'abort')
    state.running--
  }
  return { run, state, begun: begun.promise }
}

test('one at a time does the work; another takes over when that one stops', async (t) => {
  const store = new StoreClient(new MemoryDriver())
  const [a, b] = [work(), work()]
  const first = new Singleton(store, 'work', 'a', a.run, silent, fast)
  t.after(() => first.stop())
  const second = new Singleton(store, 'work', 'b', b.run, silent, fast)
  t.after(() => second.stop())
  first.start()
  await a.begun
  second.start()
  assert.equal(b.state.runs, 0)
  await first.stop()
  assert.equal(a.state.running, 0)
  await b.begun
  await second.stop()
  assert.deepEqual([a.state.runs, b.state.runs], [1, 1])
})

test('another takes over when the holder dies', async (t) => {
  const time = { now: 1_000 }
  const store = new StoreClient(new MemoryDriver({ clock: () => time.now }))
  await store.acquire('work', 'dead', 15_000)
  const { run, begun } = work()
  const alive = new Singleton(store, 'work', 'b', run, silent, fast)
  t.after(() => alive.stop())
  alive.start()
  time.now += 15_001
  await begun
  await alive.stop()
})

test('a short failure of the store does not end the work, losing the lock does', async (t) => {
  const store = new StoreClient(new MemoryDriver())
  const { acquire } = store
  const { run, state, begun } = work()
  const one = new Singleton(store, 'work', 'a', run, silent, fast)
  t.after(() => one.stop())
  one.start()
  const signal = await begun
  let failures = 0
  const failed = Promise.withResolvers<void>()
  store.acquire = async () => {
    if (++failures === 3) failed.resolve()
    throw unavailable('gone for a moment')
  }
  await failed.promise
  assert.equal(signal.aborted, false)
  store.acquire = async () => false
  await once(signal, 'abort')
  store.acquire = acquire
  await one.stop()
  assert.equal(state.running, 0)
})

test('work whose lock nobody could prolong for a lease ends before another begins it', async (t) => {
  const store = new StoreClient(new MemoryDriver())
  const { run, begun } = work()
  const one = new Singleton(store, 'work', 'a', run, silent, { leaseMs: 60, renewMs: 10, pauseMs: 1 })
  t.after(() => one.stop())
  one.start()
  const signal = await begun
  store.acquire = () => Promise.reject(unavailable('gone'))
  await once(signal, 'abort')
  await one.stop()
})

test('work that fails is begun again, and told', async (t) => {
  const store = new StoreClient(new MemoryDriver())
  const errors: object[] = []
  const again = Promise.withResolvers<void>()
  let runs = 0
  const run = async () => {
    if (++runs === 3) again.resolve()
    throw new TypeError('secret text')
  }
  const one = new Singleton(store, 'work', 'a', run, { ...silent, error: (fields) => errors.push(fields) }, fast)
  t.after(() => one.stop())
  one.start()
  await again.promise
  await one.stop()
  const { err, ...told } = errors[0] as { err?: unknown }
  assert.deepEqual(told, { work: 'work', error: 'TypeError' })
  assert.ok(err instanceof TypeError, 'for the log, which writes what it is and not what it says')
})
