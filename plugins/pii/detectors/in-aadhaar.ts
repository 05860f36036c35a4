import { isTrivial } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const inAadhaar: Detector = {
  type: 'in_aadhaar',
  title: 'Aadhaar',
  level: 'RESTRICTED',
  region: 'IN',
  check: 'Verhoeff; undivided only in context',
  patterns: ['\\d{12}', '\\d{4}[ \\-.:_]\\d{4}[ \\-.:_]\\d{4}', '[2-9]([ \\-]\\d){11}'],
  context: words(`
    aadhaar, aadhar, adhaar, adhar, uidai, uid, aadhaar number, aadhaar no, aadhaar card, आधार
  `),
  judge(m) {
    if (m.digitCount !== 12 || m.isJoined) return 0
    const near = m.contextBefore()
    if (near === 0 && (m.end - m.start === 12 || m.isOtherNumber || m.isAmount || m.isInRun)) return 0
    if (!/^[2-9]/.test(m.digits) || isTrivial(m.digits) || !validator.isIdentityCard(m.digits, 'IN')) return m.named()
    return near > 0 ? 0.97 : 0.75
  },
}
