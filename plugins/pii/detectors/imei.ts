import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

export const imei: Detector = {
  type: 'imei',
  title: 'Device number (IMEI) in context',
  level: 'CONFIDENTIAL',
  check: 'Luhn; in context',
  patterns: ['\\d{15}', '\\d{2}-\\d{6}-\\d{6}-\\d', '\\d{6} \\d{2} \\d{6} \\d'],
  context: words(`
    imei, imei number, imeisv, device, device id, handset, phone imei, equipment identity
  `),
  judge: (m) =>
    m.digitCount === 15 && validator.isLuhnNumber(m.digits) && (m.contextBefore() > 0 || m.end - m.start === 18)
      ? 0.9
      : 0,
}
