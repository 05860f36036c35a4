import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

const bic = {
  type: 'swift_bic',
  title: 'SWIFT/BIC in context',
  level: 'CONFIDENTIAL',
  check: 'ISO 9362 with a known country; in context',
  onlyInContext: true,
  context: words(`
    swift, bic, swift code, bic code, swift bic, bank code, bank identifier, iban, wire, bankleitzahl, code banque
  `),
  judge(m: Candidate): number {
    if (!validator.isBIC(m.compact)) return 0
    const near = m.contextBefore()
    // "swift" itself is a word. So small letters, or distant context, need more evidence.
    return near > (/[a-z]/.test(m.value) ? 0.97 : 0.8) ? 0.9 : 0
  },
} as const

export const swiftBic: Detector = { ...bic, patterns: ['[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?'] }

/** A word in small letters, such as "declaration", is none. */
export const swiftBicSmall: Detector = {
  ...bic,
  check: 'in small letters with a digit',
  fewestDigits: 1,
  patterns: ['[a-z]{6}[a-z0-9]{2}([a-z0-9]{3})?'],
}
