import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const usBankRouting: Detector = {
  type: 'us_bank_routing',
  title: 'Bank routing number (ABA)',
  level: 'CONFIDENTIAL',
  region: 'US',
  check: 'Federal Reserve district, checksum; in context',
  onlyInContext: true,
  patterns: ['\\d{9}', '\\d{4}-\\d{4}-\\d', '\\d{3} \\d{3} \\d{3}'],
  context: words(`
    routing, routing number, routing no, rtn, aba, aba number, aba routing, transit number, bank routing, ach,
    wire, bank
  `),
  judge(m) {
    if (m.digitCount !== 9 || m.isJoined) return 0
    const near = m.contextBefore()
    return near > 0 && validator.isAbaRouting(m.digits) ? 0.75 + near * 0.24 : m.named()
  },
}
