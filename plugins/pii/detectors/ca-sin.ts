import { isNoThirds, isTrivial } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

/** Two signs: a person writes the same one twice. */
const UNEVEN = /^\d+([^\d])\d+(?!\1)[^\d]\d+$/

export const caSin: Detector = {
  type: 'ca_sin',
  title: 'Social insurance number',
  level: 'RESTRICTED',
  region: 'CA',
  check: 'Luhn; undivided only in context',
  patterns: ['\\d{9}', '\\d{3}[ \\-.]\\d{3}[ \\-.]\\d{3}'],
  context: words(`
    sin, sin number, sin no, social insurance, social insurance number, soc ins no, soc ins, nas, numéro d'assurance sociale,
    assurance sociale
  `),
  judge(m) {
    if (m.digitCount !== 9 || m.isJoined) return 0
    const near = m.contextBefore()
    // `.209 151.711` are decimals.
    if (near === 0 && (m.before(1) === '.' || UNEVEN.test(m.value))) return 0
    if (near === 0 && isNoThirds(m)) return 0
    // Persons get no numbers that begin with 0 or 8.
    if (/^[08]/.test(m.digits) || !validator.isLuhnNumber(m.digits) || isTrivial(m.digits)) return m.named()
    return near > 0 ? 0.75 + near * 0.24 : 0.53
  },
}
