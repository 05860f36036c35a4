/** What stands directly beside a value does not hide it: punctuation and letters of other scripts, names in snake_case. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { normalise } from '../../../core/engine/text/unicode.ts'
import { DETECTORS } from '../../../plugins/pii/detectors/index.ts'
import { Scanner } from '../../../plugins/pii/engine/scanner.ts'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { diagonal, rounds } from '../../helpers/rounds.ts'

const everything = new Scanner(DETECTORS)
const drive = new Drive(pii, {
  action: 'redact',
  words: [{ type: 'bird', words: ['Blue Heron', 'falcon'], level: 'RESTRICTED' }],
})

function isCovered(text: string, start: number, end: number): boolean {
  let at = start
  for (const hit of everything.scan(text, 0, true).hits) if (hit.start <= at && hit.end > at) at = hit.end
  return at >= end
}

/** Buffered, and in a stream of single characters. */
function assertGone(text: string, value: string): void {
  const whole = drive.next().reply(text).output
  assert.ok(!whole.includes(value), whole)
  assert.equal(drive.next().stream([...text]).output, whole)
}

const VALUES = {
  iban: 'DE89370400440532013000',
  grouped: 'DE89 3704 0044 0532 0130 00',
  card: '4111 1111 1111 1111',
  undivided: '4111111111111111',
  ssn: '212-55-1234',
  email: 'jo.smith@example.com',
  phone: '+49 30 12345678',
  area: '(415) 555-2671',
  ip: '84.23.11.9',
  ipv6: '2001:db8:85a3::8a2e:370:7334',
  mac: '00:1B:44:11:3A:B7',
  nino: 'AB123456C',
  fiscal: 'RSSMRA85T10A562S',
  wallet: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
} as const
type Name = keyof typeof VALUES
const NAMES = Object.keys(VALUES) as Name[]

describe('pii: a sign directly beside a value', () => {
  const DASHES = /^[-.]/
  /** Where a sign says that the number is another, or goes on. */
  const HIDDEN: readonly (readonly [names: readonly Name[], before: RegExp, behind: RegExp, why: string])[] = [
    [['area'], /^[#$€£¥<=]/, /^%/, 'an amount, a comparison or a number of an issue'],
    [['phone'], /^[.<=]$/, /^%/, 'decimals, a comparison'],
    [['card'], /^\+/, /^$/, 'the code of a country'],
    [['ip'], new RegExp(`${DASHES.source}|^§|\\.$`), /^$/, 'a version or a section'],
    [['ipv6'], /:$/, /^:/, 'more groups'],
  ]

  it('does not hide it, whatever character that is no letter, mark, number or connector', () => {
    for (let code = 0; code < 0x20000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const char = String.fromCodePoint(code)
      if (/[\p{L}\p{M}\p{N}\p{Pc}\p{Cn}\p{Co}]/u.test(char)) continue
      const read = normalise(`: ${char}`).text.slice(2)
      // Signs that are read as letters or digits: `℡`, `᙮` (x).
      if (/[\p{L}\p{N}]/u.test(read)) continue
      if (/[\p{L}\p{N}]/u.test(normalise(`1${char}`).text.slice(1))) continue
      for (const name of diagonal(NAMES, code)) {
        const value = VALUES[name]
        const of = HIDDEN.filter(([names]) => names.includes(name))
        const label = 'Here it is: '
        const before = normalise(`${label}${char}${value} ok`).text
        const start = before.lastIndexOf(value)
        if (!of.some(([, signs]) => signs.test(read)) && start >= 0)
          assert.ok(isCovered(before, start, start + value.length), `U+${code.toString(16)} before ${name}`)
        const behind = normalise(`${label}${value}${char} ok`).text
        // The sign may go on with the value: `U+0301`.
        if (of.some(([, , signs]) => signs.test(read)) || !behind.startsWith(`${label}${value}`)) continue
        assert.ok(isCovered(behind, label.length, label.length + value.length), `U+${code.toString(16)} behind ${name}`)
      }
    }
  })

  for (const [text, value] of [
    ['मेरा कार्ड 4111 1111 1111 1111।', '1111'],
    ['আমার IBAN DE89370400440532013000।', 'DE89'],
    ['SSN 212-55-1234॥', '1234'],
    ['හිමිකරු AB123456C෴', 'AB123456C'],
    ['համար 84.23.11.9՝', '84.23'],
    ['IBAN DE89370400440532013000॰', 'DE89'],
  ] as const)
    it(`does not hide the value in ${text}`, () => assertGone(text, value))
})

describe('pii: letters of scripts that write prefixes onto a word', () => {
  const LETTERS = [...'לבהمفيرقमेराনমকகணഅ', 'է', 'ը']
  const name = fc.constantFrom<Name>('iban', 'grouped', 'card', 'undivided', 'ssn', 'phone', 'ip', 'nino', 'wallet')
  const word = fc.array(fc.constantFrom(...LETTERS), { maxLength: 5 }).map((letters) => letters.join(''))

  it('do not hide a value, before it and behind it, buffered and streamed', () => {
    fc.assert(
      fc.property(word, name, word, (before, name, behind) =>
        assertGone(`no ${before}${VALUES[name]}${behind}.`, VALUES[name]),
      ),
      { numRuns: rounds(400) },
    )
  })

  it('belong to the words of operators', () => {
    const hebrew = new Drive(pii, { action: 'redact', words: [{ type: 'bird', words: ['עיט'], level: 'RESTRICTED' }] })
    assert.equal(hebrew.next().reply('עיט').output, '[BIRD]')
    assert.equal(hebrew.next().reply('עיטים').output, 'עיטים')
  })

  it('of Latin, Greek and Cyrillic go on with a word', () => {
    for (const text of ['xDE89370400440532013000', 'DE89370400440532013000x', 'я212-55-1234', '84.23.11.9α'])
      assert.deepEqual(everything.scan(text, 0, true).hits, [], text)
  })
})

describe('pii: a value inside snake_case', () => {
  for (const name of ['iban', 'undivided', 'ssn', 'phone', 'area', 'nino', 'fiscal', 'wallet'] as const) {
    for (const [before, behind] of [
      ['scan_', '.pdf'],
      ['x_', ''],
      ['call_', ' '],
      ['a_', '_b'],
    ])
      it(`is found: ${before}${VALUES[name]}${behind}`, () =>
        assertGone(`${before}${VALUES[name]}${behind}`, VALUES[name]))
  }

  it('is found behind the name of another number, if it has check digits of its own', () =>
    assertGone('invoice_DE89370400440532013000.pdf', 'DE89'))

  for (const text of ['see _Blue Heron_ now', 'my_blue_heron_2', 'x_Falcon', '__falcon__'])
    it(`has words of operators: ${text}`, () => assert.match(drive.next().reply(text).output, /\[BIRD\]/))

  for (const text of ['my_blueheron', 'x_falcons', 'order_id', 'test_Mai_1990'])
    it(`is none: ${text}`, () => assert.equal(drive.next().reply(text).output, text))
})

it('pii: vertical tabs and form feeds between groups do not hide a value', () => {
  for (const blank of ['\v', '\f'])
    for (const value of ['4111 1111 1111 1111', 'SSN 212 55 1234', 'DE89 3704 0044 0532 0130 00', '+49 30 12345678'])
      assertGone(value.replaceAll(' ', blank), value.slice(-4))
})
