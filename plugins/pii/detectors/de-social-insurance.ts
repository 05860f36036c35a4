import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

const WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]

/**
 * Area, date of birth, initial, serial, check digit (VKVV § 4). The initial counts as its two-digit position in the
 * alphabet.
 */
function isInsurance(compact: string): boolean {
  if (!isShortDate(compact.slice(2, 8), 'dmy') && Number(compact.slice(2, 4)) <= 31) return false
  const place = String(compact.charCodeAt(8) - 64).padStart(2, '0')
  const digits = compact.slice(0, 8) + place + compact.slice(9, 11)
  let sum = 0
  for (let i = 0; i < 12; i++) {
    const product = Number(digits[i]) * WEIGHTS[i]!
    sum += Math.floor(product / 10) + (product % 10)
  }
  return sum % 10 === Number(compact[11])
}

export const deSocialInsurance: Detector = {
  type: 'de_social_insurance',
  title: 'Pension insurance number',
  level: 'RESTRICTED',
  region: 'DE',
  check: 'date of birth, check digit',
  patterns: ['\\d{2} ?\\d{6} ?[A-Za-z] ?\\d{2} ?\\d'],
  context: words(`
    rentenversicherungsnummer, sozialversicherungsnummer, versicherungsnummer, rvnr, sv-nummer, svnr,
    social insurance, social security
  `),
  judge(m) {
    if (!isInsurance(m.compact)) return m.named()
    return m.contextBefore() > 0 ? 0.95 : 0.75
  },
}
