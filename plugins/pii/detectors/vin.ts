import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

const VALUES: Readonly<Record<string, number>> = Object.fromEntries([
  ...'0123456789'.split('').map((d) => [d, Number(d)] as const),
  ...'ABCDEFGH'.split('').map((c, i) => [c, i + 1] as const),
  ...'JKLMN'.split('').map((c, i) => [c, i + 1] as const),
  ['P', 7],
  ['R', 9],
  ...'STUVWXYZ'.split('').map((c, i) => [c, i + 2] as const),
])
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/**
 * Position 9 checks the others (49 CFR 565.15(c)). European makers omit the check digit, so such numbers need
 * context.
 */
export const vin: Detector = {
  type: 'vehicle_vin',
  title: 'Vehicle identification number',
  level: 'CONFIDENTIAL',
  check: 'ISO 3779, check digit; without it in context',
  fewestDigits: 3,
  patterns: ['[A-HJ-NPR-Z0-9]{17}'],
  context: words(`
    vin, vin number, vehicle identification, chassis, chassis number, fahrgestellnummer, fin, numéro de châssis,
    bastidor, telaio
  `),
  judge(m) {
    if (m.digitCount < 3 || m.digitCount > 15) return 0
    if (m.contextBefore() > 0) return 0.9
    let sum = 0
    for (let i = 0; i < 17; i++) sum += VALUES[m.compact[i]!]! * WEIGHTS[i]!
    return !m.isOtherNumber && m.compact[8] === '0123456789X'[sum % 11] ? 0.6 : 0
  },
}
