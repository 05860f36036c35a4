import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodedRuns } from '../../../../core/engine/text/encoded-runs.ts'
import { firstUnusual, isGlancedAt, rowsOf } from '../../../../core/engine/text/glance.ts'
import { UNUSUAL } from '../../../../core/engine/text/unicode.ts'
import { rounds } from '../../../helpers/rounds.ts'

const SEAM = '\ufeff'
const ROW = /[A-Za-z0-9+/_\-\ufeff]{10,}/g

const base64 = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 }).map((text) => btoa(text))
const hex = fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => Buffer.from(text).toString('hex'))
const piece = fc.oneof(
  base64,
  hex,
  fc.constantFrom(
    ' ',
    '\n',
    '\t',
    '/',
    '=',
    '_',
    '-',
    '+',
    '.',
    '\\n',
    '\\u0041',
    '%41',
    '&amp;',
    SEAM,
    '{',
    '@',
    '`',
    '[',
    ':',
  ),
  fc.constantFrom(
    'information',
    'ab',
    'Straße',
    '中文字',
    '👋',
    '\ud800',
    '\u00ff',
    '\u0141',
    '\x00',
    '\x7f',
    '\u3041',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
)
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

test('the first unusual character is the one that a search finds', () => {
  for (let c = 0; c < 0x10000; c++) {
    const char = String.fromCharCode(c)
    assert.equal(firstUnusual(`ab${char}c`), `ab${char}c`.search(UNUSUAL), c.toString(16))
  }
  fc.assert(
    fc.property(text, (whole) => assert.equal(firstUnusual(whole), whole.search(UNUSUAL))),
    { numRuns: rounds(500) },
  )
})

test('what was read before is not seen behind a shorter text', () => {
  firstUnusual('é'.repeat(300))
  rowsOf('x'.repeat(300))
  for (const length of [1, 15, 16, 17, 31, 32, 33]) {
    assert.equal(firstUnusual('a'.repeat(length)), -1)
    assert.equal(rowsOf('a '.repeat(length))(0), 2 * length)
    assert.equal(rowsOf('a'.repeat(length))(0), length < 10 ? length : 0)
  }
})

test('rows are found wherever they stand, one after the other', () => {
  const rowsIn = (whole: string): number[][] => {
    const rowFrom = rowsOf(whole)
    const rows: number[][] = []
    for (let at = rowFrom(0); at < whole.length; ) {
      ROW.lastIndex = 0
      const row = [...whole.matchAll(ROW)].find(({ index, 0: row }) => index <= at && at < index + row.length)
      assert.ok(row !== undefined, `${at} of ${JSON.stringify(whole)}`)
      rows.push([row.index, row.index + row[0].length])
      at = rowFrom(row.index + row[0].length)
    }
    return rows
  }
  for (let before = 0; before < 40; before++)
    for (const length of [9, 10, 11, 16, 33]) {
      const whole = `${'. '.repeat(before)}${'x'.repeat(length)} ${'y'.repeat(10)}`
      assert.equal(rowsIn(whole).length, length < 10 ? 1 : 2, `${before} ${length}`)
    }
  fc.assert(
    fc.property(text, (whole) => {
      const rows = [...whole.matchAll(ROW)].map(({ index, 0: row }) => [index, index + row.length])
      assert.deepEqual(rowsIn(whole), rows)
    }),
    { numRuns: rounds(500) },
  )
})

test('a text has the same runs whether it is looked at or searched', () => {
  // Of a text that is too long, every tenth character is looked at.
  const before = `${' '.repeat(70_000)}\n`
  fc.assert(
    fc.property(text, (whole) => {
      const long = before + whole.padEnd(70)
      assert.ok(isGlancedAt(whole.padEnd(70)) && !isGlancedAt(long))
      const shifted = encodedRuns(long, 0)?.map((run) => ({
        ...run,
        start: run.start - before.length,
        end: run.end - before.length,
      }))
      assert.deepEqual(
        encodedRuns(`\n${whole.padEnd(70)}`, 0)?.map((run) => ({ ...run, start: run.start - 1, end: run.end - 1 })),
        shifted,
      )
    }),
    { numRuns: rounds(500) },
  )
})
