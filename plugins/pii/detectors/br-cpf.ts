import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const brCpf: Detector = {
  type: 'br_cpf',
  title: 'CPF',
  level: 'RESTRICTED',
  region: 'BR',
  check: 'two check digits',
  patterns: ['\\d{11}', '\\d{3}[. ]\\d{3}[. ]\\d{3}[ \\-/.]\\d{2}', '\\d{9}-\\d{2}'],
  context: ['cpf', 'número do cpf', 'cadastro de pessoas físicas', 'cpf/mf', 'contribuinte', 'tax id'],
  judge(m) {
    if (m.digitCount !== 11 || m.isJoined) return 0
    if (!validator.isTaxID(m.digits, 'pt-BR')) return m.named()
    if (m.contextBefore() > 0) return 0.97
    return m.isOtherNumber ? 0 : m.end - m.start > 11 ? 0.93 : 0.57
  },
}
