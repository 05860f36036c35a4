/** Seats, keys and retries are bounded and shared fairly. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { UpstreamConfig } from '../../../../../core/engine/config/types.ts'
import { KeyPool } from '../../../../../core/engine/upstreams/load/key-pool.ts'
import { RetryBudget } from '../../../../../core/engine/upstreams/load/retry-budget.ts'
import { Seats } from '../../../../../core/engine/upstreams/load/seats.ts'

const turn = () => new Promise<void>((resolve) => queueMicrotask(resolve))

function queue(limit: number, most = 100, waitMs = 10_000) {
  const seats = new Seats(limit, most, waitMs)
  const seated: string[] = []
  const wait = (key: string, name: string) =>
    seats.wait(key, (isSeated) => seated.push(isSeated ? name : `late ${name}`))
  const leave = async (times = 1) => {
    for (let i = 0; i < times; i++) seats.leave(1000)
    await turn()
  }
  return { seats, seated, wait, leave }
}

describe('seats of an upstream', () => {
  it('go to keys in turn, and within a key in order of arrival', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { seats, seated, wait, leave } = queue(2)
    seats.take()
    seats.take()
    assert.equal(seats.isFree, false)
    for (let i = 1; i <= 4; i++) wait('greedy', `greedy${i}`)
    wait('modest', 'modest1')
    wait('modest', 'modest2')
    await leave(6)
    assert.deepEqual(seated, ['greedy1', 'modest1', 'greedy2', 'modest2', 'greedy3', 'greedy4'])
    assert.deepEqual([seats.taken, seats.waiting], [2, 0])
    await leave(2)
    assert.deepEqual([seats.taken, seats.isFree], [0, true])
  })

  it('are not given to those who gave up, nor twice', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { seats, seated, wait, leave } = queue(1)
    seats.take()
    const giveUp = wait('a', 'first')
    wait('a', 'second')
    giveUp()
    giveUp()
    assert.equal(seats.waiting, 1)
    await leave()
    assert.deepEqual(seated, ['second'])
    t.mock.timers.tick(1_000_000)
    assert.deepEqual(seated, ['second'])
  })

  it('are waited for only so long', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { seats, seated, wait } = queue(1, 2, 500)
    seats.take()
    wait('a', 'first')
    assert.equal(seats.hasRoom, true)
    wait('b', 'second')
    assert.equal(seats.hasRoom, false)
    t.mock.timers.tick(500)
    assert.deepEqual(seated, ['late first', 'late second'])
    assert.deepEqual([seats.waiting, seats.taken], [0, 1])
  })

  it('tell how long the next one probably waits', async () => {
    const { seats, leave } = queue(1)
    assert.equal(seats.waitSeconds, 1)
    for (let i = 0; i < 50; i++) {
      seats.take()
      seats.leave(7000)
    }
    assert.equal(seats.waitSeconds, 7)
    await leave(0)
  })
})

describe('keys of an upstream', () => {
  const config = { kind: 'openai', headers: {} } as UpstreamConfig
  const name = ({ headers }: { headers: Readonly<Record<string, string>> }) => headers.authorization

  it('are used in turn, without those that rest', () => {
    const pool = new KeyPool(config, ['k1', 'k2', 'k3'])
    const three = () => [1, 2, 3].map(() => name(pool.next(0)))
    assert.deepEqual(three(), ['Bearer k1', 'Bearer k2', 'Bearer k3'])
    const first = pool.next(0)
    first.restsUntil = 10
    assert.deepEqual(three(), ['Bearer k2', 'Bearer k3', 'Bearer k2'])
    assert.deepEqual([pool.resting(9), pool.resting(10), pool.freeAt], [1, 0, 0])
  })

  it('when all rest, the one that rests the shortest is used', () => {
    const pool = new KeyPool(config, ['k1', 'k2'])
    pool.next(0).restsUntil = 50
    pool.next(0).restsUntil = 20
    assert.equal(pool.freeAt, 20)
    assert.equal(name(pool.next(0)), 'Bearer k2')
    assert.equal(name(pool.next(0)), 'Bearer k2')
  })
})

describe('the budget of retries', () => {
  it('is a share of the requests, and ten for those with few', () => {
    const budget = new RetryBudget(0.1)
    let spent = 0
    for (let i = 0; i < 10_000; i++) {
      budget.earn()
      if (budget.spend()) spent++
    }
    assert.ok(spent > 990 && spent <= 1010, String(spent))
  })

  it('keeps half of what is saved for those that nobody else can answer', () => {
    const budget = new RetryBudget(0.1)
    const spend = (spares: boolean) => Array.from({ length: 20 }, () => budget.spend(spares)).filter(Boolean).length
    assert.deepEqual([spend(true), spend(false)], [5, 5])
  })
})
