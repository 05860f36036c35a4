import { weightedSum } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'

const WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

/** Weighted sum modulo 89, after subtracting one from the first digit (Australian Business Register). */
export const auAbn: Detector = {
  type: 'au_abn',
  title: 'Business number (ABN)',
  level: 'CONFIDENTIAL',
  region: 'AU',
  check: 'weights modulo 89',
  patterns: ['[1-9]\\d{10}', '[1-9]\\d[ \\-]\\d{3}[ \\-]\\d{3}[ \\-]\\d{3}'],
  context: ['abn', 'australian business number', 'business number', 'abn number'],
  judge(m) {
    if (m.digitCount !== 11 || m.isJoined) return 0
    if ((weightedSum(m.digits, WEIGHTS) - 10) % 89 !== 0) return m.named()
    if (m.contextBefore() > 0) return 0.95
    return m.isOtherNumber ? 0 : m.end - m.start > 11 ? 0.8 : 0.58
  },
}
