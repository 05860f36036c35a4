import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Patterns } from '../../../core/kit/index.ts'
import { rounds } from '../../helpers/rounds.ts'
import { covered, cutText, streamThrough } from '../../helpers/stream-view.ts'

const hits = (patterns: Patterns, text: string) => {
  const found = patterns.find({ text, before: '', final: true, hold: () => {} })
  return found.map(({ start, end }) => text.slice(start, end))
}

describe('Patterns', () => {
  it('finds every match of every pattern, and no empty one', () => {
    assert.deepEqual(hits(new Patterns(['\\d{3}', '(?i)tic?ket']), '123456 Ticket'), ['123', '456', 'Ticket'])
    assert.deepEqual(hits(new Patterns(['x*']), 'axxb'), ['xx'])
    assert.deepEqual(hits(new Patterns([]), 'anything'), [])
  })

  it('takes linear time for what is exponential elsewhere', () => {
    assert.deepEqual(hits(new Patterns(['(a+)+$']), `${'a'.repeat(50_000)}b`), [])
  })

  it('refuses what RE2 has not', () => {
    assert.throws(() => new Patterns(['(?=x)']))
  })

  it('refuses what is no list of strings, and says what to write', () => {
    const written = /patterns.*strings?.*; write new Patterns\(\['\\\\bTICKET/
    for (const wrong of [[/x/], ['x', { pattern: 'x' }], 'x', undefined])
      assert.throws(() => new Patterns(wrong as never), { name: 'TypeError', message: written })
    assert.throws(() => new Patterns(['x', 7 as never]), /patterns\[1\]/)
  })

  it('waits at the end of a stream, where a match may still change', () => {
    const patterns = new Patterns(['\\bfoo\\b', '\\d{2,4}'], { window: 8 })
    assert.deepEqual(streamThrough(patterns, ['a foo', 'tball']).spans, [])
    assert.deepEqual(streamThrough(patterns, ['a foo', ' bar']).spans, ['2-5'])
    assert.deepEqual(streamThrough(patterns, ['12', '34', '5']).spans, ['0-4'])
    assert.deepEqual(streamThrough(new Patterns(['^b', 'b$']), ['ab', 'b']).spans, ['2-3'])
  })

  it('does not wait for ever: a match longer than the window is reported as it grows', () => {
    const patterns = new Patterns(['a+'], { window: 4 })
    const { spans, longestHold } = streamThrough(patterns, ['a'.repeat(10), 'a'.repeat(10), 'b'])
    assert.deepEqual(covered(spans), [...Array(20).keys()])
    assert.ok(longestHold <= 4)
  })

  it('finds the same in a stream however it is cut, up to the length of the window', () => {
    const units = fc.constantFrom('a', 'b', ' ', '1')
    const sources = ['\\bab\\b', 'a{1,3}b', '[ab]{3}', '(?i)B1', '1\\s?1', 'a b|b']
    fc.assert(
      fc.property(
        fc.subarray(sources, { minLength: 1 }),
        fc.integer({ min: 4, max: 9 }),
        fc.string({ unit: units, maxLength: 60 }),
        fc.array(fc.nat(60), { maxLength: 12 }),
        (list, window, whole, positions) => {
          const patterns = new Patterns(list, { window })
          const { spans, longestHold } = streamThrough(patterns, cutText(whole, positions))
          assert.deepEqual(covered(spans), covered(streamThrough(patterns, [whole]).spans))
          assert.ok(longestHold <= window)
        },
      ),
      { numRuns: rounds(2000) },
    )
  })
})
