import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Backoff } from '../../../../core/gateway/cluster/backoff.ts'

it('slows down with each death in a row, never gives up, and starts anew after a sound worker', () => {
  const backoff = new Backoff()
  const pauses = Array.from({ length: 12 }, () => backoff.next(0))
  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000])
  for (let i = 0; i < 2000; i++) backoff.next(59_999)
  assert.equal(backoff.next(59_999), 30_000)
  assert.equal(backoff.next(60_000), 100)
})
