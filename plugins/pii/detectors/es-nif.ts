import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const esNif: Detector = {
  type: 'es_nif',
  title: 'DNI, NIE, NIF',
  level: 'RESTRICTED',
  region: 'ES',
  check: 'control letter modulo 23',
  patterns: [
    '\\d{8}[ \\-]?[A-Za-z]',
    '\\d{2}\\.\\d{3}\\.\\d{3}[ \\-]?[A-Za-z]',
    '[XYZKLMxyz][ \\-]?\\d{7}[ \\-]?[A-Za-z]',
    '[XYZ][ \\-]?\\d\\.\\d{3}\\.\\d{3}[ \\-]?[A-Z]',
    '[A-HJNP-SUVW]-?\\d{7}[0-9A-J]',
  ],
  context: words(`
    dni, nie, nif, documento nacional, documento de identidad, número de identidad, identidad, extranjero, cif,
    número de identificación, national id, spanish id
  `),
  judge(m) {
    const { compact } = m
    if (compact.length !== 9 || m.isJoined) return 0
    const near = m.contextBefore()
    if (/^[A-HJNP-W]/.test(compact)) return near > 0.7 ? 0.7 : 0 // companies
    if (!validator.isTaxID(compact, 'es-ES')) return m.named()
    if (near > 0) return 0.95
    return m.isOtherNumber ? 0 : /[a-z]/.test(m.value) ? 0.55 : 0.7
  },
}
