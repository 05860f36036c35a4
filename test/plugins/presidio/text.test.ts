import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codePoints, toUtf16 } from '../../../plugins/presidio/offsets.ts'
import { completeUntil, pieces } from '../../../plugins/presidio/sentences.ts'
import { codePoint } from '../../helpers/code-points.ts'

test('offsets in code points become offsets in UTF-16 units', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 60 }), (text) => {
      const units = toUtf16(text)
      const points = [...text]
      let length = 0
      for (let i = 0; i <= points.length; length += points[i++]?.length ?? 0) assert.equal(units(i), length)
      assert.equal(codePoints(text), points.length)
    }),
  )
  assert.equal(toUtf16('a\ud800b')(2), 2)
})

for (const [text, end] of [
  ['One. Two', 4],
  ['One.', 0],
  ['One. ', 4],
  ['He said "no." Then', 13],
  ['Dr. Smith and J. Doe came. They', 26],
  ['It costs 3.14 euros', 0],
  ['e.g. this', 0],
  ['Line one\nline', 9],
  ['你好。再见', 3],
  ['Really?! Yes', 8],
] as const) {
  test(`sentences of ${JSON.stringify(text)}`, () => assert.equal(completeUntil(text, 0), end))
}

test('an endless sentence is cut between words', () => {
  const text = 'word '.repeat(200)
  const end = completeUntil(text, 0)
  assert.ok(end > 0 && text.length - end < 200)
  assert.equal(text[end], ' ')
  assert.ok(completeUntil('x'.repeat(2000), 0) > 0)
})

test('pieces make up the text again, none too long, no pair torn apart', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('Ada ', 'came. ', '\n', '😀', 'x'.repeat(40), '。')),
      fc.integer({ min: 50, max: 120 }),
      (parts, limit) => {
        const text = parts.join('')
        const cut = pieces(text, limit)
        assert.equal(cut.map((piece) => piece.text).join(''), text)
        for (const piece of cut) {
          assert.ok(piece.text.length <= limit && (piece.text.length > 0 || text === ''))
          assert.equal(text.slice(piece.offset, piece.offset + piece.text.length), piece.text)
          assert.doesNotMatch(piece.text, /[\ud800-\udbff]$/)
        }
      },
    ),
  )
})
