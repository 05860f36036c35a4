import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sideBySide } from '../../../../core/engine/util/side-by-side.ts'
import { turnsOf } from '../../../helpers/turns.ts'

test('exchanges of one turn go on together, step by step, in order', async () => {
  const steps: string[] = []
  const exchange = async (name: string) => {
    await sideBySide()
    steps.push(`${name} reads`)
    await undefined
    steps.push(`${name} inspects`)
  }
  await Promise.all([exchange('a'), exchange('b')])
  assert.deepEqual(steps, ['a reads', 'b reads', 'a inspects', 'b inspects'])
})

test('many leave the event loop to others in between', async () => {
  const turns = await turnsOf(sideBySide, 40)
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
  const first = sideBySide().then(async () => {
    setImmediate(() => (isLater = true))
    await sideBySide()
    return isLater
  })
  assert.equal(await first, true)
})

test('a burst of one key delays no other key', async () => {
  const done: string[] = []
  const exchange = async (key: string) => {
    await sideBySide(key, 20_000)
    done.push(key)
  }
  const burst = Array.from({ length: 500 }, () => exchange('burst'))
  await Promise.all([...burst, exchange('a'), exchange('b')])
  assert.deepEqual(done.slice(0, 4), ['burst', 'a', 'b', 'burst'])
  assert.equal(done.length, 502)
})

test('of one key, those that came first go on first', async () => {
  const done: number[] = []
  await Promise.all(Array.from({ length: 40 }, (_, i) => sideBySide('key').then(() => done.push(i))))
  assert.deepEqual(
    done,
    Array.from({ length: 40 }, (_, i) => i),
  )
})

test('in one turn, no more is read than what one large body has', async () => {
  const sizes = [120_000, 120_000, 120_000, 800_000, 10, 120_000]
  let i = 0
  const turns = await turnsOf(() => sideBySide('key', sizes[i++]), sizes.length)
  const [first, second, third, large, fourth, fifth] = turns as [number, number, number, number, number, number]
  assert.equal(first, second)
  assert.ok(second < third && third < large && large < fourth)
  assert.equal(fourth, fifth)
})
