import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LazyMap, LazySet } from '../../../../core/engine/util/lazy.ts'

describe('a lazy map and a lazy set', () => {
  it('are empty until they get something', () => {
    const map = new LazyMap<string, number>()
    const set = new LazySet<string>()
    assert.deepEqual(
      [map.size, map.has('a'), map.get('a'), map.delete('a'), [...map.all]],
      [0, false, undefined, false, []],
    )
    assert.deepEqual([set.size, set.has('a'), set.delete('a'), [...set.all]], [0, false, false, []])
    map.set('a', 1)
    set.add('a')
    assert.deepEqual([map.size, map.has('a'), map.get('a'), [...map.all]], [1, true, 1, [['a', 1]]])
    assert.deepEqual([set.size, set.has('a'), [...set.all]], [1, true, ['a']])
    assert.deepEqual([map.delete('a'), set.delete('a'), map.size, set.size], [true, true, 0, 0])
  })
})
