import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const brCnpj: Detector = {
  type: 'br_cnpj',
  title: 'CNPJ',
  level: 'CONFIDENTIAL',
  region: 'BR',
  check: 'two check digits',
  patterns: [
    '\\d{14}',
    '[A-Z0-9]{2}\\.[A-Z0-9]{3}\\.[A-Z0-9]{3}/[A-Z0-9]{4}-\\d{2}',
    '\\d{8}/\\d{4}-\\d{2}',
    '\\d{2} \\d{3} \\d{3} \\d{4} \\d{2}',
  ],
  context: ['cnpj', 'c.n.p.j', 'cadastro nacional', 'cnpj/mf'],
  judge(m) {
    if (m.compactCount !== 14) return 0
    if (!validator.isTaxID(m.compact, 'pt-BR')) return m.named()
    if (m.contextBefore() > 0) return 0.97
    return m.end - m.start > 14 && !m.isOtherNumber ? 0.95 : 0
  },
}
