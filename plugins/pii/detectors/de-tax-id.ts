import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const deTaxId: Detector = {
  type: 'de_tax_id',
  title: 'Tax identification number (Steuer-ID)',
  level: 'RESTRICTED',
  region: 'DE',
  check: 'digit pattern, ISO 7064 mod 11,10',
  patterns: ['[1-9]\\d{10}', '[1-9]\\d[ ./\\-]\\d{3}[ ./\\-]\\d{3}[ ./\\-]\\d{3}'],
  context: words(`
    steuer-id, steuerid, steueridentifikationsnummer, steuer-identifikationsnummer,
    steuerliche identifikationsnummer, identifikationsnummer, idnr, id-nr, tin, steuer-idnr, steuer-id-nr, tax id,
    tax identification, german tax id, steuernummer, tax number, steuer
  `),
  judge(m) {
    if (m.digitCount !== 11 || m.isJoined) return 0
    if (!validator.isTaxID(m.digits, 'de-DE')) return m.named()
    const near = m.contextBefore()
    return near > 0 ? 0.8 + near * 0.19 : m.isOtherNumber || m.isInRun ? 0 : 0.6
  },
}
