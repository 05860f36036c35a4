import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextUnits } from '../../../core/kit/text-units.ts'

test('the units of a text end with a zero, however long the text before was', () => {
  const units = new TextUnits()
  for (const text of ['', 'a', 'grüße 👋 中\ud800', 'x'.repeat(5000), 'é'.repeat(8192), 'short']) {
    const array = units.of(text)
    assert.deepEqual(
      Array.from(array.subarray(0, text.length)),
      Array.from(text.split(''), (unit) => unit.charCodeAt(0)),
    )
    assert.equal(array[text.length], 0)
  }
})
