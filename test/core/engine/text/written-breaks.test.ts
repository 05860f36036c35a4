/** Line breaks that are written out are read in place where they are such for certain; and only what needs it is read twice. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FieldView } from '../../../../core/engine/text/field-view.ts'
import { Inspection } from '../../../../core/engine/text/inspection.ts'
import { normalise } from '../../../../core/engine/text/unicode.ts'
import secrets from '../../../../plugins/secrets/index.ts'
import { Drive } from '../../../eval/drive.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { origin, Stream } from '../../../helpers/text.ts'

const viewOf = (text: string): FieldView => new FieldView(new Inspection(), 1, origin, 'input', text)

const READ: readonly [text: string, read: string][] = [
  ['a;\\nb', 'a;\nb'],
  ['{\\n  a\\t}', '{\n  a\t}'],
  ['The end.\\r\\nA new line', 'The end.\r\nA new line'],
  ['one\\n\\ntwo', 'one\n\ntwo'],
  ['a;\\\\nb', 'a;\nb'],
  [`${'x;\\n'.repeat(3)}users\\nora`, `${'x;\n'.repeat(3)}users\nora`],
]
const KEPT = [
  'users\\nora@example.org',
  'C:\\new\\table',
  '..\\new',
  '\\\\nas01\\share',
  'C:\\Program Files (x86)\\nvidia',
  'pa$$\\nword',
  '\\d+\\newer',
]

describe('a line break that is written out', () => {
  for (const [text, read] of READ) it(`is read in ${text}`, () => assert.equal(normalise(text).text, read))
  for (const text of KEPT) it(`is none for certain in ${text}`, () => assert.equal(normalise(text).text, text))

  it('is none for certain where the text shows to be no JSON, or beside another number of backslashes', () => {
    assert.ok(normalise(`${'x;\\n'.repeat(3)}\\d users\\nora`).text.endsWith('users\\nora'))
    assert.ok(normalise(`${'x;\\n'.repeat(3)}users\\\\nora`).text.endsWith('users\\\\nora'))
  })

  it('is read in a stream as in a whole text, however it is cut', () => {
    const piece = fc.constantFrom(
      ';\\n',
      '.\\n',
      '\\n',
      '\\\\n',
      '\\',
      'users',
      'ora',
      'n',
      't',
      'C:',
      '\\d',
      ' ',
      '\n',
      '\u0301',
      ')',
    )
    const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), cuts, (pieces, lengths) => {
        const text = pieces.join('')
        const stream = new Stream()
        let seen = ''
        for (let at = 0, i = 0; at < text.length; i++) {
          const { view } = stream
          const end = at + (lengths[i % lengths.length] as number)
          view.append(text.slice(at, end))
          view.final = end >= text.length
          view.prepare()
          seen = seen.slice(0, view.offset) + view.text
          // Two characters wait, so that marks find their base.
          stream.inspection.reporter = { ...REPORTER }
          if (!view.final) view.hold(Math.max(0, view.text.length - 2))
          stream.inspection.reporter = undefined
          view.settle()
          at = end
        }
        assert.equal(seen, normalise(text).text, JSON.stringify([text, lengths]))
      }),
      { numRuns: rounds(3000) },
    )
  })
})

const REPORTER = {
  name: 'test',
  maxBuffered: 256,
  onHoldOverflow: 'release',
  monitored: false,
  onError: 'block',
  timeoutMs: 1000,
} as const

describe('what is read twice', () => {
  const lines = Array.from({ length: 400 }, (_, i) => `  const value${i} = "item ${i}" // of all\nreturn them`).join(
    '\n',
  )
  const share = (text: string): number =>
    viewOf(text).readings.reduce((sum, { text: read }) => sum + read.length, 0) / text.length

  for (const [name, text] of [
    ['JSON', JSON.stringify({ a: lines })],
    ['JSON within JSON', JSON.stringify({ b: JSON.stringify({ a: lines }) })],
    ['JSON of rows', JSON.stringify(lines.replace(/[^a-z0-9\n]/g, ' '))],
  ] as const)
    it(`is little of a text in ${name}`, () => assert.ok(share(text) < 0.1, `${share(text)}`))

  it('is what stands around an escape, wherever that stands', () => {
    const key = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
    const written = key.replace('_', '\\_')
    const drive = new Drive(secrets, { input: 'redact' })
    for (const before of [0, 100, 255, 256, 257, 700, 5000]) {
      for (const after of [0, 300, 5000]) {
        const [left, right] = ['word '.repeat(before / 5), ' word'.repeat(after / 5)]
        const { output } = drive.next().input(left + written + right)
        assert.ok(!output.includes('16C7e42F'), `${before} ${after}`)
        assert.ok(output.startsWith(left) && output.endsWith(right))
      }
    }
  })

  it('shows no value whose surroundings it cuts off', () => {
    const view = viewOf(`${'word '.repeat(300)}jo\\@x.org ${'word '.repeat(300)}`)
    const [reading] = view.readings
    assert.ok(reading !== undefined && reading.text.length < 1200)
    view.readings.length
    const seen = (start: number): number => {
      const { inspection } = reading as unknown as { inspection: Inspection }
      inspection.reporter = REPORTER
      reading.report({ type: 'word', start, end: start + 4, action: 'detect' })
      inspection.reporter = undefined
      return view.reports.length
    }
    assert.equal(seen(0), 0)
    assert.equal(seen(reading.text.length - 4), 0)
    assert.equal(seen(reading.text.indexOf('jo@')), 1)
  })
})
