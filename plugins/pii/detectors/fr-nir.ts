import { modulo } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** Sex, year, month, department, commune, order; key = 97 − number mod 97 (INSEE). Corsica: 2A counts as 19, 2B as 18. */
const NIR = /^[1278]\d{2}(?:0[1-9]|1[0-2]|[2-4]\d|[5-9]\d)(?:\d{2}|2A|2B)\d{6}\d{2}$/

export const frNir: Detector = {
  type: 'fr_nir',
  title: 'Social security number (NIR)',
  level: 'RESTRICTED',
  region: 'FR',
  check: 'structure, key modulo 97',
  patterns: [
    '[1278][ \\-]?\\d{2}[ \\-]?\\d{2}[ \\-]?\\d[\\dAaBb][ \\-]?\\d{3}[ \\-]?\\d{3}[ \\-/]{0,3}\\d{2}',
    '[1278]\\.\\d{2}\\.\\d{2}\\.\\d[\\dAaBb]\\.\\d{3}\\.\\d{3}\\.\\d{2}',
    '[1278] ?\\d{2} ?\\d{2} ?\\d[\\dAaBb] ?\\d{3} ?\\d{3}',
  ],
  context: words(`
    nir, sécurité sociale, securite sociale, numéro de sécurité sociale, numéro de sécu, sécu, insee, carte vitale,
    vitale, nss, social security
  `),
  judge(m) {
    const { compact } = m
    if (m.compactCount === 13) return m.contextBefore() > 0.7 && NIR.test(`${compact}00`) ? 0.7 : 0
    if (!NIR.test(compact)) return 0
    const number = compact.slice(0, 13).replace('A', '0').replace('B', '0')
    const island = compact[6] === 'A' ? 1_000_000 : compact[6] === 'B' ? 2_000_000 : 0
    const isValid = 97 - ((modulo(number, 97) - (island % 97) + 97) % 97) === Number(compact.slice(13))
    if (!isValid) return m.named()
    return m.contextBefore() > 0 ? 1 : m.isOtherNumber ? 0 : 0.9
  },
}
