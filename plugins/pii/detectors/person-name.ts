import type { Detector } from '../engine/detector.ts'
import { GIVEN_NAMES, NOT_SURNAMES } from './given-names.ts'

const CAPITAL = "[A-Z\\L][\\l'’]+(-[A-Z\\L][\\l'’]+)?"

/** Two or three capitalised words that begin with a common given name. */
export const personName: Detector = {
  type: 'person_name',
  title: 'Person name, off by default',
  level: 'CONFIDENTIAL',
  check: 'lexicon of common given names, then a capitalised word',
  patterns: [
    `${CAPITAL}( [A-Z]\\.?| (?i:van|von|de|da|di|del|der|la|bin|al|van der|van den|de la))? ${CAPITAL}`,
    `${CAPITAL} ${CAPITAL} ${CAPITAL}`,
  ],
  judge(m) {
    const words = m.value.split(' ')
    if (!GIVEN_NAMES.has(words[0]!.toLowerCase().split('-')[0]!)) return 0
    return NOT_SURNAMES.has(words.at(-1)!.toLowerCase()) ? 0 : 0.6
  },
}
