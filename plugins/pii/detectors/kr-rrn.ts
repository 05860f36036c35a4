import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** Numbers since October 2020 have no check digit. If the hyphen is written, a valid date suffices. */
export const krRrn: Detector = {
  type: 'kr_rrn',
  title: 'Resident registration number',
  level: 'RESTRICTED',
  region: 'KR',
  check: 'date of birth, sex digit; undivided only in context',
  patterns: ['\\d{6}-?\\d{7}', '\\d{6} [1-8]\\d{6}'],
  context: words(`
    rrn, resident registration, resident registration number, 주민등록번호, 주민번호, 외국인등록번호, alien registration, korean id
  `),
  judge(m) {
    if (m.digitCount !== 13 || m.isJoined) return 0
    if (!isShortDate(m.digits)) return m.named()
    if (m.contextBefore() > 0) return 0.95
    if (m.isOtherNumber) return 0
    return SEX.test(m.value) ? 0.85 : 0
  },
}

/** 9 and 0, of persons born before 1900, only in context. */
const SEX = /-[1-8]/
