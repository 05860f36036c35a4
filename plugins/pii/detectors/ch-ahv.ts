import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const chAhv: Detector = {
  type: 'ch_ahv',
  title: 'AHV number',
  level: 'RESTRICTED',
  region: 'CH',
  check: 'prefix 756, EAN-13',
  patterns: ['756[. ]?\\d{4}[. ]?\\d{4}[. ]?\\d{2}'],
  context: ['ahv', 'avs', 'ahv-nummer', 'ahvn13', 'numéro avs', 'sozialversicherungsnummer'],
  judge: (m) => (validator.isEAN(m.digits) ? 0.95 : m.named()),
}
