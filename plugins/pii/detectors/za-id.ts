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
  patterns: ['\\d{6} ?\\d{4} ?[012]\\d{2}'],
  context: ['id number', 'south african id', 'identity number', 'rsa id', 'sa id', 'id no'],
  judge(m) {
    if (m.isJoined) return 0
    if (!isShortDate(m.digits) || !validator.isLuhnNumber(m.digits)) return m.named()
    return m.contextBefore() > 0 ? 0.95 : 0
  },
}
