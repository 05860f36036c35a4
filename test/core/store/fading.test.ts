import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Fading } from '../../../core/store/engine/fading.ts'

test('texts are remembered for their time, and forgotten after twice of it', () => {
  const step = fc.record({ after: fc.integer({ min: 0, max: 250 }), text: fc.constantFrom('a', 'b', 'c', 'd') })
  const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const fading = new Fading(100)
    const added = new Map<string, number>()
    let now = 1_700_000_000_000
    for (const { after, text } of steps) {
      now += after
      fading.fade(now)
      for (const [known, at] of added) {
        if (now - at < 100) assert.ok(fading.has(known), `${known} after ${now - at}`)
        if (now - at >= 200) assert.ok(!fading.has(known), `${known} after ${now - at}`)
      }
      fading.add(text)
      added.set(text, now)
    }
  })
  fc.assert(property, { numRuns: 500 })
})
