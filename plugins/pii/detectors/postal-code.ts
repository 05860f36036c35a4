import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { OPENING } from '../engine/emphasis.ts'
import { words } from '../engine/words.ts'
import { address, UK_CODE } from './address-parts.ts'

/** What is read before a code, characters: as much as a stream keeps. */
const REACH = 64

/** Names of codes that are no other words, also within the names of members: `billingZipCode`. */
const NAME =
  '(?:(?:zip|postal|post|pin)[ _-]?code|postleitzahl|plz|post(?:nummer|nr)|eircode|code[ _]postal|c[oó]digo[ _]postal|' +
  'codice[ _]postale|kod[ _]pocztowy|irányítószám|psč)'
/** Between the name and the code. */
const IS = `["'\`*_)]{0,3}(?: ?[:=#]| (?:is|was|ist|lautet|est|es|è|é))?[ \\t]?${OPENING}{0,4}$`
const NAMED = new RegExp(`(?:${NAME}|(?:^|[^\\p{L}\\d])zip(?= is|["'\`*]{0,3} ?[:=]))${IS}`, 'iu')
/** Words in small letters, names of codes in capitals. */
const ABBREVIATED = new RegExp(
  `(?:(?:[a-z]Z|_z)ip(?=["'\`]? ?[:=])|(?:^|[^\\p{L}\\d])(?:ZIP|CAP(?= ?:)|CEP|C\\.?P\\.?(?= ?:)))${IS}`,
  'u',
)

const anyCase = (list: string): string =>
  `(?:${words(list)
    .flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()])
    .join('|')})`
const AFTER = `
  street, st, avenue, ave, road, rd, boulevard, blvd, lane, ln, drive, dr, highway, hwy, parkway, pkwy, terrace, court, ct, way, place, pl,
  square, sq, circle, cir, close, crescent, cres, mews, hill, row, walk, park, loop, trail, grove, gardens, quay, parade, nagar, marg
`
const AFTER_NAME = anyCase(AFTER)
const BEFORE = `
  rue, avenue, boulevard, bd, chemin, impasse, allée, chaussée, quai, calle, avenida, avda, carrer, rua, travessa, praça, alameda, viale,
  piazza, corso, vicolo, ulica, aleja, osiedle
`
const BEFORE_NAME = `(?:${anyCase(BEFORE)}|Via|Largo|Strada|Paseo|Plaza|Ronda|Camino|Rambla|Gran V[ií]a|[Cc]/|(?:[Uu]l|[Aa]l|[Oo]s)\\.|[Pp]l\\.)`
const ENDING =
  '(?:straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|plein|gracht|kade|dijk|singel|vägen|gatan|torget|katu|tie|vej|vejen|' +
  'vei|veien|gade|gaden|gata)'
const HOUSE = '\\d{1,5}[A-Za-z]?(?:[-/]\\d{1,4})?'
const STREETS = [
  `${HOUSE},? (?:[\\p{Lu}\\d][\\p{L}\\d.'’-]* ){1,3}${AFTER_NAME}(?![\\p{L}\\d])\\.?(?: [NSEW]{1,2})?`,
  `${HOUSE}(?: bis| ter)?,? (?:${BEFORE_NAME}|place|route|cours|square)\\.? ?[\\p{L}\\d.'’ -]{2,30}?`,
  `(?<!\\p{L})${BEFORE_NAME}\\.? ?[\\p{L}\\d.'’ -]{2,30}?,? ${HOUSE}`,
  `\\p{L}${ENDING} ${HOUSE}`,
]
/** A flat, a floor, a door. */
const DOOR =
  '(?:,? (?:(?:[Aa]pt|[Uu]nit|[Ss]uite|[Ff]lat|[Aa]pto|[Bb]us|[Ii]nt)\\.? ?|#)\\w{1,5}|,? \\d{1,2}[o°.]{1,2} ?\\p{L}{0,5}\\.?)?'
const SEPARATOR = '[ ,;\\r\\n\\t–-]{1,4}'
const TOWN = "(?:\\p{Lu}[\\p{L}.'’]*|de|do|da|del|la|le|les|sur|am|an|der|upon|on)"
/** End where a code may stand: a street with the number of a house, and the name of a town. */
const IN_ADDRESS = STREETS.map(
  (street) => new RegExp(`(?:${street})${DOOR}((?:${SEPARATOR}${TOWN}){0,5})${SEPARATOR}$`, 'u'),
)
/** Most numbers have something else before them, or no street near: a quick look. */
const MAY_PRECEDE = /(?:[:=#\s"'`*_~|$^<({[«‹“„‘]|[\p{L}\d.,][,;–-]{1,4})$/u
const LABEL = /code|zip|plz|zahl|poczt|post|eir|irány|psč|cep|cap|c\.?p/iu
/** Longest end of a name with what may stand between it and the code, characters. */
const LABEL_REACH = 28
/** Kinds of street as words, by a hash of their small letters. */
const KINDS = new Set(
  words(
    `${AFTER}, ${BEFORE}, route, cours, via, largo, strada, paseo, plaza, ronda, camino, rambla, gran, c, ul, al, os, pl`,
  ).map((word) => [...word].reduce((hash, char) => hashOf(hash, char.charCodeAt(0)), 0)),
)

/** Whether a street may stand before a position: a word for one, or one that ends so before a number. A quick look at the words. */
function mayHaveStreet(text: string, start: number): boolean {
  let hash = 0
  let tail = 0
  let hasDigit = false
  let isNear = false
  for (let i = Math.max(0, start - REACH); i < start; i++) {
    const code = text.charCodeAt(i)
    if (isDigit(code)) hasDigit = true
    if (isLetter(code)) {
      hash = hashOf(hash, code)
      tail = tailOf(tail, code)
    } else if (hash !== 0) {
      isNear ||= KINDS.has(hash) || (ENDS.has(tail) && (code === 0x2e || isDigit(text.charCodeAt(i + 1))))
      hash = tail = 0
    }
  }
  return hasDigit && isNear
}

/** Of the last three letters. */
const tailOf = (tail: number, code: number): number => ((tail << 10) | ((code | 0x20) & 1023)) & 0x3fffffff
/** The last three letters of `ENDING`. */
const ENDS = new Set(
  words(
    'aße, sse, str, weg, atz, lee, ing, amm, fer, aat, aan, ein, cht, ade, ijk, gel, gen, tan, get, atu, tie, vej, jen, vei, ien, den, ata',
  ).map((end) => [...end].reduce((tail, char) => tailOf(tail, char.charCodeAt(0)), 0)),
)

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code >= 0xc0
/** Equal for capital and small letters. */
function hashOf(hash: number, code: number): number {
  return (hash * 31 + (code | 0x20)) | 0
}

const FEWEST = 2
/** The Free Software Foundation, in headers of files. */
const FOUNDATION = /51 Franklin St|59 Temple Pl/

/** `10115`, `92889-0493`, `1016 DW`, `57-803`, `81032-533`: with its name, or behind a street and a town. */
export const postalCode: Detector = {
  ...address,
  check: 'postal code after its name, or behind a street with the number of a house',
  fewestDigits: FEWEST,
  patterns: [
    '((D|F|I|E|A|CH|B|NL|L|DK|S)-)?\\d{4,5}|\\d{5}-\\d{4}',
    '\\d{4} ?[A-Z]{2}',
    '\\d{2}-\\d{3}|\\d{4}-\\d{3}|\\d{5}-?\\d{3}|\\d{3} \\d{2,3}|\\d{6}',
    UK_CODE,
    '[A-Z]\\d[A-Z] ?\\d[A-Z]\\d',
    '[A-Z]\\d[\\dW] ?[A-Z\\d]{4}',
  ],
  refuses: (m) => scoreOf(m) === 0,
  judge(m) {
    if (scoreOf(m) === 0) return 0
    return m.digitCount < FEWEST || m.isJoined || m.isAmount ? 0 : scoreOf(m, m.following(3))
  },
}

/** @param after what follows the code, as far as it is known */
function scoreOf(m: Candidate, after = ''): number {
  const isNamed = mayBeNamed(m.text, m.start)
  const isBehind = endsLikeAddress(m.text, m.start)
  if (!isNamed && !isBehind) return 0
  const before = m.text.slice(Math.max(0, m.start - REACH), m.start)
  if (!MAY_PRECEDE.test(before.slice(-5))) return 0
  if (isNamed && LABEL.test(before.slice(-LABEL_REACH)) && (NAMED.test(before) || ABBREVIATED.test(before))) return 0.7
  if (!isBehind || !mayHaveStreet(m.text, m.start)) return 0
  const towns = townsIn(before)
  if (towns === undefined || FOUNDATION.test(before)) return 0
  const isDigits = /^\d+$/.test(m.value)
  if (isDigits && m.value.length === 4) return isShort(before, towns, after, m.value) ? 0.65 : 0
  // A number of something: "12 Park Lane, London 20000 guests".
  if (isDigits && /^ \p{Ll}/u.test(after)) return 0
  return /\p{Lu}/u.test(towns + after + m.value) || after === '' ? 0.65 : 0
}

const MARK = 1
const SIGN = 2
/** By character of ASCII: what may stand between a name and its code. */
const BETWEEN = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  return ' \t"\'`*_~|$^<({['.includes(char) ? MARK : ':=#)'.includes(char) ? SIGN : 0
})
const QUOTES = '«‹“„‘'
const MOST_MARKS = 5

/** The last three characters before a position, in small letters, as a number. */
const endingAt = (text: string, end: number): number =>
  ((lower(text.charCodeAt(end - 3)) * 1024 + lower(text.charCodeAt(end - 2))) * 1024 +
    lower(text.charCodeAt(end - 1))) |
  0
const lower = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 32 : code & 1023)
/** The ends of names of codes, and of what joins them to a code: `PLZ`, `Zip code is`. */
const NAMED_BY = new Set(
  [
    'ode',
    'zip',
    'plz',
    'ahl',
    'mer',
    'tnr',
    'tal',
    'owy',
    'zám',
    'psč',
    'cep',
    'cap',
    ' is',
    'was',
    'ist',
    'tet',
    'est',
    ' es',
    'd è',
    'd é',
  ]
    .concat(['e è', 'e é', 'l è', 'l é', 'p è', 'p é', 'c.p', 'cp.', '.p.', ' cp', '"cp', '.cp'])
    .map((end) => endingAt(end, end.length)),
)

/** Whether what stands before a position may be the name of a code: a quick look at its end. */
function mayBeNamed(text: string, start: number): boolean {
  let at = start
  for (; start - at < MOST_MARKS; at--) {
    const code = text.charCodeAt(at - 1)
    const kind = code < 128 ? BETWEEN[code] : QUOTES.includes(text.charAt(at - 1)) && at > 0 ? MARK : 0
    if (kind === SIGN) return true
    if (kind !== MARK) break
  }
  return NAMED_BY.has(endingAt(text, at)) || at < 3
}

/** Words in small letters before the separator in front of a code: kinds of street. */
const SMALL: ReadonlySet<string> = new Set(words(AFTER))
const SEPARATORS = ' ,;\r\n\t–-'
const MOST_SEPARATORS = 4
const LONGEST_WORD = 30
const BEGINS_NAME = /[\p{Lu}\d]/u

/** Whether the word before a position may end an address: a name, a number, or a kind of street. A quick look at one word. */
function endsLikeAddress(text: string, start: number): boolean {
  let end = start
  while (start - end < MOST_SEPARATORS && SEPARATORS.includes(text[end - 1] ?? '?')) end--
  if (end === start) return false
  let from = end
  while (from > 0 && end - from < LONGEST_WORD && isOfWord(text.charCodeAt(from - 1))) from--
  return from < end && (BEGINS_NAME.test(text[from]!) || SMALL.has(text.slice(from, end).replace('.', '')))
}

/** Letters, digits and `_ . ' / -`; other scripts and signs do no harm. */
const isOfWord = (code: number): boolean =>
  isLetter(code) ||
  isDigit(code) ||
  code === 0x5f ||
  code === 0x2e ||
  code === 0x27 ||
  code === 0x2f ||
  code === 0x2d ||
  code === 0xb0

/** The names of towns between a street and the end of a text; undefined if no street stands there. */
function townsIn(before: string): string | undefined {
  for (const address of IN_ADDRESS) {
    const towns = address.exec(before)?.[1]
    if (towns !== undefined) return towns
  }
  return undefined
}

/** `Vestergade 3, 8000 Aarhus`; four digits are as often a year. */
const isShort = (before: string, towns: string, after: string, value: string): boolean =>
  AUSTRALIAN.test(towns) ||
  (towns === '' && (after === '' || /^ \p{Lu}/u.test(after)) && (/[\r\n] *$/.test(before) || !YEAR.test(value)))
const AUSTRALIAN = /[ ,](?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT)$/
const YEAR = /^(?:1[6-9]|20)/
