import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const beNrn: Detector = {
  type: 'be_nrn',
  title: 'National register number',
  level: 'RESTRICTED',
  region: 'BE',
  check: 'date of birth, key modulo 97',
  patterns: ['\\d{11}', '\\d{2}[. \\-]\\d{2}[. \\-]\\d{2}[ \\-]\\d{3}[. \\-]\\d{2}', '\\d{6}[ \\-]\\d{3}[. \\-]\\d{2}'],
  context: words(`
    rijksregisternummer, rijksregister, numéro national, registre national, numéro de registre national, nrn, niss,
    insz, national register, national number, rrn
  `),
  judge(m) {
    if (m.digitCount !== 11 || m.isJoined) return 0
    if (!isShortDate(m.digits) || !validator.isTaxID(m.digits, 'nl-BE')) return m.named()
    if (m.contextBefore() > 0) return 0.97
    return m.isOtherNumber ? 0 : m.end - m.start > 11 ? 0.9 : 0.64
  },
}
