import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Permit, WeightedSemaphore } from '../../../../core/engine/util/weighted-semaphore.ts'

/** Names of the permits that were granted. */
async function granted(permits: Readonly<Record<string, Permit>>): Promise<string[]> {
  const names: string[] = []
  for (const [name, permit] of Object.entries(permits)) void permit.granted.then(() => names.push(name))
  await new Promise(setImmediate)
  return names
}

describe('a weighted semaphore', () => {
  it('grants what fits, and the rest in order', async () => {
    const all = new WeightedSemaphore(10)
    const [a, b, c, d] = [all.acquire(4), all.acquire(6), all.acquire(5), all.acquire(1)]
    assert.deepEqual(await granted({ a, b, c, d }), ['a', 'b'])
    a.release()
    assert.deepEqual(await granted({ c, d }), [])
    b.release()
    assert.deepEqual(await granted({ c, d }), ['c', 'd'])
  })

  it('lets what is greater than all run alone', async () => {
    const all = new WeightedSemaphore(10)
    const [a, b, c] = [all.acquire(1), all.acquire(99), all.acquire(1)]
    assert.deepEqual(await granted({ a, b, c }), ['a'])
    a.release()
    assert.deepEqual(await granted({ b, c }), ['b'])
    b.release()
    assert.deepEqual(await granted({ c }), ['c'])
  })

  it('forgets who gives up waiting, and counts a release once', async () => {
    const all = new WeightedSemaphore(10)
    const [a, b, c] = [all.acquire(8), all.acquire(8), all.acquire(8)]
    b.release()
    a.release()
    a.release()
    const d = all.acquire(8)
    assert.deepEqual(await granted({ b, c, d }), ['c'])
    c.release()
    assert.deepEqual(await granted({ d }), ['d'])
  })
})
