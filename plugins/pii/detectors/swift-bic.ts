import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const swiftBic: Detector = {
  type: 'swift_bic',
  title: 'SWIFT/BIC in context',
  level: 'CONFIDENTIAL',
  check: 'ISO 9362 with a known country; in context',
  onlyInContext: true,
  patterns: ['[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?', '[a-z]{6}[a-z0-9]{2}([a-z0-9]{3})?'],
  context: words(`
    swift, bic, swift code, bic code, swift bic, bank code, bank identifier, iban, wire, bankleitzahl, code banque
  `),
  judge(m) {
    // A word in small letters, such as "declaration", is none.
    if (!validator.isBIC(m.compact) || /^[a-z]+$/.test(m.value)) return 0
    const near = m.contextBefore()
    // "swift" itself is a word. So small letters, or distant context, need more evidence.
    return near > (/[a-z]/.test(m.value) ? 0.97 : 0.8) ? 0.9 : 0
  },
}
