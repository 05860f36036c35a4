/** Cards with letters for digits: spoken, or misread. */
import type { Detector } from '../engine/detector.ts'
import { isCard } from './credit-card.ts'
import { base } from './credit-card-odd.ts'

/** Names of the digits; a language has one for each, from zero. */
const DIGITS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'zero one two three four five six seven eight nine',
    'oh - - - - - - - - niner',
    'null eins zwei drei vier fünf sechs sieben acht neun',
    '- ein zwo - - fuenf - - - -',
    'zéro un deux trois quatre cinq six sept huit neuf',
    'cero uno dos tres cuatro cinco seis siete ocho nueve',
  ].flatMap((names) => names.split(' ').flatMap((name, digit) => (name === '-' ? [] : [[name, String(digit)]]))),
)
const SPOKEN = Object.keys(DIGITS)
  .join('|')
  .replace(/[^a-z|]/g, '\\L')

/** `four one one one one one …`. */
export const creditCardSpoken: Detector = {
  ...base,
  check: 'issuer range, length, Luhn; digits in words, in context',
  patterns: [`(?i:${SPOKEN}|\\d)([ ,.\\-]{1,2}(?i:${SPOKEN}|\\d)){12,18}`],
  onlyInContext: true,
  judge(m) {
    const digits = m.value
      .toLowerCase()
      .split(/[^\p{L}\d]+/u)
      .map((word) => DIGITS[word] ?? word)
      .join('')
    return /^\d+$/.test(digits) && isCard(digits) && m.contextBefore() > 0 ? 0.9 : 0
  },
}

const MISREAD = '[\\dOolI]'
const LETTERS = /[OolI]/
const SEPARATED = '[ \\-.]?'

/** `4O12 8888 l888 1881`: letters that look like a digit, from a scan or a typewriter. */
export const creditCardMisread: Detector = {
  ...base,
  check: 'issuer range, length, Luhn; letters for 0 and 1, in context',
  patterns: [
    `[2-6]${MISREAD}{3}(${SEPARATED}${MISREAD}{4}){3}`,
    `3${MISREAD}{3}${SEPARATED}${MISREAD}{6}${SEPARATED}${MISREAD}{4,5}`,
  ],
  onlyInContext: true,
  fewestDigits: 9,
  judge(m) {
    if (m.digitCount < 9 || !LETTERS.test(m.value) || m.isJoined) return 0
    const digits = m.compact.replaceAll('O', '0').replace(/[LI]/g, '1')
    return isCard(digits) && m.contextBefore() > 0 ? 0.85 : 0
  },
}
