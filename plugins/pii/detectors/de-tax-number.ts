import type { Detector } from '../engine/detector.ts'

/** Number of the local tax office. Its check digit differs by state, so it is not checked. */
export const deTaxNumber: Detector = {
  type: 'de_tax_number',
  title: 'Tax number (Steuernummer)',
  level: 'RESTRICTED',
  region: 'DE',
  check: 'groups of the states, in context',
  onlyInContext: true,
  patterns: [
    '\\d{2,3}/\\d{3,4}/\\d{4,5}',
    '\\d{2,3}/\\d{3,4}/\\d{1,4} \\d{1,3}',
    '\\d{10,13}',
    '\\d{2,3} \\d{3,4} \\d{4,5}',
  ],
  context: ['steuernummer', 'steuer-nr', 'st.-nr', 'steuernr', 'stnr', 'tax number', 'finanzamt'],
  judge: (m) => (m.digitCount >= 10 && m.digitCount <= 13 && m.contextBefore() > 0.7 ? 0.7 : 0),
}
