/** Emphasis, brackets and quotes around a value do not hide it; signs of arithmetic and currencies may. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DETECTORS } from '../../../plugins/pii/detectors/index.ts'
import { Scanner } from '../../../plugins/pii/engine/scanner.ts'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { diagonal } from '../../helpers/rounds.ts'
import { AMERICAS } from './cases/americas.ts'
import { ASIA_PACIFIC } from './cases/asia-pacific.ts'
import { unmark } from './cases/cases.ts'
import { CONTACT } from './cases/contact.ts'
import { EUROPE } from './cases/europe.ts'
import { FINANCIAL } from './cases/financial.ts'
import { IN_CONTEXT } from './cases/in-context.ts'

const everything = new Scanner(DETECTORS)
const drive = new Drive(pii, { action: 'redact' })

function isCovered(text: string, start: number, end: number): boolean {
  let at = start
  for (const hit of everything.scan(text, 0, true).hits) if (hit.start <= at && hit.end > at) at = hit.end
  return at >= end
}

describe('pii: marks around a value', () => {
  const MARKS = [
    ...['*', '**', '***', '_', '__', '`', '``', '~~', '==', '=', '||', '|', '$', '$$', '^', '"', "'", "''"].map(
      (mark) => [mark, mark] as const,
    ),
    ...['()', '[]', '<>', '{}', '«»', '‹›', '“”'].map((pair) => [pair[0]!, pair[1]!] as const),
    ...([
      ['**_', '_**'],
      ['**`', '`**'],
    ] as const),
  ]
  const cases = [...CONTACT, ...FINANCIAL, ...AMERICAS, ...EUROPE, ...ASIA_PACIFIC, ...IN_CONTEXT]
    .flatMap(({ type, good }) => good.map((marked) => ({ type, ...unmark(marked) })))
    .filter(({ spans: [span, other] }) => span !== undefined && other === undefined)
    // The last one has a mark around each of its groups.
    .filter(({ text, spans }) => isCovered(text, spans[0]!.start, spans[0]!.end) && !text.includes('` `'))

  it('do not hide it, alone and with its label', () => {
    for (const [row, { type, text, spans }] of cases.entries()) {
      const { start, end } = spans[0]!
      for (const [opening, closing] of diagonal(MARKS, row)) {
        // Bars part cells of a table.
        if (type === 'age' && opening.includes('|')) continue
        const value = `${text.slice(0, start)}${opening}${text.slice(start, end)}${closing}${text.slice(end)}`
        const { length } = opening
        assert.ok(isCovered(value, start + length, end + length), `${type}: ${value}`)
        const line = `${opening}${text}${closing}`
        assert.ok(isCovered(line, start + length, end + length), `${type}: ${line}`)
      }
    }
  })

  for (const [text, value] of [
    ['Call us at **+49 30 971512** today.', '971512'],
    ['**+493012345678**', '3012345678'],
    ['Phone: **(415) 555-2671**', '2671'],
    ['*+1 415-555-2671*', '2671'],
    ['**Tel: +1 415 555 2671**', '2671'],
    ['**Tel: 415-555-2671** 9 am', '2671'],
    ['**415-555-2671 (home)**', '2671'],
    ['==Tel: +1 415 555 2671==', '2671'],
    ['$\\text{call }415-555-2671$', '2671'],
    ['#+1 415 555 2671', '2671'],
    ['電話番号は*03-1234-5678*です', '5678'],
  ] as const)
    it(`do not hide the number in ${text}`, () => {
      const whole = drive.next().reply(text).output
      assert.ok(!whole.includes(value), whole)
      assert.equal(drive.next().stream([...text]).output, whole)
    })

  for (const text of [
    'call it 3*4155552671',
    'phone(4155552671*2)',
    'tel 2*4155552671*3',
    'phone: (a+b)*4155552671',
    'call 5 *4155552671',
    'call 4155552671* 5',
    'call 2^4155552671',
    'phone $4155552671',
    'phone 4155552671%',
    'call 4155552671=x',
    'phone x <4155552671',
    'abc+49301234567==',
  ])
    it(`leave arithmetic, amounts and base64: ${text}`, () => {
      assert.deepEqual(everything.scan(text, 0, true).hits, [])
    })
})
