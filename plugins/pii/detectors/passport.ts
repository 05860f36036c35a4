import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** Formats differ by country and change, so the words beside the number decide. */
export const passport: Detector = {
  type: 'passport',
  title: 'Passport number',
  level: 'RESTRICTED',
  check: 'letters and digits in context',
  onlyInContext: true,
  fewestDigits: 5,
  patterns: [
    '[A-Za-z]{0,3}\\d{5,9}[A-Za-z]{0,2}',
    '[A-Z]{1,2} \\d{6,8}',
    '[A-Z][A-Z0-9]{7,8}',
    '[CFGHJKLMNPRTVWXYZ0-9]{9}\\d?',
    '\\d{2}[A-Z]{2}\\d{5}',
    '\\d{3} \\d{3} \\d{3}',
    '[a-z]{1,2}\\d{6,9}',
  ],
  context: words(`
    passport, passport number, passport no, passport num, passport id, passport card, travel document, reisepass,
    reisepassnummer, passnummer, pass-nr, passeport, numéro de passeport, pasaporte, número de pasaporte,
    passaporto, numero di passaporto, passaporte, paspoort, paspoortnummer, paszport, numer paszportu, pass nr,
    passi, passin numero, паспорт, 护照, 护照号, パスポート, 旅券, 여권
  `),
  judge(m) {
    if (m.digitCount < 5 || m.compactCount > 10) return 0
    const near = m.contextBefore()
    return near > 0 ? 0.65 + near * 0.3 : 0
  },
}
