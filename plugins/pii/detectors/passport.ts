import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'
import { PASSPORT_WORDS } from './national-languages.ts'

/** Formats differ by country and change, so the words beside the number decide. */
export const passport: Detector = {
  type: 'passport',
  title: 'Passport number',
  level: 'RESTRICTED',
  check: 'letters and digits in context',
  onlyInContext: true,
  namedBehind: true,
  fewestDigits: 5,
  patterns: [
    '[A-Za-z]{0,3}\\d{5,9}[A-Za-z]{0,2}',
    '[A-Z]{1,2} \\d{6,8}',
    '[A-Z][A-Z0-9]{7,8}',
    '[CFGHJKLMNPRTVWXYZ0-9]{9}\\d?',
    '\\d{2}([A-Z]{2}|[a-z]{2})\\d{5}',
    '[a-z]\\d{3}[a-z]\\d{4}',
    '\\d{3} \\d{3} \\d{3}',
    '[a-z]{1,2}\\d{6,9}',
    '\\d{4} \\d{6}',
    '\\d{2} \\d{2} \\d{6}',
    '\\L{2} ?\\d{6}',
    '\\d{2} \\d{7}',
  ],
  context: PASSPORT_WORDS,
  judge(m) {
    if (m.digitCount < 5 || m.compactCount > 10) return 0
    const near = m.contextBefore()
    return near > 0 ? 0.65 + near * 0.3 : 0
  },
}

/** Serial numbers may have one digit only, but no vowels: `C01X00T47`, `NW7BD3XH9`. */
export const passportLetters: Detector = {
  ...passport,
  check: 'alphabet of serial numbers, right behind its name',
  fewestDigits: 1,
  patterns: ['[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{7,9}', '[A-Z]{2}[A-Z0-9]{6}\\d'],
  judge: (m) => (m.digitCount > 0 && m.contextBefore() > (m.isCalledNumber ? 0.5 : 0.75) ? 0.7 : 0),
}

/** `Pass X1368454`, `pass. n. CA5000170`: the word means much else. */
export const passportShort: Detector = {
  ...passport,
  check: 'one or two letters and seven digits right behind a word',
  fewestDigits: 7,
  patterns: ['[A-Z]{1,2}\\d{7}'],
  contextGroup: 'passport/short',
  context: words('pass, pass no, pass number, pass n, pass n°, pass. nr, n. pass, pp, ppt, p/p, p/p no'),
  judge(m) {
    if (m.digitCount !== 7 || m.isJoined || m.contextBefore() < 0.92) return 0
    // `pass A1234567 to the function`
    return /^p/.test(m.text.slice(m.start - m.sinceContext.length - 4)) ? 0 : 0.7
  },
}
