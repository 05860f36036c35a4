import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

/** `192.775 143.88`: two decimals. */
const DECIMALS = /^\d{3}\.\d{3} \d/

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
    if (m.isOtherNumber || DECIMALS.test(m.value)) return 0
    return m.end - m.start > 11 ? 0.93 : 0.57
  },
}
