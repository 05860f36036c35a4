/** Short and local names of national identifiers; some count only with the shape of their number. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const drive = new Drive(pii, { action: 'redact' })
const gone = (text: string, value: string) => {
  const { output } = drive.next().reply(text)
  assert.ok(!output.includes(value), output)
  assert.equal(drive.next().stream([...text]).output, output)
}

const FOUND: readonly (readonly [text: string, value: string])[] = [
  ['health card number = 9706 234 374 KE', '9706 234 374 KE'],
  ["const health_number = '3527275069'", '3527275069'],
  ['EPIC: ETQ1251412', 'ETQ1251412'],
  ['Her SSS: 21-5641770-9, please update.', '21-5641770-9'],
  ['{"r_g":"31.830.043-6"}', '31.830.043-6'],
  ['the customer gave NHI DAV1635 over the phone', 'DAV1635'],
  ['CI del titular: V-48342736', 'V-48342736'],
  ['{"c_i":"8.912.184-9"}', '8.912.184-9'],
  ['Agent: What is your NIT?\nCustomer: 970405182-5', '970405182-5'],
  ['C.C. No. 1.593.993.195', '1.593.993.195'],
  ['R.Č. 740620/9525', '740620/9525'],
  ['KRA PIN for Jane is A079958951R', 'A079958951R'],
  ['P.I. : 12252013896', '12252013896'],
  ['Partita I.V.A. [61756116234]', '61756116234'],
  ['the Peruvian ID is 28470510', '28470510'],
  ['Estonian ID code 46904061385', '46904061385'],
  ['HMRC tax reference: 15419 83441', '15419 83441'],
  ['BPA-Nr.: VH77G591F', 'VH77G591F'],
  ['Seriennummer des Personalausweises – NF52G8791', 'NF52G8791'],
  ['eGK-Nr.: E428483093', 'E428483093'],
  ['B.S.N. 2029.70.760', '2029.70.760'],
  ['DO nr: AKB052983', 'AKB052983'],
  ['PP no.: 310701204', '310701204'],
  ['CI n. AV01920RR', 'AV01920RR'],
  ['C.N.P.J. 85233057000193', '85233057000193'],
  ['Medicare claim number 8EA7-GW1-NN20', '8EA7-GW1-NN20'],
  ['Colombian tax ID: 949177381-3', '949177381-3'],
  ['rodné č. 915101/3586', '915101/3586'],
  ["driver's lic. # A4471882", 'A4471882'],
  ['Krankenkassennr.: S953025885', 'S953025885'],
  ['N.º Seg. Social 35-34791096-31', '35-34791096-31'],
  ['16970732091 = PIS', '16970732091'],
  ['ת"ז 244370573', '244370573'],
  ['เลขบัตร ปชช. 8 9144 21024 63 2', '8 9144 21024 63 2'],
]

describe('national identifiers', () => {
  for (const [text, value] of FOUND) it(`are found in ${text}`, () => gone(text, value))

  for (const text of [
    'EPIC-99737: migrate the table of 648113 rows',
    'Epic 93440 has 993703 story points',
    'sss 994623',
    'Test: r.g. 8276, e.g. 998958',
    'the health number of the node is 99986',
    'p.i ≈ 3.995379957',
    'NHI budget 123456',
    'c c0 81 0 0 0 0 0 90 ff',
    'ci build 1234567',
  ])
    it(`are none in ${text}`, () => assert.equal(drive.next().reply(text).output, text))
})
