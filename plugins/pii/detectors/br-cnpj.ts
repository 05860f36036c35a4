import validator from 'validator'
import type { Detector } from '../engine/detector.ts'

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
  context: ['cnpj', 'cadastro nacional', 'cnpj/mf'],
  judge(m) {
    if (m.compactCount !== 14 || !validator.isTaxID(m.compact, 'pt-BR')) return 0
    if (m.context() > 0) return 0.97
    return m.isOtherNumber ? 0 : m.end - m.start > 14 ? 0.95 : 0.58
  },
}
