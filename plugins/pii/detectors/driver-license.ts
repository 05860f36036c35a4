import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** State formats have little in common: letters, digits, some hyphens (AAMVA DL/ID card standard, annex). */
export const driverLicense: Detector = {
  type: 'driver_license',
  title: 'Driver licence number',
  level: 'RESTRICTED',
  check: 'letters and digits in context',
  onlyInContext: true,
  fewestDigits: 4,
  patterns: [
    '[A-Za-z]{0,2}\\d{5,14}[A-Za-z]{0,2}',
    '[A-Za-z]\\d{3,4}([ \\-]\\d{2,6}){1,4}',
    '\\d{2,4}([ \\-]\\d{2,4}){2,3}',
    '[A-Z]{1,5}[A-Z0-9]\\d{2,6}[A-Z0-9]{2,7}',
    '[A-Z]{2}[ \\-]?\\d{2}[ \\-]?\\d{4}[ \\-]?\\d{7}',
    '[A-Z]{5}\\d{6}[A-Z]{2}\\d[A-Z]{2}',
    '[A-Z0-9]{11}',
  ],
  context: words(`
    driver license, driver licence, drivers license, drivers licence, driving license, driving licence,
    license number, licence number, license no, licence no, driver license number, drivers license number, dl,
    dl number, dl no, dln, dl#, driving permit, driver id, führerschein, führerscheinnummer, permis de conduire,
    permiso de conducir, carnet de conducir, licencia de conducir, patente di guida, patente, carta de condução,
    cnh, rijbewijs, rijbewijsnummer, prawo jazdy, körkort, ajokortti, operator license
  `),
  judge(m) {
    if (m.digitCount < 4 || m.compactCount < 6 || m.compactCount > 18) return 0
    const near = m.contextBefore()
    return near > 0 ? 0.65 + near * 0.25 : 0
  },
}
