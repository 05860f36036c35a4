/** Values that a line break cuts, as mails, terminals and calendars wrap them: found whole, and in a stream however it is cut. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { some } from '../../helpers/rounds.ts'

const drive = new Drive(pii, { action: 'redact' })
const BREAKS = ['\n', '\r\n', '\n> ', '\r\n> > ', '\n    ']
const VALUES: readonly [type: string, label: string, value: string][] = [
  ['IBAN', 'IBAN: ', 'DE89 3704 0044 0532 0130 00'],
  ['IBAN', 'Pay ', 'GB29 NWBK 6016 1331 9268 19'],
  ['IBAN', 'Pay ', 'FR14 2004 1010 0505 0001 3M02 606'],
  ['CREDIT_CARD', 'Pay ', '4111 1111 1111 1111'],
  ['CREDIT_CARD', 'Pay ', '3714 496353 98431'],
  ['US_SSN', 'SSN: ', '219- 09- 9999'],
  ['US_SSN', 'SSN: ', '219 09 9999'],
  ['PHONE', 'Tel: ', '415- 555- 2671'],
  ['PHONE', 'Tel: ', '(415) 555- 2671'],
  ['EMAIL', 'to ', 'ann.smith@ example.com'],
]

/** Each with one of its blanks as a break, the others as they are, or without them after a hyphen or an at sign. */
const CASES = VALUES.flatMap(([type, label, value], row) => {
  const parts = value.split(' ')
  const all = parts.slice(1).flatMap((_, i) =>
    BREAKS.map((lines) => {
      const join = (some: readonly string[]): string => some.join(' ').replace(/([-@]) /g, '$1')
      return [type, label, `${join(parts.slice(0, i + 1))}${lines}${join(parts.slice(i + 1))}`] as const
    }),
  )
  return some(all, 7, row)
})

describe('pii: a value over two lines', () => {
  for (const [type, label, value] of CASES) {
    it(`is one: ${JSON.stringify(label + value)}`, () => {
      const text = `${label}${value}, thanks`
      const expected = `${label}[${type}], thanks`
      assert.equal(drive.next().reply(text).output, expected)
      assert.equal(drive.next().stream([...text]).output, expected)
      for (let at = 1; at < text.length; at++)
        assert.equal(drive.next().stream([text.slice(0, at), text.slice(at)]).output, expected, `cut at ${at}`)
    })
  }

  it('may be a folded address, but ends with a whole domain', () => {
    for (const [text, expected] of [
      ['ATTENDEE:mailto:ann.smith@exa\r\n mple.com\r\nEND', 'ATTENDEE:mailto:[EMAIL]\r\nEND'],
      ['mail ann@example.c\n om and', 'mail [EMAIL] and'],
      ['mail ann@example.com\n next.com is', 'mail [EMAIL]\n next.com is'],
    ] as const) {
      assert.equal(drive.next().reply(text).output, expected)
      assert.equal(drive.next().stream([...text]).output, expected)
    }
  })

  it('is none in rows of a table', () => {
    const text = 'Rows:\n    4111 1111\n    1111 1111\n    2000 3000\n'
    assert.equal(drive.next().reply(text).output, text)
    assert.equal(drive.next().stream([...text]).output, text)
  })
})
