import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const itCodiceFiscale: Detector = {
  type: 'it_codice_fiscale',
  title: 'Codice fiscale',
  level: 'RESTRICTED',
  region: 'IT',
  check: 'structure, check letter',
  fewestDigits: 3,
  patterns: [
    '[A-Za-z]{6}\\w{2}[A-Za-z]\\w{2}[A-Za-z]\\w{3}[A-Za-z]',
    // Capitals only; otherwise a stream would wait at "How are" and "The law".
    '[A-Z]{3} [A-Z]{3} \\w{2}[A-Za-z]\\w{2} [A-Za-z]\\w{3} ?[A-Za-z]',
    '[A-Z]{6} \\d{2}[A-Z]\\d{2} [A-Z]\\d{3} ?[A-Z]',
  ],
  context: ['codice fiscale', 'c.f', 'cf', 'cod. fisc', 'tax code', 'fiscal code'],
  judge(m) {
    if (m.compactCount !== 16 || m.digitCount < 3) return 0
    if (validator.isTaxID(m.compact, 'it-IT')) return 1
    return m.digitCount === 7 &&
      /^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/.test(m.compact) &&
      m.contextBefore() > 0.7
      ? 0.7
      : 0
  },
}
