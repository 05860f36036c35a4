import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

/** Date of birth, serial, Luhn digit; a coordination number adds 60 to the day (Skatteverket SKV 707). */
function isPersonnummer(digits: string): boolean {
  const ten = digits.slice(-10)
  const day = Number(ten.slice(4, 6))
  const date = ten.slice(0, 4) + String(day > 60 ? day - 60 : day).padStart(2, '0')
  return isShortDate(date) && validator.isLuhnNumber(ten) && (digits.length === 10 || /^(?:18|19|20)/.test(digits))
}

export const sePersonnummer: Detector = {
  type: 'se_personnummer',
  title: 'Personnummer',
  level: 'RESTRICTED',
  region: 'SE',
  check: 'date of birth, Luhn; ten digits undivided only in context',
  patterns: ['(18|19|20)?\\d{6}[\\-+ ]?\\d{4}'],
  context: words(`
    personnummer, person-nr, personnr, pnr, samordningsnummer, swedish personal number, personal identity number,
    födelsenummer
  `),
  judge(m) {
    if ((m.digitCount !== 10 && m.digitCount !== 12) || m.isJoined) return 0
    if (!isPersonnummer(m.digits)) return m.named()
    if (m.contextBefore() > 0) return 0.95
    return m.isOtherNumber ? 0 : /[-+]/.test(m.value) ? 0.75 : m.digitCount === 12 ? 0.62 : 0
  },
}
