import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { isStoreError } from '../../../../core/engine/contract/store-errors.ts'
import { until } from '../../../helpers/until.ts'
import { type Harness, opened } from './harness.ts'

const usageError = (error: unknown): boolean => isStoreError(error, 'usage')

export function keyValueTests(harness: Harness): void {
  it('keeps JSON values as they are', async (t) => {
    const [store] = await opened(t, harness)
    for (const value of [null, true, -1.5, '', 'π 💡 \u0000 "', [], { a: { b: [1, null] }, n: 12345678901234 }]) {
      assert.equal(await store.set('k', value), true)
      assert.deepEqual(await store.get('k'), value)
    }
    assert.equal(await store.get('other'), undefined)
  })

  it('writes only when the version matches', async (t) => {
    const [store] = await opened(t, harness)
    assert.equal(await store.set('k', 'a', { ifVersion: 0 }), true)
    assert.equal(await store.set('k', 'b', { ifVersion: 0 }), false)
    const first = await store.entry('k')
    assert.ok(first && first.version > 0)
    assert.equal(await store.set('k', 'b', { ifVersion: first.version }), true)
    assert.equal(await store.set('k', 'c', { ifVersion: first.version }), false)
    assert.equal(await store.delete('k', { ifVersion: first.version }), false)
    assert.equal(await store.get('k'), 'b')
  })

  it('never repeats a version, not even after a delete', async (t) => {
    const [store] = await opened(t, harness)
    await store.set('k', 1)
    const before = (await store.entry('k'))!.version
    assert.equal(await store.delete('k'), true)
    assert.equal(await store.delete('k'), false)
    await store.set('k', 2)
    assert.ok((await store.entry('k'))!.version > before)
    assert.equal(await store.set('k', 3, { ifVersion: before }), false)
  })

  it('one of many writers wins a compare-and-set', async (t) => {
    const [store] = await opened(t, harness)
    const results = await Promise.all(Array.from({ length: 50 }, (_, i) => store.set('k', i, { ifVersion: 0 })))
    assert.deepEqual(
      results.map((won, i) => (won ? i : -1)).filter((i) => i >= 0),
      [await store.get('k')],
    )
  })

  it('forgets values when their time is over, and a plain set keeps for ever', async (t) => {
    const [store, clock] = await opened(t, harness)
    await store.set('k', 'v', { ttlMs: 1000 })
    assert.equal((await store.entry('k'))?.expiresAt, clock.now + 1000)
    clock.now += 999
    assert.equal(await store.get('k'), 'v')
    clock.now += 1
    assert.equal(await store.get('k'), undefined)
    assert.equal(await store.set('k', 'w', { ifVersion: 0, ttlMs: 1000 }), true)
    await store.set('k', 'x')
    clock.now += 1_000_000
    assert.equal(await store.get('k'), 'x')
    assert.equal((await store.entry('k'))?.expiresAt, null)
  })

  it('counts, from the first write on for its time to live', async (t) => {
    const [store, clock] = await opened(t, harness)
    const sums = await Promise.all(Array.from({ length: 100 }, () => store.increment('n', 2, 1000)))
    assert.deepEqual(
      sums.sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, i) => 2 * i + 2),
    )
    clock.now += 600
    assert.equal(await store.increment('n', -50, 1000), 150)
    assert.equal(await store.get('n'), 150)
    assert.equal(await store.increment('n', 0), 150)
    clock.now += 400
    assert.equal(await store.increment('n', 0), 0)
    assert.equal(await store.get('n'), undefined)
    assert.equal(await store.increment('n', 1), 1)
    clock.now += 1_000_000
    assert.equal(await store.increment('n', 9_007_199_254_740_990), Number.MAX_SAFE_INTEGER)
    await assert.rejects(store.increment('n', 1), usageError)
  })

  it('counts for its time to live from the last write on, when asked to', async (t) => {
    const [store, clock] = await opened(t, harness)
    const next = (): Promise<number> => store.increment('n', 1, 1000, { prolong: true })
    for (let i = 1; i <= 4; i++) {
      assert.equal(await next(), i)
      assert.equal((await store.entry('n'))?.expiresAt, clock.now + 1000)
      clock.now += 999
    }
    assert.equal(await store.increment('n', 0, 1000, { prolong: true }), 4)
    clock.now += 1
    assert.equal(await next(), 1)
    assert.equal(await store.increment('n', 1), 2)
    clock.now += 1000
    assert.equal(await next(), 1)
    assert.equal(await store.increment('n', 1, undefined, { prolong: true }), 2)
    assert.equal((await store.entry('n'))?.expiresAt, null)
  })

  it('refuses to count what is not a whole number', async (t) => {
    const [store] = await opened(t, harness)
    for (const value of ['1', 1.5, { a: 1 }, null]) {
      await store.set('k', value)
      await assert.rejects(store.increment('k', 1), usageError)
      assert.deepEqual(await store.get('k'), value)
    }
  })

  it('names what is wrong with an argument', async (t) => {
    const [store] = await opened(t, harness)
    await assert.rejects(store.get(''), /1 to 512/)
    await assert.rejects(store.get('a\nb'), /control/)
    await assert.rejects(store.set('k', undefined as never), /JSON/)
    await assert.rejects(store.set('k', 1, { ttlMs: 0 }), /time to live/)
    await assert.rejects(store.increment('k', 0.5), /whole number/)
  })

  it('keeps namespaces apart', async (t) => {
    const [store] = await opened(t, harness)
    const a = store.namespace('a')
    const ab = a.namespace('b')
    await a.set('k', 1)
    await ab.set('k', 2)
    assert.equal(await store.get('k'), undefined)
    assert.equal(await store.get('a/k'), 1)
    assert.equal(await a.get('b/k'), 2)
  })

  it('tells watchers of changes that ask for it', async (t) => {
    const [store] = await opened(t, harness)
    const settings = store.namespace('settings')
    const heard = new EventTarget()
    const keys: (string | undefined)[] = []
    const stop = settings.watch('s', (key) => {
      keys.push(key)
      if (key === 'smtp') heard.dispatchEvent(new Event('last'))
    })
    // A watch takes effect some time after the call; until then the answer to "did it" is a repeated change.
    const last = once(heard, 'last')
    let done = false
    void last.then(() => {
      done = true
    })
    await settings.set('siem', 1)
    await settings.set('other', 1, { notify: true })
    await store.set('siem', 1, { notify: true })
    await until(() => done || settings.set('smtp', 1, { notify: true }).then(() => false))
    assert.deepEqual(new Set(keys.filter((key) => key !== undefined)), new Set(['smtp']))
    const deleted = new Promise<string | undefined>((resolve) => settings.watch('smtp', resolve))
    stop()
    await settings.delete('smtp', { notify: true })
    assert.equal(await deleted, 'smtp')
  })

  it('grants a lock to one holder at a time', async (t) => {
    const [store, clock] = await opened(t, harness)
    assert.equal(await store.acquire('job', 'a', 1000), true)
    assert.equal(await store.acquire('job', 'b', 1000), false)
    clock.now += 900
    assert.equal(await store.acquire('job', 'a', 1000), true)
    clock.now += 900
    assert.equal(await store.acquire('job', 'b', 1000), false)
    assert.equal(await store.release('job', 'b'), false)
    assert.equal(await store.release('job', 'a'), true)
    assert.equal(await store.acquire('job', 'b', 1000), true)
    clock.now += 1000
    assert.equal(await store.release('job', 'b'), false)
    assert.equal(await store.acquire('job', 'a', 1000), true)
  })
}
