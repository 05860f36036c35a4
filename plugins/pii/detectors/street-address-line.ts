/** Streets of any kind, known by what is around them: a postal code and a town behind the number, or a label before the name. */
import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { OPENING } from '../engine/emphasis.ts'
import { address, CAPITAL, COUNTRY, TOWN } from './address-parts.ts'
import { DOOR, isSentence, NO, SHORT_NUMBER } from './street-address-europe.ts'

const WITHIN = '(de|der|dem|den|des|die|van|von|du|di|del|della|do|da|la|le|les|het|am|im)'
const LINE = `${CAPITAL}([ \\-](${WITHIN} |${WITHIN}-)?${CAPITAL}){0,3}`
const NAME = `(${LINE}|${CAPITAL}( ${WITHIN}){1,2} ${LINE})`
const HOUSE = `,? ${NO}${SHORT_NUMBER}${DOOR}`
const BREAK = '(, |,? ?\r?\n *)'

/** `Reeperbahn 104a, 20354 Hamburg`, `Boompjes 384-I, 3012 AD Rotterdam`; `"adresse": "Lange Reihe 82, Berlin"`. */
export const streetAddressLine: Detector = {
  ...address,
  check: 'name and number before a postal code and a town; right behind a label',
  fewestDigits: 1,
  patterns: [
    `${NAME}${HOUSE}${BREAK}((D|F|I|E|A|CH|B|L)-)?\\d{4,5} ${TOWN}${COUNTRY}`,
    `${NAME}${HOUSE}(${BREAK}| )(NL-)?\\d{4} ?[A-Z]{2}(,? ${TOWN})?${COUNTRY}`,
    `${NAME}${HOUSE}(,? ${TOWN})?`,
  ],
  refuses: (m) => isSentence(m.value) || !isPlaced(m),
  judge(m) {
    if (isSentence(m.value) || m.isJoined || !isPlaced(m)) return 0
    if (isLabelled(m)) return 0.75
    if (DUTCH.test(m.value) && !ERA.test(m.value)) return 0.75
    const code = CODE.exec(m.value)
    if (code === null) return 0
    if (code[1] !== undefined) return 0.7
    const isSure = code[2]!.length === 5 && !ROUND.test(code[2]!)
    return isSure || (m.contextBefore() > 0 && !YEAR.test(code[2]!)) ? 0.7 : 0
  },
}

const DUTCH = /\d[^\d\n]{0,12}[ \n]\d{4} ?[A-Z]{2}(?:,? ['’\p{Lu}][^\d\n]*)?$/u
const CODE = /\d[^\n]{0,24}[,\n] *([A-Z]{1,2}-)?(\d{4,5}) ['’\p{Lu}][^\d\n]*$/u
/** `2010 AD Rome`. */
const ERA = /\D(?:1\d|20)\d\d ?(?:AD|BC|CE|AM|PM|US|EU)(?: |$)/
/** A number of something. */
const ROUND = /00$/
const YEAR = /^(?:1[6-9]|20)\d\d$/
const LABEL = new RegExp(
  `(?:address|adres|adresse|anschrift|addr|street|straße|strasse|direcci[oó]n|domicilio|indirizzo|residenza|endereço|adress)["'\`*_]{0,3}[ \\t]?[:=][ \\t]?${OPENING}{0,3}$`,
  'iu',
)
const LABEL_REACH = 24

const isLabelled = (m: Candidate): boolean => LABEL.test(m.text.slice(Math.max(0, m.start - LABEL_REACH), m.start))

/** A new line or field, a mark, or a word that stands before places. */
const PLACED = new RegExp(
  `(?:[\\n\\t:;,=("'>|][ \\t]?|(?:^|[^\\p{L}])(?:at|in|to|from|op|te|van|aan|naar|an|auf|nach|von|zu|au|à|en|de|del|a|presso)(?: (?:der|den|dem|het|la|el|le|il))? )${OPENING}{0,6}$`,
  'iu',
)
const PLACED_REACH = 20
const isPlaced = (m: Candidate): boolean =>
  PLACED.test(m.text.slice(Math.max(0, m.start - PLACED_REACH), m.start)) || m.contextBefore() > 0
