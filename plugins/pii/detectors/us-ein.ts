import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const usEin: Detector = {
  type: 'us_ein',
  title: 'Employer identification number in context',
  level: 'CONFIDENTIAL',
  region: 'US',
  check: 'prefixes of the IRS campuses, in context',
  onlyInContext: true,
  patterns: ['\\d{2}-\\d{7}', '\\d{9}'],
  context: ['ein', 'employer identification', 'employer id', 'fein', 'federal tax id', 'tax id', 'taxpayer id'],
  judge: (m) =>
    m.digitCount === 9 && !m.isJoined && m.contextBefore() > 0.6 && validator.isTaxID(m.value, 'en-US') ? 0.7 : 0,
}
