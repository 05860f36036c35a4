import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const zaId: Detector = {
  type: 'za_id',
  title: 'Identity number',
  level: 'RESTRICTED',
  region: 'ZA',
  check: 'date of birth, Luhn, in context',
  onlyInContext: true,
  patterns: ['\\d{6} ?\\d{4} ?[012]\\d ?\\d'],
  context: ['id number', 'south african id', 'identity number', 'rsa id', 'sa id', 'id no'],
  judge(m) {
    if (m.isJoined) return 0
    if (!isShortDate(m.digits) || !validator.isLuhnNumber(m.digits)) return m.named()
    return m.contextBefore() > 0 ? 0.95 : 0
  },
}

/** `copy of ID 6308032945181`: in capitals, since ids of programs are times in milliseconds, too. */
export const zaIdShort: Detector = {
  ...zaId,
  check: 'date of birth, Luhn, right behind an abbreviation',
  contextGroup: 'za_id/id',
  context: ['id'],
  judge(m) {
    if (
      m.isJoined ||
      !/^[ :]{1,2}$/.test(m.sinceContext) ||
      !m.text.startsWith('ID', m.start - m.sinceContext.length - 2)
    )
      return 0
    return isShortDate(m.digits) && validator.isLuhnNumber(m.digits) && m.contextBefore() > 0.95 ? 0.8 : 0
  },
}
