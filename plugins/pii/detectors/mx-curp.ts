import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'

/** Initials, date of birth, sex, state, consonants, check digit (RENAPO, Instructivo CURP). */
function isCurp(curp: string): boolean {
  let sum = 0
  for (let i = 0; i < 17; i++) sum += ALPHABET.indexOf(curp[i]!) * (18 - i)
  return isShortDate(curp.slice(4, 10)) && (10 - (sum % 10)) % 10 === Number(curp[17])
}

export const mxCurp: Detector = {
  type: 'mx_curp',
  title: 'CURP',
  level: 'RESTRICTED',
  region: 'MX',
  check: 'date of birth, check digit',
  patterns: ['[A-Za-z]{4}\\d{6}[HMXhmx][A-Za-z]{5}[0-9A-Za-z]\\d'],
  context: ['curp', 'clave única', 'clave unica de registro'],
  judge: (m) => (isCurp(m.compact) ? 0.97 : m.contextBefore() > 0 ? 0.8 : 0),
}
