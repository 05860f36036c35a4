import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildAnchors } from '../../../plugins/secrets/anchors.ts'
import { KINDS } from '../../../plugins/secrets/kinds/index.ts'
import { compilePattern, MORE, matched, matchPattern, NO } from '../../../plugins/secrets/pattern.ts'

test('at least sixty types, named once, in snake_case', () => {
  const types = KINDS.map((kind) => kind.type)
  assert.equal(new Set(types).size, types.length)
  assert.ok(types.length >= 60, String(types.length))
  for (const type of types) assert.match(type, /^[a-z][a-z0-9_]+$/)
})

test('every pattern has an anchor', () => {
  for (const kind of KINDS)
    for (const pattern of kind.patterns) assert.ok(compilePattern(pattern).heads.length > 0, pattern)
  assert.ok(buildAnchors(KINDS, true).lists.length > 100)
})

test('a pattern without three fixed characters in front is refused', () => {
  assert.throws(() => compilePattern('[a-z]b[\\w-]{20}'), /selective|fixed/)
  assert.throws(() => compilePattern('ab[0-9]{0,3}c'), /fixed/)
})

const at = (source: string, text: string, final = true): number => matchPattern(compilePattern(source), text, 0, final)

test('counts, optional ends and boundaries', () => {
  assert.equal(at('key-[0-9]{4}', 'key-1234'), 8)
  assert.equal(at('key-[0-9]{4}', 'key-12345'), NO)
  assert.equal(at('key-[0-9]{4}', 'key-1234x'), NO)
  assert.equal(at('key-[0-9]{4}', 'key-1234-x'), 8)
  assert.equal(at('key-[0-9]{2,4}', 'key-1'), NO)
  assert.equal(at('key-[0-9]{2,}', 'key-123456 '), 10)
  assert.equal(at('key-[\\w.]{4,}', 'key-abc1.'), 9)
  assert.equal(at('key-[\\w.]{4,}', 'key-abc1. Next'), 8)
  assert.equal(at('a\\.b\\.[0-9]{2}-X', 'a.b.12-X'), 8)
})

test('a class before `<` belongs to the pattern behind it', () => {
  const { before, heads, shift } = compilePattern('[0-9]{8,10}<:[\\w-]{35}')
  assert.deepEqual([before?.min, before?.max, heads.length, heads[0], shift], [8, 10, 100, '00:', 2])
  assert.deepEqual(compilePattern('[0-9a-f]{32}<-us[0-9]{1,2}').heads, ['-us'])
})

test('text that ends too early is undecided unless it is final', () => {
  assert.equal(at('key-[0-9]{4}', 'key-12', false), MORE)
  assert.equal(at('key-[0-9]{4}', 'key-12', true), NO)
  assert.equal(at('key-[0-9]{4}', 'key-1x', false), NO)
  assert.equal(at('key-[0-9]{4}', 'key-1234', false), 8)
  assert.equal(matched.open, true)
  assert.equal(at('see this (key-[0-9]{2}', 'see this key-12 '), 15)
  assert.equal(matched.start, 9)
})
