import validator from 'validator'
import { isTrivial } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

export const inAadhaar: Detector = {
  type: 'in_aadhaar',
  title: 'Aadhaar',
  level: 'RESTRICTED',
  region: 'IN',
  check: 'Verhoeff; undivided only in context',
  patterns: ['[2-9]\\d{11}', '[2-9]\\d{3}[ \\-.:]\\d{4}[ \\-.:]\\d{4}', '[2-9]([ \\-]\\d){11}'],
  context: words(`
    aadhaar, aadhar, adhaar, adhar, uidai, uid, aadhaar number, aadhaar no, aadhaar card, आधार
  `),
  judge(m) {
    if (m.digitCount !== 12 || isTrivial(m.digits) || !validator.isIdentityCard(m.digits, 'IN') || m.isJoined) return 0
    if (m.context() > 0) return 0.97
    return m.end - m.start > 12 && !m.isOtherNumber ? 0.75 : 0
  },
}
