import type { Detector } from '../engine/detector.ts'

/** The fourth letter names the kind of holder (Income Tax Department, structure of PAN). */
const PAN = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/

export const inPan: Detector = {
  type: 'in_pan',
  title: 'Permanent account number (PAN)',
  level: 'RESTRICTED',
  region: 'IN',
  check: 'structure, kind of holder',
  patterns: ['[A-Za-z]{5} ?\\d{4} ?[A-Za-z]', '[A-Z]{5}-\\d{4}-[A-Z]'],
  context: [
    'pan',
    'pan number',
    'pan no',
    'pan card',
    'पैन',
    'पैन नंबर',
    'पैन कार्ड',
    'स्थायी खाता संख्या',
    'permanent account number',
    'income tax',
    'tax id',
  ],
  judge(m) {
    if (!PAN.test(m.compact)) return m.named()
    if (m.contextBefore() > 0) return 0.97
    return m.isOtherNumber || /[a-z]/.test(m.value) ? 0 : m.end - m.start === 10 ? 0.8 : 0.6
  },
}
