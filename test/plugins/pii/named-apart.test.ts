/** Names apart from their value: in parentheses with a noun, in a clause behind it, in the label of a field. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const drive = new Drive(pii, { action: 'redact' })

function assertGone(text: string, value: string): void {
  const whole = drive.next().reply(text).output
  assert.ok(!whole.includes(value), whole)
  assert.equal(drive.next().stream([...text]).output, whole)
}

function assertStays(text: string): void {
  assert.equal(drive.next().reply(text).output, text)
  assert.equal(drive.next().stream([...text]).output, text)
}

describe('parentheses behind a value', () => {
  for (const [text, value] of [
    ['907562506 (ITIN no.)', '907562506'],
    ['885540255290 (CNI n°)', '885540255290'],
    ['496255620 (SIREN number), Lyon', '496255620'],
  ] as const)
    it(`may have a noun, ${text}`, () => assertGone(text, value))
  it('have no more than a noun behind the name', () => assertStays('885540255290 (CNI units sold)'))
})

describe('what follows a value', () => {
  for (const [text, value] of [
    ['953025885, which is my SIN, does not work', '953025885'],
    ['I typed 953025885, my SIN, twice', '953025885'],
    ["J'ai mis 3815490520177, mon numéro fiscal, et", '3815490520177'],
    ['the form has 885540255290, c’est ma CNI'.replace('’', "'"), '885540255290'],
    ['I sent 953025885 when you asked for the SIN, why again?', '953025885'],
    ['I sent 885540255290 because they wanted my CNI.', '885540255290'],
    ['885540255290 — CNI', '885540255290'],
    ['885540255290 = CNI', '885540255290'],
    ['885540255290 - CNI n°\nnext', '885540255290'],
  ] as const)
    it(`names it, ${text}`, () => assertGone(text, value))

  for (const text of [
    '885540255290, my CNI is not here',
    '885540255290, which the clerk has with my CNI',
    '885540255290, 885540255291 and a CNI',
    '885540255290 - the CNI and more',
    'I counted 885540255290 when you sent the CNI',
  ])
    it(`names another thing, ${text}`, () => assertStays(text))
})

describe('a field of HTML', () => {
  it('has the name in its label', () =>
    assertGone('<label for="f1">SIREN</label>\n<input id="f1" type="text" value="496255620" />', '496255620'))
  it('takes no name of the field before it', () =>
    assertStays(
      '<label for="f1">SIREN</label> <input id="f1" value="" /> <input id="f2" name="units" value="496255620" />',
    ))
})

describe('a word of one letter before a value', () => {
  for (const [text, value] of [
    ["numéro de sécu ? it's 2 46 02 23 336 568 86", '2 46 02 23 336 568'],
    ['né à Lyon, sécurité sociale à 1 85 05 78 006 084 91', '1 85 05 78 006 084 91'],
  ] as const)
    it(`does not hide it, ${text}`, () => assertGone(text, value))
})
