import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'

/** Numbers since 2007 need not satisfy modulo 11, so date and context must suffice. */
export const dkCpr: Detector = {
  type: 'dk_cpr',
  title: 'CPR number',
  level: 'RESTRICTED',
  region: 'DK',
  check: 'date of birth; undivided only in context',
  patterns: ['\\d{6}[ \\-]?\\d{4}'],
  context: ['cpr', 'cpr-nummer', 'cpr nummer', 'cpr-nr', 'personnummer', 'danish id', 'cpr number'],
  judge(m) {
    if (m.digitCount !== 10 || m.isJoined) return 0
    const near = m.contextBefore()
    if (near === 0 && (!m.value.includes('-') || m.isOtherNumber)) return 0
    if (!isShortDate(m.digits, 'dmy')) return m.named()
    return near > 0 ? 0.9 : 0.6
  },
}
