import { isDayOfYear, isTrivial } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const plPesel: Detector = {
  type: 'pl_pesel',
  title: 'PESEL',
  level: 'RESTRICTED',
  region: 'PL',
  check: 'date of birth, check digit',
  patterns: ['\\d{11}', '\\d{6} \\d{5}'],
  context: ['pesel', 'numer pesel', 'nr pesel', 'personal identification number', 'national id'],
  judge(m) {
    if (m.digitCount !== 11 || isTrivial(m.digits)) return 0
    const { digits } = m
    // The month encodes the century: +80, 0, +20, +40, +60.
    if (
      !isDayOfYear(Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6))) ||
      !validator.isTaxID(digits, 'pl-PL')
    )
      return m.named()
    const near = m.contextBefore()
    return near > 0 ? 0.8 + near * 0.19 : m.isOtherNumber || m.isJoined ? 0 : 0.62
  },
}
