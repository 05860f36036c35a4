import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from '../../../../core/engine/util/next-turn.ts'
import { turnsOf } from '../../../helpers/turns.ts'

test('those that wait get a turn of the event loop each, in order', async () => {
  const turns = await turnsOf(nextTurn, 3)
  const [first, second, third] = turns as [number, number, number]
  assert.ok(first < second && second < third, String(turns))
})
