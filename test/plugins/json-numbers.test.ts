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
const [card, phone, place] = ['[CREDIT_CARD]', '[PHONE]', '[COORDINATES]']

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
  [{ phone: -4155552671 }, { phone }],
  [
    { latitude: 39.5296329, longitude: -119.8138027, zoom: -12.5 },
    { latitude: place, longitude: place, zoom: -12.5 },
  ],
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

  for (const [text, hidden] of [
    [`{"card":${CARD}.0, "n": -1.5e-7}`, { card, n: -1.5e-7 }],
    [`{"card":-${CARD}.00}`, { card }],
    ['[-87.824919,69.538927]', [place, place]],
    ['{"at": [-87.824919, 69.538927], "to": []}', { at: [place, place], to: [] }],
    ['{"a":"b","at":{"x":[87.824919,-69.538927],"n":[-1,-2.5]}}', { a: 'b', at: { x: [place, place], n: [-1, -2.5] } }],
  ] as const) {
    it(`are replaced with sign and fraction, each element of a list by itself: ${text}`, () => {
      assert.deepEqual(JSON.parse(whole(text)), hidden)
      assert.deepEqual(JSON.parse(asked(text)), hidden)
      for (let at = 1; at < text.length; at++) assert.deepEqual(JSON.parse(cut(text, at)), hidden, `cut at ${at}`)
      assert.deepEqual(JSON.parse(drive.next().stream([...text]).output), hidden)
    })
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

  it('have tokens that messages of the same request may repeat', () => {
    const text = '{"phone": -4155552671, "at": [-87.824919,69.538927]}'
    const tokenizing = new Drive(pii, { action: 'tokenize' })
    const { phone, at } = JSON.parse(tokenizing.input(text).output)
    const again = tokenizing.next()
    const [, repeated] = again.messages(
      [text, `${phone} ${at.join(' ')}`].map((text) => ({ role: 'user', text })),
    ).findings
    assert.deepEqual(
      repeated!.filter(({ action }) => action !== 'detect'),
      [],
    )
    assert.equal(JSON.parse(text).phone, Number(tokenizing.reply(phone).output))
    assert.deepEqual(
      at.map((token: string) => Number(tokenizing.reply(token).output)),
      [-87.824919, 69.538927],
    )
  })

  it('get no quotation marks in prose', () => {
    for (const text of [
      `Cards: ${CARD}, ${OTHER}.`,
      `My "card": it is ${CARD}`,
      `see [${CARD}, ${OTHER}]`,
      `[${CARD}](http://x)`,
      `[-${CARD}](http://x)`,
      `card: -${CARD}.`,
      `card: ${CARD}`,
    ])
      for (const output of [whole(text), asked(text), drive.next().stream([...text]).output])
        assert.equal(output, text.replaceAll(/\d{16}/g, card))
  })
})
