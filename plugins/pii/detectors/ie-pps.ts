import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'

export const iePps: Detector = {
  type: 'ie_pps',
  title: 'Personal public service number',
  level: 'RESTRICTED',
  region: 'IE',
  check: 'check letter, in context',
  onlyInContext: true,
  patterns: ['\\d{7} ?[A-Wa-w][A-Ia-i]?'],
  context: ['pps', 'ppsn', 'pps number', 'personal public service', 'pps no'],
  judge: (m) => (validator.isTaxID(m.compact, 'en-IE') && m.contextBefore() > 0 ? 0.95 : m.named()),
}
