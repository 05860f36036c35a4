import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const cnResidentId: Detector = {
  type: 'cn_resident_id',
  title: 'Resident identity number',
  level: 'RESTRICTED',
  region: 'CN',
  check: 'province, date of birth, ISO 7064 mod 11-2 (GB 11643)',
  patterns: ['[1-9]\\d{16}[\\dXx]', '[1-9]\\d{5}[ \\-]\\d{8}[ \\-]\\d{3}[\\dXx]'],
  context: words(`
    身份证, 身份证号, 身份证号码, 公民身份号码, resident id, resident identity, id number, chinese id, national id
  `),
  judge: (m) => (m.compactCount === 18 && validator.isIdentityCard(m.compact, 'zh-CN') ? 0.97 : m.named()),
}
