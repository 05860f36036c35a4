/** Numbers with commas in transcripts, and in HL7, streamed as buffered. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadPlugin } from '../../../core/engine/host/loader.ts'
import { Drive } from '../../eval/drive.ts'

const drive = new Drive(await loadPlugin('pii', process.cwd()))

const FOUND: readonly (readonly [text: string, value: string])[] = [
  ['okay uh so the JMBG is, um, 250, 694, 972, 9883. yeah.', '250, 694, 972, 9883'],
  ["Agent: the NHS number please? Caller: sure, it's 637, 770, 9269. Agent: thanks", '637, 770, 9269'],
  ['alors euh, numéro AVS, c’est 756, 8655, 5473, 30, voilà.', '756, 8655, 5473, 30'],
  ['eh sí, mire, número ITIN, es el 975, 507, 612, eso es.', '975, 507, 612'],
  ['ähm ja, AHV-Nummer, das ist 756, 365, 412, 2045, genau.', '756, 365, 412, 2045'],
  ['the Brazilian driving licence (CNH) is, um, 748, 037, 171, 33.', '748, 037, 171, 33'],
  ['é, então, CNH, é 711 - 298 - 821 - 97, isso mesmo.', '711 - 298 - 821 - 97'],
  ['PID|1||9275916659^^^NHS number^NH||Mercer^Denise||19611018|F', '9275916659'],
  ['PID|1||4136 518 414^^^ontario_health_card_number||Carver^Owen', '4136 518 414'],
]

const NONE: readonly string[] = [
  'the tax codes are 1257, 1100, 850 and 45',
  'the NHS numbers of the years: 2019, 2020, 2021, 2022',
  'Her SIN covers it; the answer to the sum is 120, 300, 4500, 12 in turn',
  'insurance number: pages 120, 300, 450, 12',
  'the total is 1, 200, 300, 400',
  '4136518414^^^visit number||x',
  '4136518414^2 is large, the SIN of it small',
]

describe('numbers in transcripts and in HL7', () => {
  for (const [text, value] of FOUND) {
    it(`are found in ${text}`, () => {
      const start = text.indexOf(value)
      const { findings } = drive.next().input(text)
      assert.ok(findings.some((one) => one.start <= start && one.end >= start + value.length))
      const { output } = drive.next().reply(text)
      assert.ok(!output.includes(value.slice(0, 3)), output)
      assert.equal(drive.next().stream([...text]).output, output)
    })
  }

  for (const text of NONE) it(`are none in ${text}`, () => assert.equal(drive.next().reply(text).output, text))
})
