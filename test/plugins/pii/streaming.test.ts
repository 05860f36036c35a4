import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { byteChunks, tokens } from '../../eval/measure.ts'
import { part, rounds, some } from '../../helpers/rounds.ts'
import { AMERICAS } from './cases/americas.ts'
import { ASIA_PACIFIC } from './cases/asia-pacific.ts'
import { unmark } from './cases/cases.ts'
import { CONTACT } from './cases/contact.ts'
import { EUROPE } from './cases/europe.ts'
import { FINANCIAL } from './cases/financial.ts'
import { IN_CONTEXT } from './cases/in-context.ts'

const TEXTS = [...CONTACT, ...FINANCIAL, ...AMERICAS, ...EUROPE, ...ASIA_PACIFIC, ...IN_CONTEXT].flatMap(
  ({ good, bad }) => [...good, ...bad].map((marked) => unmark(marked).text),
)
const drive = new Drive(pii)

const show = (findings: readonly { type: string; start: number; end: number }[]) =>
  findings
    .map(({ type, start, end }) => `${type} ${start}-${end}`)
    .sort()
    .join('\n')

/** What a text shows as a whole, once for all its cuts. */
const wholes = new Map<string, { readonly shown: string; readonly output: string }>()

function wholeOf(text: string) {
  const known = wholes.get(text)
  if (known !== undefined) return known
  const { findings, output } = drive.reply(text)
  const whole = { shown: show(findings), output }
  wholes.set(text, whole)
  return whole
}

function agree(text: string, pieces: readonly string[]): void {
  const whole = wholeOf(text)
  const stream = drive.stream(pieces)
  assert.equal(show(stream.findings), whole.shown, JSON.stringify(pieces))
  assert.equal(stream.output, whole.output, JSON.stringify(pieces))
}

describe('pii: a stream', () => {
  it('gives the same result as the whole text, one character at a time', () => {
    for (const text of some(TEXTS)) agree(text, [...text])
  })

  it('split in two at every position', () => {
    for (const text of part(TEXTS, 17)) {
      for (let i = 1; i < text.length; i++) agree(text, [text.slice(0, i), text.slice(i)])
    }
  })

  it('a card joined to letters, split at every position', () => {
    const long = 'o'.repeat(140)
    for (const text of [
      `${long}4111111111111111be`,
      `${long}4111 1111 1111 1111be`,
      'hello3782 822463 10005.4111111111111111be',
      'x4111 1111 1111 1111 12.5',
      'nr4111-1111-1111-1111-a0b2c3d4',
      '3f2a4111-1111-4111-9111-1118a0b2c3d4 4111111111111111deadbeef',
      'the4111111111111111is 1a4111111111111111',
    ]) {
      agree(text, [...text])
      for (let i = 1; i < text.length; i++) agree(text, [text.slice(0, i), text.slice(i)])
    }
    assert.deepEqual(wholeOf(`${long}4111111111111111be`).shown, 'credit_card 140-156')
  })

  it('a number that turns out to be part of a longer one', () => {
    const text = 'fiscal number 137539380 the number on it: 3782=822463=10005 用户@zebra-mail.com'
    for (let i = 1; i < text.length; i++) agree(text, [text.slice(0, i), text.slice(i)])
  })

  it('in pieces of token size', () => {
    for (const text of some(TEXTS, 3)) agree(text, tokens(text))
  })

  it('in any number of bytes', () => {
    for (const text of part(TEXTS, 13, 3)) {
      // Single bytes of ASCII are single characters, as above.
      const sizes = /^[\0-\x7f]*$/.test(text) ? [2, 3, 5, 11] : [1, 2, 3, 5, 11]
      for (const size of sizes) agree(text, byteChunks(text, size))
    }
  })

  it('when values stand side by side and pieces are arbitrary', () => {
    const text = fc
      .array(
        fc.constantFrom(
          ...TEXTS,
          ' ',
          '. ',
          '\n',
          ', ',
          'and ',
          '12 ',
          'word',
          '　',
          '\u200b',
          '%40',
          '４',
          'Die',
          'look at',
          '12 000 000',
          'x=',
          'Im Jahr',
        ),
        {
          minLength: 1,
          maxLength: 6,
        },
      )
      .map((parts) => parts.join(' '))
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 12 }), (whole, cuts) => {
        const borders = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort(
          (a, b) => a - b,
        )
        agree(
          whole,
          borders.slice(1).map((border, i) => whole.slice(borders[i], border)),
        )
      }),
      { numRuns: rounds(1500) },
    )
  })

  it('never holds more than maxBuffered', () => {
    const check = (pieces: readonly string[]) => {
      const most = Math.max(...drive.stream(pieces).held)
      assert.ok(most <= 254, `${most} held of ${pieces.join('')}`)
    }
    const long = (text: string) =>
      `${text} ${'x'.repeat(40)}.${'y'.repeat(300)}@ ${text} ${'x'.repeat(99)}@${'z'.repeat(300)} ${text}`
    for (const text of part(TEXTS, 41, 41)) check([...long(text)])
    // What is the same in all of them, in pieces.
    for (const text of some(TEXTS)) check(long(text).match(/([xyz])\1{1,19}|./gsu) ?? [])
    for (const held of drive.stream([...`${'x'.repeat(40)}=${'y'.repeat(300)} jo`]).held)
      assert.ok(held <= 128, `${held}`)
    assert.equal(drive.inspection.outputBlock, undefined)
  })

  it('releases a start that no value has', () => {
    const openings: readonly (readonly string[])[] = [
      ['Die', ' Sitzun', 'g'],
      ['Поезд', ' отправ', 'ляется'],
      ['Im', ' Jahr', ' 1910'],
      ['Look', ' at', ' the'],
      ['Bake', ' at', ' 410'],
      ['940', ' 000', ' 000'],
      ['trace_', 'id=4bf', '92f357'],
    ]
    for (const pieces of openings) {
      const { released } = drive.stream([...pieces, ' and so on.'])
      assert.ok(released[pieces.length - 1]! > 0, pieces.join(''))
    }
  })

  it('holds a start that a value may have', () => {
    const openings = [
      'Ada Lovelace',
      'Lange',
      'Im Jahr 19',
      'Jan at',
      'trace_id',
      '940 000',
      '+1 940 000 000',
      'call 940 000 000',
    ]
    for (const opening of openings) {
      const { released } = drive.stream([opening, ' and so on.'])
      assert.ok(released[0]! <= opening.lastIndexOf('call ') + 5, opening)
    }
  })

  it('releases harmless text within a word or two', () => {
    const text =
      'The committee met at noon and adjourned before the harbour bell rang twelve times over the quiet quay. '.repeat(
        5,
      )
    const { held } = drive.stream(tokens(text))
    assert.ok(Math.max(...held) <= 24, `${Math.max(...held)}`)
    assert.ok(held.reduce((sum, n) => sum + n, 0) / held.length <= 7)
  })
})
