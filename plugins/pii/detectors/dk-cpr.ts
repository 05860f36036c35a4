import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'

/** Since 2007 numbers need not satisfy modulo 11 any more: date and context must do. */
export const dkCpr: Detector = {
  type: 'dk_cpr',
  title: 'CPR number',
  level: 'RESTRICTED',
  region: 'DK',
  check: 'date of birth; undivided only in context',
  patterns: ['\\d{6}[ \\-]?\\d{4}'],
  context: ['cpr', 'cpr-nummer', 'cpr nummer', 'cpr-nr', 'personnummer', 'danish id', 'cpr number'],
  judge(m) {
    if (m.digitCount !== 10 || !isShortDate(m.digits, 'dmy') || m.isJoined) return 0
    return m.contextBefore() > 0 ? 0.9 : m.value.includes('-') && !m.isOtherNumber ? 0.6 : 0
  },
}
