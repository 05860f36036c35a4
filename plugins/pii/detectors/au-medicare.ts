import { weightedSum } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'

const WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9]

/** The ninth digit checks the first eight (Services Australia). An individual reference number may follow. */
export const auMedicare: Detector = {
  type: 'au_medicare',
  title: 'Medicare number',
  level: 'RESTRICTED',
  region: 'AU',
  check: 'weights modulo 10; undivided only in context',
  patterns: ['[2-6]\\d{9,10}', '[2-6]\\d{9} ?/ ?\\d', '[2-6]\\d{3}[ \\-]\\d{5}[ \\-]\\d(([ /\\-]| / )\\d)?'],
  context: ['medicare', 'medicare number', 'medicare no', 'medicare card', 'medicare card number', 'mcn'],
  judge(m) {
    if (m.digitCount < 10 || m.digitCount > 11 || m.isJoined) return 0
    const near = m.contextBefore()
    if (near === 0 && (m.end - m.start <= 11 || m.isOtherNumber || m.isInRun)) return 0
    if (weightedSum(m.digits, WEIGHTS) % 10 !== Number(m.digits[8])) return m.named()
    return near > 0 ? 0.95 : 0.7
  },
}
