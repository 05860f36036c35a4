import type { Detector } from '../engine/detector.ts'
import { LINE_BREAK } from '../engine/line-break.ts'
import { words } from '../engine/words.ts'

/** Areas 000, 666 and 900 to 999, group 00 and serial 0000 are never assigned (SSA, POMS RM 10201.035). */
function isSsn(digits: string): boolean {
  const area = digits.slice(0, 3)
  return (
    digits.length === 9 &&
    area !== '000' &&
    area !== '666' &&
    area < '900' &&
    digits.slice(3, 5) !== '00' &&
    digits.slice(5) !== '0000'
  )
}

export const usSsn: Detector = {
  type: 'us_ssn',
  title: 'Social security number',
  level: 'RESTRICTED',
  region: 'US',
  check: 'ranges of the SSA; undivided only in context',
  patterns: [
    '\\d{3}( ?- ?)\\d{2}( ?- ?)\\d{4}',
    '\\d{3}[ ./_]\\d{2}[ ./_]\\d{4}',
    '\\d{9}',
    '\\d([ \\-.]\\d){8}',
    '\\d{3}[ \\-]\\d{6}',
    '\\d{5}[ \\-]\\d{4}',
    `\\d{3}( ?- ?|[ ./_])\\d{2}${LINE_BREAK}\\d{4}`,
    `\\d{3}${LINE_BREAK}\\d{2}( ?- ?|[ ./_])\\d{4}`,
  ],
  context: words(`
    ssn, ssns, ssan, ssn number, ss#, ss number, ss no, social security, social security number, social security no,
    soc sec, s.s.n, s.s.n., ss #, ref*sy, social, social sec, socsec, social number, taxpayer id, tax id, ssid, número de seguro social,
    seguro social
  `),
  judge(m) {
    if (m.digitCount !== 9 || !isSsn(m.digits) || m.isJoined) return 0
    const near = m.context()
    if (near > 0) return 0.8 + near * 0.2
    // The form with hyphens is so typical that only a word right before it makes it a part or an order.
    if (/^\d{3} ?-(?: |\r?\n[> ]*)?\d{2} ?-(?: |\r?\n[> ]*)?\d{4}$/.test(m.value)) return m.isOtherWithin(3) ? 0 : 0.85
    if (m.isOtherNumber || m.isInRun) return 0
    return /^\d{3}([ .])\d{2}\1\d{4}$/.test(m.value) ? 0.6 : 0
  },
}
