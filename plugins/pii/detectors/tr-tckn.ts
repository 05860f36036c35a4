import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** Two check digits over the first nine (NVİ). */
export function isTckn(d: string): boolean {
  const odd = Number(d[0]) + Number(d[2]) + Number(d[4]) + Number(d[6]) + Number(d[8])
  const even = Number(d[1]) + Number(d[3]) + Number(d[5]) + Number(d[7])
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return tenth === Number(d[9]) && (odd + even + tenth) % 10 === Number(d[10])
}

export const trTckn: Detector = {
  type: 'tr_tckn',
  title: 'Identity number (T.C. Kimlik No)',
  level: 'RESTRICTED',
  region: 'TR',
  check: 'two check digits, in context',
  onlyInContext: true,
  patterns: ['[1-9]\\d{10}'],
  context: words(`
    tc kimlik, t.c. kimlik, kimlik no, tckn, kimlik numarası, kimlik, tc no, turkish id, national id
  `),
  judge: (m) => (isTckn(m.digits) && m.contextBefore() > 0 ? 0.9 : m.named()),
}
