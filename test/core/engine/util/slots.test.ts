import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Slots } from '../../../../core/engine/util/slots.ts'

test('slots hold what was added and not taken out, and use their numbers again', () => {
  const steps = fc.array(fc.oneof(fc.constant('add' as const), fc.nat(20)), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (all) => {
      const slots = new Slots<object>()
      const model = new Map<number, object>()
      let most = 0
      for (const step of all) {
        if (step === 'add') {
          const item = {}
          const slot = slots.add(item)
          assert.ok(!model.has(slot))
          model.set(slot, item)
          most = Math.max(most, model.size)
          assert.ok(slot < most)
        } else {
          slots.delete(step)
          model.delete(step)
        }
        assert.equal(slots.size, model.size)
        for (let slot = 0; slot < 20; slot++) assert.equal(slots.get(slot), model.get(slot))
      }
      assert.deepEqual(new Set(slots.values()), new Set(model.values()))
      slots.clear()
      assert.equal(slots.size, 0)
    }),
  )
})
