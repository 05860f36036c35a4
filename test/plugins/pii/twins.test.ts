/** Two numbers of one form with a joint between them are two values, not one longer number. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const drive = new Drive(pii, {})

const outputs = (text: string) => [
  drive.next().input(text).output,
  drive.next().stream([...text]).output,
  ...Array.from(text, (_, at) => drive.next().stream([text.slice(0, at), text.slice(at)]).output),
]

it('both are found', () => {
  for (const text of [
    'Taxpayers 212-55-1234/323-66-2345 file jointly',
    'SSNs: 212-55-1234/323-66-2345',
    '4111111111111111/5500005555555559',
    '4111-1111-1111-1111/5500-0055-5555-5559',
    'Tel: 415-555-2671/415-555-2672',
    'Tel: 212-267-3026/212-267-3027/212-267-3028',
    'Tel: (415) 555-2671/(415) 555-2672',
  ])
    for (const output of outputs(text)) assert.ok(!/\d{3}/.test(output), output)
})

it('other numbers stay', () => {
  for (const text of ['1.2.3-4.5.6', '2024-05-01/2024-06-01', '100000001/200000002', '4111111111111111/1234567890'])
    for (const output of outputs(text)) assert.equal(output, text)
})

it('a stream waits for a second number only as long as it may have the form of the first', () => {
  const { held } = drive.next().stream(['at 212-267-3026/9', '9 we meet', ' again'])
  assert.ok(held[1]! < 12, String(held))
})

it('numbers in components of HL7 are no powers', () => {
  for (const text of ['|M|||||(206)334-5232^PRN^PH|', '|(415)555-2671^PRN^CP~(212)555-2671^PRN^PH', '|4155552671^^PH'])
    for (const output of outputs(`phone ${text}`)) assert.ok(!/\d{3}/.test(output), output)
  for (const text of ['tel 4155552671^n', 'tel 4155552671^2 = x']) assert.equal(drive.next().input(text).output, text)
})
