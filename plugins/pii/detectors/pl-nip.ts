import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const plNip: Detector = {
  type: 'pl_nip',
  title: 'Tax number (NIP)',
  level: 'RESTRICTED',
  region: 'PL',
  check: 'check digit; undivided only in context',
  patterns: ['\\d{10}', '\\d{3}-\\d{3}-\\d{2}-\\d{2}', '\\d{3}-\\d{2}-\\d{2}-\\d{3}'],
  context: ['nip', 'numer nip', 'nr nip', 'identyfikacji podatkowej', 'tax id'],
  judge(m) {
    if (m.digitCount !== 10 || m.isJoined) return 0
    const near = m.contextBefore()
    if (near === 0 && m.end - m.start === 10) return 0
    if (!validator.isTaxID(m.digits, 'pl-PL')) return m.named()
    return near > 0 ? 0.9 : 0.7
  },
}
