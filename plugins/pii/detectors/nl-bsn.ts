import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const nlBsn: Detector = {
  type: 'nl_bsn',
  title: 'Burgerservicenummer (BSN)',
  level: 'RESTRICTED',
  region: 'NL',
  check: 'eleven test; undivided only in context',
  patterns: ['\\d{9}', '\\d{4}[. ]\\d{2}[. ]\\d{3}', '\\d{3}[ .\\-]\\d{3}[ .\\-]\\d{3}', '\\d{8}'],
  context: words(`
    bsn, burgerservicenummer, burger service nummer, bsn-nummer, sofinummer, sofi-nummer, citizen service number,
    sofi
  `),
  judge(m) {
    const { digitCount } = m
    if ((digitCount !== 9 && digitCount !== 8) || m.isJoined) return 0
    const near = m.contextBefore()
    if (near === 0 && (!/^\d{4}[. ]\d{2}[. ]\d{3}$/.test(m.value) || m.isOtherNumber)) return 0
    if (!validator.isTaxID(m.digits.padStart(9, '0'), 'nl-NL')) return m.named()
    return near > 0 ? 0.75 + near * 0.24 : 0.6
  },
}
