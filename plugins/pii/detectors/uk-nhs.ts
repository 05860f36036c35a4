import { isTrivial, weightedSum } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** Modulus 11 over the first nine digits (NHS Data Dictionary, NHS NUMBER). */
function isNhs(digits: string): boolean {
  const check = (11 - (weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  return digits.length === 10 && check < 10 && check === Number(digits[9]) && !isTrivial(digits)
}

const GROUPED = /^\d{3}([ \-.])\d{3}\1\d{4}$/

export const ukNhs: Detector = {
  type: 'uk_nhs',
  title: 'NHS number',
  level: 'RESTRICTED',
  region: 'GB',
  check: 'modulus 11; undivided only in context',
  patterns: ['\\d{3}[ \\-.]\\d{3}[ \\-.]\\d{4}', '\\d{10}', '\\d([ \\-]\\d){9}'],
  context: words(`
    nhs, nhs number, nhs ref, nhs ref no, nhs no, national health, health service, patient, gp, hospital
  `),
  judge(m) {
    if (m.digitCount !== 10 || m.isJoined) return 0
    const near = m.contextBefore()
    if (near === 0 && (!GROUPED.test(m.value) || m.isOtherNumber || m.isAmount || m.isInRun)) return 0
    if (!isNhs(m.digits)) return m.named()
    return near > 0 ? 0.8 + near * 0.19 : 0.72
  },
}
