import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const noFnr: Detector = {
  type: 'no_fnr',
  title: 'Fødselsnummer',
  level: 'RESTRICTED',
  region: 'NO',
  check: 'date of birth, two check digits',
  patterns: ['\\d{6} ?\\d{5}'],
  context: ['fødselsnummer', 'fodselsnummer', 'fnr', 'personnummer', 'd-nummer', 'norwegian id'],
  judge(m) {
    if (m.digitCount !== 11 || m.isJoined) return 0
    if (!validator.isIdentityCard(m.digits, 'NO')) return m.named()
    return m.contextBefore() > 0 ? 0.95 : m.isOtherNumber ? 0 : 0.61
  },
}
