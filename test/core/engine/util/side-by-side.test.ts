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
