import validator from 'validator'
import type { Detector } from '../engine/detector.ts'

export const plNip: Detector = {
  type: 'pl_nip',
  title: 'Tax number (NIP)',
  level: 'RESTRICTED',
  region: 'PL',
  check: 'check digit; undivided only in context',
  patterns: ['\\d{10}', '\\d{3}-\\d{3}-\\d{2}-\\d{2}', '\\d{3}-\\d{2}-\\d{2}-\\d{3}'],
  context: ['nip', 'numer nip', 'nr nip', 'identyfikacji podatkowej', 'tax id'],
  judge(m) {
    if (m.digitCount !== 10 || !validator.isTaxID(m.digits, 'pl-PL')) return 0
    return m.contextBefore() > 0 ? 0.9 : m.end - m.start > 10 && !m.isJoined ? 0.7 : 0
  },
}
