import assert from 'node:assert/strict'
import { it } from 'node:test'
import { GatewayError } from '../../core/errors.ts'
import { payloadOf } from '../../core/events.ts'

it('refuses the payload of an event that could not be written', () => {
  const circle: Record<string, unknown> = {}
  circle.again = [circle]
  const wrong = [{ big: 1n }, { deep: [{ call: () => 1 }] }, { symbol: Symbol('s') }, circle]
  for (const payload of wrong) {
    assert.throws(
      () => payloadOf('budget.threshold', payload),
      (error) =>
        error instanceof GatewayError &&
        error.code === 'GW_PLUGIN_CONTRACT' &&
        error.message.includes("'budget.threshold' is no JSON"),
    )
  }
  const copy = payloadOf('budget.threshold', { missing: undefined, list: [1, null, { a: 'b' }], none: {} })
  assert.deepEqual(copy, { list: [1, null, { a: 'b' }], none: {} })
})
