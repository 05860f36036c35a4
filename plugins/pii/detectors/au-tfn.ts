import { isNoThirds, isTrivial, weightedSum } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'

const WEIGHTS = [1, 4, 3, 7, 5, 8, 6, 9, 10]

export const auTfn: Detector = {
  type: 'au_tfn',
  title: 'Tax file number',
  level: 'RESTRICTED',
  region: 'AU',
  check: 'weights modulo 11 (ATO); undivided only in context',
  patterns: ['\\d{9}', '\\d{3}[ \\-]\\d{3}[ \\-]\\d{3}', '\\d{8}'],
  context: ['tfn', 'tax file number', 'tax file no', 'tax file', 'ato', 'tax number', 'tax id'],
  judge(m) {
    if (m.digitCount === 8) return m.contextBefore() > 0.8 ? 0.6 : 0
    if (m.digitCount !== 9 || m.isJoined) return 0
    const near = m.contextBefore()
    if (near === 0 && isNoThirds(m)) return 0
    if (weightedSum(m.digits, WEIGHTS) % 11 !== 0 || isTrivial(m.digits)) return m.named()
    return near > 0 ? 0.75 + near * 0.24 : 0.52
  },
}
