import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfStart, REACH, startOfEnd } from '../../../../core/engine/text/ends.ts'

const words = 'ab '.repeat(400)

test('an end begins with a word, a start ends with one', () => {
  for (let n = 0; n < 20; n++) {
    const text = words.slice(0, words.length - n)
    const start = startOfEnd(text)
    assert.ok(text.length - start >= REACH && text.length - start < REACH + 3)
    assert.ok(start === 0 || /\s/.test(text[start - 1]!))
    const end = endOfStart(text)
    assert.ok(end >= REACH && end < REACH + 3)
    assert.match(text[end]!, /\s/)
  }
})

test('a short text is all of it', () => {
  for (const text of ['', 'a b', 'x'.repeat(REACH)])
    assert.deepEqual([startOfEnd(text), endOfStart(text)], [0, text.length])
})

test('an encoded value is kept whole, a picture is not', () => {
  const value = `a ${'5c'.repeat(400)}`
  assert.equal(startOfEnd(value), 2)
  assert.equal(endOfStart(`${'5c'.repeat(400)} a`), 800)
  const picture = 'A'.repeat(100_000)
  assert.equal(startOfEnd(picture), picture.length - REACH)
  assert.equal(endOfStart(picture), REACH)
})
