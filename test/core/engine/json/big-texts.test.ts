import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '../../../../core/engine/contract/plugin.ts'
import { jsonOf, writeBigTexts } from '../../../../core/engine/json/big-texts.ts'

const COUNT = 40_000
const numbers = (count = COUNT): Json[] => Array.from({ length: count }, (_, i) => i / 7)
const members = (count: number): Json => Object.fromEntries(numbers(count).map((one, i) => [`"m" ${i}`, one]))
const SHAPES: Readonly<Record<string, () => Json[] | { [name: string]: Json }>> = {
  'one list': () => numbers(),
  'small lists': () => numbers().map((one) => [one, null, 'é"\\\n']),
  'objects of many members': () => ({ a: members(COUNT), b: [members(COUNT), { c: members(10) }], d: 'x' }),
  'lists in lists': () => [[[numbers()], numbers(3)], [], {}, true],
  'an empty list': () => [],
}

describe('the JSON of what is large', () => {
  for (const [shape, make] of Object.entries(SHAPES))
    it(`is that of JSON.stringify, and was written in steps: ${shape}`, (t) => {
      const value = make()
      const elements = [make(), make()]
      const steps = writeBigTexts({ value, messages: elements }, new Set(['messages']))
      let taken = 0
      while (steps.next().done !== true) taken++
      const expected = JSON.stringify(value)
      assert.ok(taken >= Math.floor(expected.length / 400_000), `${taken} steps`)
      const stringify = t.mock.method(JSON, 'stringify')
      for (const one of [value, ...elements]) assert.equal(jsonOf(one), expected)
      assert.equal(stringify.mock.callCount(), shape === 'an empty list' ? 3 : 0)
    })
})
