import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const frTaxId: Detector = {
  type: 'fr_tax_id',
  title: 'Tax number (SPI)',
  level: 'RESTRICTED',
  region: 'FR',
  check: 'key modulo 511',
  patterns: ['[0-3]\\d{12}', '[0-3]\\d \\d{2}( \\d{3}){3}'],
  context: words(`
    numéro fiscal, numero fiscal, spi, identifiant fiscal, nif, référence fiscale, impôts, tax id, tax number, tin
  `),
  judge(m) {
    if (m.digitCount !== 13) return 0
    if (!validator.isTaxID(m.digits, 'fr-FR')) return m.named()
    return m.contextBefore() > 0 ? 0.9 : m.end - m.start > 13 ? 0.75 : 0
  },
}
