import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** 9xx with group 50 to 65, 70 to 88, 90 to 92 or 94 to 99 (IRS, IRM 3.21.263). */
const ITIN = /^9\d\d(?:5\d|6[0-5]|7\d|8[0-8]|9[0-2]|9[4-9])\d{4}$/

/** A postal code has the same form: `CA 90094-2536`. */
const POSTAL = /^\d{5}-/
const STATE = /\b[A-Z]{2}\.?,?\s{1,4}$/

export const usItin: Detector = {
  type: 'us_itin',
  title: 'Individual taxpayer number (ITIN)',
  level: 'RESTRICTED',
  region: 'US',
  check: 'ranges of the IRS; undivided only in context',
  patterns: ['9\\d{2}[ \\-]\\d{2}[ \\-]\\d{4}', '9\\d{8}', '9\\d{2}-\\d{6}', '9\\d{4}-\\d{4}'],
  context: words(`
    itin, tin, taxpayer, taxpayer id, taxpayer identification, tax id, individual taxpayer, ssn, social security
  `),
  judge(m) {
    if (!ITIN.test(m.digits) || m.isJoined) return 0
    const near = m.contextBefore()
    if (near > 0) return 0.75 + near * 0.2
    return m.end - m.start > 9 && !isPostal(m) && !m.isOtherNumber ? 0.7 : 0
  },
}

const isPostal = ({ text, start, value }: Candidate): boolean =>
  POSTAL.test(value) && STATE.test(text.slice(Math.max(0, start - 8), start))
