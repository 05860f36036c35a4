import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { deepFreeze, freezeInSteps } from '../../../../core/engine/util/deep-freeze.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'

/** Every object of plain data. */
function* objectsOf(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const inner of Object.values(value)) yield* objectsOf(inner)
}

describe('plain data', () => {
  for (const [how, freeze] of [
    ['at once', deepFreeze],
    ['in steps', (value: unknown) => allSteps(freezeInSteps(value))],
  ] as const)
    it(`is frozen to its leaves ${how}, and stays what it was`, () => {
      fc.assert(
        fc.property(fc.json(), (json) => {
          const value: unknown = JSON.parse(json)
          assert.equal(freeze(value), value)
          for (const one of objectsOf(value)) assert.ok(Object.isFrozen(one))
          assert.equal(JSON.stringify(value), JSON.stringify(JSON.parse(json)))
        }),
      )
    })

  it('is frozen in steps of some thousand values, in whatever shape it comes', () => {
    const count = 100_000
    const many = Array.from({ length: count }, (_, i) => i)
    for (const value of [many, many.map((i) => [i]), Object.fromEntries(many.map((i) => [`m${i}`, { i }]))]) {
      const steps = freezeInSteps<unknown>(value)
      let taken = 0
      while (steps.next().done !== true) taken++
      assert.ok(taken >= count / 20_000, `${taken} steps`)
      for (const one of objectsOf(value)) assert.ok(Object.isFrozen(one))
    }
  })
})
