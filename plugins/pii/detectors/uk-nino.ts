import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** Excludes prefixes that are never used (HMRC, NIM39110). */
const NINO = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]?$/

export const ukNino: Detector = {
  type: 'uk_nino',
  title: 'National insurance number',
  level: 'RESTRICTED',
  region: 'GB',
  check: 'prefixes and suffix of HMRC',
  patterns: [
    '[A-Za-z]{2}[ \\-]?\\d{2}[ \\-]?\\d{2}[ \\-]?\\d{2}[ \\-]?[A-Da-d]',
    '[A-Z]{2}[ \\-]?\\d{6}',
    '[A-Za-z]( [A-Za-z])( \\d){6} [A-Da-d]',
  ],
  context: words(`
    nino, ni number, ni no, national insurance, national insurance number, national insurance no, insurance number,
    ni
  `),
  judge(m) {
    if (!NINO.test(m.compact)) return 0
    const near = m.contextBefore()
    if (m.compactCount === 8) return near > 0.8 ? 0.7 : 0 // no suffix
    if (near > 0) return 1
    return m.isOtherNumber ? 0 : /[a-z]/.test(m.value) ? 0.5 : 0.85
  },
}
