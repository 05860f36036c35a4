import { weightedSum } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

const WEIGHTS = [2, 7, 6, 5, 4, 3, 2]
const LETTERS: Readonly<Record<string, readonly [offset: number, letters: string]>> = {
  S: [0, 'JZIHGFEDCBA'],
  T: [4, 'JZIHGFEDCBA'],
  F: [0, 'XWUTRQPNMLK'],
  G: [4, 'XWUTRQPNMLK'],
  M: [3, 'XWUTRQPNJLK'],
}

export const sgNric: Detector = {
  type: 'sg_nric',
  title: 'NRIC, FIN',
  level: 'RESTRICTED',
  region: 'SG',
  check: 'check letter',
  patterns: ['[STFGMstfgm]\\d{7}[A-Za-z]', '[STFGM][ \\-]\\d{7}[ \\-][A-Z]'],
  context: words(`
    nric, fin, nric number, nric no, fin number, singapore id, identity card, ic number, ic no
  `),
  judge(m) {
    const { compact } = m
    const [offset, letters] = LETTERS[compact[0]!]!
    if (letters[(weightedSum(compact.slice(1), WEIGHTS) + offset) % 11] !== compact[8]) {
      return m.contextBefore() > 0.9 ? 0.6 : 0
    }
    return m.contextBefore() > 0 ? 0.97 : /[a-z]/.test(m.value) ? 0.5 : 0.85
  },
}
