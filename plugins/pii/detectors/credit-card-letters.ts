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
    '- - due tre quattro cinque sei sette otto nove',
    '- um dois três quatro - - sete oito -',
    'nul een twee drie - vijf zes zeven acht negen',
    '- jeden dwa trzy cztery pięć sześć siedem osiem dziewięć',
    '- - - - - piec szesc - - dziewiec',
    '- - duas tres - - meia - - -',
  ].flatMap((names) => names.split(' ').flatMap((name, digit) => (name === '-' ? [] : [[name, String(digit)]]))),
)
const SPOKEN = Object.keys(DIGITS)
  .join('|')
  .replace(/[^a-z|]/g, '\\L')
const TIMES: Readonly<Record<string, number>> = { double: 2, doble: 2, triple: 3, treble: 3 }
const TOKEN = `((?i:${Object.keys(TIMES).join('|')})[ \\-])?(?i:${SPOKEN}|\\d{1,6})`
const FILLER = 'dash|hyphen|space|minus|pause|slash|strich|guion|tiret|then|next|and|und|uh|um|er|euh|äh'.replace(
  'ä',
  '\\L',
)
const PAUSE = `[ ,.;:/|\\-\n\\o]{1,4}((?i:${FILLER})[ ,.\\-\n]{1,2})?`

/** In other languages, `um` is a pause. */
const PORTUGUESE = /(?<!\p{L})(?:dois|duas|quatro|sete|oito|nove|meia)(?!\p{L})/iu

/** Digits that words and numbers say, in order; '' if no word says any. */
function digitsOf(spoken: string): string {
  // Most runs are numbers alone, and each of their ends is judged.
  if (!/\p{L}/u.test(spoken)) return ''
  let digits = ''
  let times = 1
  const words = spoken.toLowerCase().match(/\p{L}+|\d+/gu) ?? []
  const isPortuguese = PORTUGUESE.test(spoken)
  for (const word of words) {
    if (word === 'um' && !isPortuguese) continue
    digits += (DIGITS[word] ?? (/\d/.test(word) ? word : '')).repeat(times)
    times = TIMES[word] ?? 1
  }
  return words.some((word) => word in DIGITS) ? digits : ''
}

/** `four one one one, double one …`, `four one one one dash 1111 …`. */
export const creditCardSpoken: Detector = {
  ...base,
  check: 'issuer range, length, Luhn; digits in words, in context',
  patterns: [`${TOKEN}(${PAUSE}${TOKEN})+`],
  onlyInContext: true,
  everyEnd: true,
  judge: (m) => (isCard(digitsOf(m.value)) && m.contextBefore() > 0 ? 0.9 : 0),
}

/** Letters that look like a digit. */
const MISREAD: Readonly<Record<string, string>> = {
  ...{ O: '0', o: '0', Q: '0', D: '0', l: '1', I: '1', i: '1', '|': '1', '!': '1', Z: '2', z: '2' },
  ...{ A: '4', S: '5', s: '5', b: '6', G: '6', T: '7', B: '8', g: '9', q: '9' },
}
const SIGN = `[\\d${Object.keys(MISREAD).join('')}]`
const MISREAD_SIGN = /[^\d \-.]/g
const SEPARATED = '[ \\-.]{0,3}'

/** `4O12 8888 l888 1B81`, from a scan or a typewriter. */
export const creditCardMisread: Detector = {
  ...base,
  check: 'issuer range, length, Luhn; letters that look like digits, in context',
  patterns: [
    `[2-6SsZzbGA]${SIGN}{3}(${SEPARATED}${SIGN}{4}){3}`,
    `3${SIGN}{3}${SEPARATED}${SIGN}{6}${SEPARATED}${SIGN}{4,5}`,
  ],
  onlyInContext: true,
  fewestDigits: 8,
  judge(m) {
    if (m.digitCount < 8 || m.digitCount > 15 || m.isJoined) return 0
    const digits = m.value.replace(MISREAD_SIGN, (sign) => MISREAD[sign]!).replace(/\D/g, '')
    return isCard(digits) && m.contextBefore() > 0 ? 0.85 : 0
  },
}
