import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from '../../../../core/engine/util/next-turn.ts'
import { sideBySide } from '../../../../core/engine/util/side-by-side.ts'
import { turnsOf } from '../../../helpers/turns.ts'

const request = (key = '', bytes = 0) => sideBySide('request', key, bytes)

test('exchanges of one turn go on together, step by step, in order', async () => {
  const steps: string[] = []
  const exchange = async (name: string) => {
    await request()
    steps.push(`${name} reads`)
    await undefined
    steps.push(`${name} inspects`)
  }
  await Promise.all([exchange('a'), exchange('b')])
  assert.deepEqual(steps, ['a reads', 'b reads', 'a inspects', 'b inspects'])
})

test('many leave the event loop to others in between', async () => {
  const turns = await turnsOf(request, 40)
  assert.deepEqual(
    turns,
    turns.toSorted((a, b) => a - b),
  )
  assert.deepEqual(
    [...new Set(turns)].map((one) => turns.filter((other) => other === one).length),
    [16, 16, 8],
  )
})

test('who waits while others go on has the next turn', async () => {
  let isLater = false
  const first = request().then(async () => {
    setImmediate(() => (isLater = true))
    await request()
    return isLater
  })
  assert.equal(await first, true)
})

test('a burst of one key delays no other key', async () => {
  const done: string[] = []
  const exchange = async (key: string) => {
    await request(key, 20_000)
    done.push(key)
  }
  const burst = Array.from({ length: 500 }, () => exchange('burst'))
  await Promise.all([...burst, exchange('a'), exchange('b')])
  assert.deepEqual(done.slice(0, 4), ['burst', 'a', 'b', 'burst'])
  assert.equal(done.length, 502)
})

test('of one key, those that came first go on first', async () => {
  const done: number[] = []
  await Promise.all(Array.from({ length: 40 }, (_, i) => request('key').then(() => done.push(i))))
  assert.deepEqual(
    done,
    Array.from({ length: 40 }, (_, i) => i),
  )
})

test('in one turn, no more is read than what one large body has', async () => {
  const sizes = [120_000, 120_000, 120_000, 800_000, 10, 120_000]
  let i = 0
  const turns = await turnsOf(() => request('key', sizes[i++]), sizes.length)
  const [first, second, third, large, short, last] = turns as [number, number, number, number, number, number]
  assert.equal(first, second)
  assert.equal(first, short)
  assert.ok(second < third && third < large && large < last)
})

test('replies go on while requests of a burst wait, and the other way round', async () => {
  for (const [many, few] of [
    ['request', 'reply'],
    ['reply', 'request'],
  ] as const) {
    const done: string[] = []
    const exchange = (step: 'request' | 'reply') => sideBySide(step, 'key', 60_000).then(() => done.push(step))
    const burst = Array.from({ length: 100 }, () => exchange(many))
    await Promise.all([...burst, exchange(few), exchange(few)])
    // Four of them have 256 KiB.
    assert.deepEqual(done.slice(0, 4).toSorted(), [few, few, many, many].toSorted())
    assert.equal(done.length, 102)
  }
})

test('a long request waits while many of its key take turns, and no other key nor a short one does', async () => {
  const takers = Array.from({ length: 20 }, () => ({ key: 'burst', turns: 0 }))
  let over = 0
  const busy = takers.map(async (taker) => {
    for (let i = 0; i < 4; i++) await nextTurn(taker)
    over++
  })
  const overAt = async (key: string, bytes: number) => {
    await request(key, bytes)
    return over
  }
  const [long, short, other] = await Promise.all([
    overAt('burst', 60_000),
    overAt('burst', 20_000),
    overAt('other', 60_000),
  ])
  // Of twenty, fewer than eight are left.
  assert.ok(long > 12, String(long))
  assert.deepEqual([short, other], [0, 0])
  await Promise.all(busy)
})

test('exchanges that took many turns keep no other waiting', async () => {
  let isOver = false
  const takers = Array.from({ length: 20 }, () => ({ key: 'slow', turns: 1000 }))
  const busy = takers.map(async (taker) => {
    for (let i = 0; i < 4; i++) await nextTurn(taker)
    isOver = true
  })
  await request('slow', 60_000)
  assert.equal(isOver, false)
  await Promise.all(busy)
})
