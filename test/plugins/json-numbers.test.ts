/** A number that is hidden in JSON, as in structured replies, leaves JSON behind: whole, and in a stream however it is cut. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../plugins/pii/index.ts'
import { Drive } from '../eval/drive.ts'

const CARD = 4111111111111111
const OTHER = 5555555555554444
const drive = new Drive(pii, { action: 'redact' })
const whole = (text: string) => drive.next().reply(text).output
const cut = (text: string, at: number) => drive.next().stream([text.slice(0, at), text.slice(at)]).output
const asked = (text: string) => drive.next().input(text).output
const [card, phone] = ['[CREDIT_CARD]', '[PHONE]']

const DOCUMENTS: readonly [value: unknown, hidden: unknown][] = [
  [{ card: CARD }, { card }],
  [
    { n: 1, phone: 4155552671, more: true },
    { n: 1, phone, more: true },
  ],
  [
    { cards: [CARD, 12, OTHER], n: [] },
    { cards: [card, 12, card], n: [] },
  ],
  [
    [CARD, OTHER],
    [card, card],
  ],
  [
    [
      [1, CARD],
      [2, OTHER],
    ],
    [
      [1, card],
      [2, card],
    ],
  ],
  [{ text: `The card ${CARD}` }, { text: `The card ${card}` }],
  [{ 'C:\\': CARD }, { 'C:\\': card }],
  [
    ['x, y', null, { a: [1] }, CARD, true, OTHER],
    ['x, y', null, { a: [1] }, card, true, card],
  ],
  [{ list: ['a "quote"', CARD, 'z'] }, { list: ['a "quote"', card, 'z'] }],
]

describe('numbers of JSON in a text', () => {
  for (const [value, hidden] of DOCUMENTS) {
    for (const space of [0, 2]) {
      const text = JSON.stringify(value, null, space)
      it(`are replaced by strings: ${JSON.stringify(value)}, indented by ${space}`, () => {
        assert.deepEqual(JSON.parse(whole(text)), hidden)
        assert.deepEqual(JSON.parse(asked(text)), hidden)
        for (let at = 1; at < text.length; at++) assert.deepEqual(JSON.parse(cut(text, at)), hidden, `cut at ${at}`)
        assert.deepEqual(JSON.parse(drive.next().stream([...text]).output), hidden)
      })
    }
  }

  it('are replaced by strings of JSON within JSON', () => {
    const text = JSON.stringify({ outer: JSON.stringify({ inner: JSON.stringify({ card: CARD }) }) })
    for (const output of [whole(text), asked(text), drive.next().stream([...text]).output])
      assert.equal(JSON.parse(JSON.parse(JSON.parse(output).outer).inner).card, card)
  })

  for (const [value, hidden] of DOCUMENTS) {
    it(`are replaced by strings of indented JSON within JSON: ${JSON.stringify(value)}`, () => {
      const text = JSON.stringify({ m: JSON.stringify(value, null, 2) })
      for (const output of [whole(text), asked(text), drive.next().stream([...text]).output])
        assert.deepEqual(JSON.parse(JSON.parse(output).m), hidden, output)
    })
  }

  it('stay as they are beside quotation marks that are written otherwise, whole and in a stream', () => {
    for (const text of [
      `{"m":"{\\u0022card\\u0022:${CARD}}"}`,
      `{"m":"%22card%22: ${CARD}, x"}`,
      `{"m":"＂card＂: ${CARD}, x"}`,
    ]) {
      const expected = text.replace(String(CARD), card)
      assert.equal(whole(text), expected)
      assert.equal(drive.next().stream([...text]).output, expected)
    }
  })

  it('get no quotation marks in prose', () => {
    for (const text of [
      `Cards: ${CARD}, ${OTHER}.`,
      `My "card": it is ${CARD}`,
      `see [${CARD}, ${OTHER}]`,
      `[${CARD}](http://x)`,
      `card: ${CARD}`,
    ])
      for (const output of [whole(text), asked(text)]) assert.equal(output, text.replaceAll(/\d{16}/g, card))
  })
})
