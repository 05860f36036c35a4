import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'
import { DRIVING_LICENCE_WORDS } from './national-languages.ts'

/** State formats have little in common: letters, digits, some hyphens (AAMVA DL/ID card standard, annex). */
export const driverLicense: Detector = {
  type: 'driver_license',
  title: 'Driver licence number',
  level: 'RESTRICTED',
  check: 'letters and digits in context',
  onlyInContext: true,
  namedBehind: true,
  fewestDigits: 4,
  patterns: [
    '[A-Za-z]{0,2}\\d{5,15}[A-Za-z]{0,2}',
    '[A-Za-z]\\d{3,4}([ \\-]\\d{2,6}){1,4}(\\-\\d)?',
    '[A-Z]( \\d{3}){4}',
    '\\d{2,4}([ \\-]\\d{2,4}){2,3}',
    '[A-Z]{1,5}[A-Z0-9]\\d{2,6}[A-Z0-9]{2,7}',
    '\\d{2}[A-Z]{2}\\d{5}',
    '[A-Z]{2}[ \\-]?\\d{2}[ \\-]?\\d{4}[ \\-]?\\d{7}',
    '[A-Z][A-Z9]{4} ?\\d{6} ?[A-Z][A-Z9][A-Z0-9]{3}',
    '\\d{2} \\d{2} \\d{6}',
    '\\d{4} \\d{4}',
    '\\d{2}-\\d{2}-\\d{6}-\\d{2}',
    '\\d{4} \\d{6}',
    '\\d{6}-\\d{3}[0-9A-Z]?',
    '\\d{5}/\\d{2}/\\d{4}',
    '(\\d{8}|[XYZ]\\d{7})-[A-Z]',
    '[A-Z0-9]{11}',
    '[A-Za-z]{1,2}-\\d{6,8}( \\d)?',
    '\\d{8}[A-Za-z]\\d[A-Za-z]{2}',
    '\\d{2}/\\d{6}',
    '\\d{2} \\d{2} \\d{6} \\d{1,2}',
    '\\d{2} \\d{2} \\d{2} \\d{6}',
    '[A-Z]\\d{4}( - \\d{5}){2}',
    'WDL[A-Z0-9]{9}',
    '[A-Z][A-Z9]{4}\\d{6}[A-Z][A-Z9][A-Z0-9][A-Z]{2} \\d{2}',
    '\\d{8}([A-Z]{2}|[a-z]{2})\\d',

    '[A-Z]\\d{2}-\\d{2}-\\d{4}',
  ],
  context: DRIVING_LICENCE_WORDS,
  judge(m) {
    if (m.digitCount < 4 || m.compactCount < 6 || m.compactCount > 18) return 0
    const near = m.contextBefore()
    // Counts have as many: `the licence test in 2022, 621627 tests`.
    if (m.compactCount < 8 && m.digitCount === m.compactCount && near < 0.75) return 0
    return near > 0 ? 0.65 + near * 0.25 : 0
  },
}

/** Names of two letters and the like: only right before the number. */
export const driverLicenseShort: Detector = {
  ...driverLicense,
  check: 'letters and digits right behind an abbreviation',
  fewestDigits: 6,
  patterns: [
    '[A-Za-z]{0,2}\\d{6,12}[A-Za-z]{0,1}',
    '[A-Za-z]\\d{3,4}([ \\-]\\d{2,6}){1,4}(\\-\\d)?',
    '\\d{3}([ \\-]\\d{3}){2}',
    '\\d{6}-\\d{3}',
    '[A-Z][A-Z9]{4}\\d{6}[A-Z0-9]{5}',
    '[A-Z0-9]{10,11}',
    '\\d{2} \\d{2} \\d{6}',
    '\\d{4} \\d{6}',
    '\\d{5}/\\d{2}/\\d{4}',
  ],
  contextGroup: 'driver_license/short',
  context: words(`
    d.l, d/l, d.l. no, d/l no, d.l. number, d/l number, d.l. #, d/l #, fs-nr, fsnr, fs nr, fs-nummer,
    ву, в/у, ву №, ву номер, menkyo, menkyo no, menkyo number, menkyosho, 免許証, 免許証no, pj nr, nr pj, c. conducir, lic. conducir, lic. no
  `),
  judge(m) {
    if (m.digitCount < 6 || m.compactCount > 16 || m.isAmount || m.isJoined || isDay(m.digits)) return 0
    return m.contextBefore() > 0.85 ? 0.8 : 0
  },
}

const isDay = (digits: string): boolean => /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/.test(digits)

/** `4907DT`: New South Wales. */
export const driverLicenseShortest: Detector = {
  ...driverLicense,
  check: 'structure, right behind its name',
  patterns: ['\\d{4}[A-Z]{2}'],
  judge: (m) => (m.digitCount === 4 && m.contextBefore() > 0.85 && !m.isJoined ? 0.8 : 0),
}

/** `U1CMFAH2BB`, as Italy numbers them since 2013: few digits. */
export const driverLicenseLetters: Detector = {
  ...driverLicense,
  check: 'structure, right behind its name',
  fewestDigits: 1,
  patterns: ['U1[A-Z0-9]{7}[A-Z]'],
  judge: (m) => (m.digitCount > 0 && m.contextBefore() > 0.7 ? 0.8 : 0),
}
