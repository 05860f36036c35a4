import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { RecentMap } from '../../../../core/engine/util/recent-map.ts'
import { rounds } from '../../../helpers/rounds.ts'

describe('RecentMap', () => {
  it('keeps what was used last, and never more than its limit', () => {
    const step = fc.record({
      kind: fc.constantFrom('get', 'set', 'set', 'delete'),
      key: fc.integer({ min: 0, max: 30 }),
      weight: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const limit = 40
        const map = new RecentMap<number, number>(limit)
        /**
         * Everything, least recently used first. What was deleted, dropped or heavier before counts on: it took the room of
         * others.
         */
        const model = new Map<number, { value: number | undefined; weight: number }>()
        const use = (key: number, value: number, weight: number): void => {
          const most = Math.max(weight, model.get(key)?.weight ?? 0)
          model.delete(key)
          model.set(key, { value, weight: most })
        }
        for (const [value, { kind, key, weight }] of steps.entries()) {
          const known = model.get(key)
          if (kind === 'set') {
            map.set(key, value, weight)
            use(key, value, weight)
          } else if (kind === 'delete') {
            map.delete(key)
            if (known !== undefined) known.value = undefined
          } else {
            const found = map.get(key)
            if (found !== undefined) {
              assert.equal(found, known?.value)
              use(key, found, 0)
            }
          }
          assert.ok(map.weight <= limit)
        }
        // Whatever was used last, up to half of the limit.
        let room = limit / 2
        for (const [key, { value, weight }] of [...model].reverse()) {
          room -= weight
          if (room < 0) break
          assert.equal(map.get(key), value)
        }
      }),
      { numRuns: rounds(300) },
    )
  })

  it('counts entries without weights, and those that it dropped', () => {
    const map = new RecentMap<string, number>(4)
    for (let i = 0; i < 9; i++) map.set(`key ${i}`, i)
    assert.ok(map.size >= 2 && map.size <= 4)
    assert.equal(map.weight, map.size)
    assert.equal(map.dropped, 9 - map.size)
    assert.equal(map.get('key 0'), undefined)
    assert.equal(map.get('key 8'), 8)
  })

  it('does not keep a value that is larger than the limit', () => {
    const map = new RecentMap<string, string>(10)
    map.set('large', 'x', 11)
    assert.equal(map.get('large'), undefined)
    assert.equal(map.weight, 0)
  })
})
