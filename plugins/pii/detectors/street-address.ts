import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { afterMarks, beforeMarks } from '../engine/emphasis.ts'
import { words } from '../engine/words.ts'

const CAPITAL = "[A-Z\\L][\\l.'’\\-]*"
const DIRECTION = '([NSEW]\\.?|[NS][EW]\\.?|North|South|East|West)'
/** Endings of street names that are unambiguous after a number and a name. */
const STREET =
  '(?i:street|str?|avenue|ave?|road|rd|boulevard|blvd|lane|ln|drive|dr|highway|hwy|parkway|pkwy|terrace|terr|trail|trl|turnpike|' +
  'crescent|cres|mews|alley|expressway|freeway|esplanade|motorway|quay|causeway|promenade)'
/** Endings that are common words. They need a phrase such as "lives at", or a postcode. */
const PLACE =
  '(?i:court|ct|way|place|pl|square|sq|circle|cir|close|grove|gardens|hill|row|walk|park|loop|plaza|path|point|pass|ridge|view|run|' +
  'crossing|heights|manor|meadows?|bridge|brook|center|common|corner|cove|creek|curve|dale|estates?|falls|field|ford|forest|fork|' +
  'glen|green|harbor|haven|island|isle|junction|key|knolls?|lake|landing|lock|lodge|mall|mill|mount|mountain|neck|orchard|oval|' +
  'pike|pine|plains?|port|prairie|ramp|ranch|rapids?|rest|river|route|shoals?|shores?|springs?|spur|station|stream|summit|trace|' +
  'track|tunnel|union|valley|approach|rise|vale|yard|gate|viaduct|village|ville|vista|wall|wells?|wharf|wynd)'
const UNIT =
  '(,? ?(?i:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|bldg|building|#|no)\\.? ?#?\\w{1,6}|,? \\d{1,2}(?i:st|nd|rd|th) (?i:floor|fl))?'
/** Stands before the number of the house. */
const UNIT_BEFORE = '((?i:flat|unit|apt|apartment|suite|shop|room|level)\\.? ?#?\\d{1,4}[A-Za-z]?(,|/|,? -) ?)?'
const CITY = `${CAPITAL}([ \\-]${CAPITAL}){0,2}`
const COUNTRY =
  '(,? (USA|U\\.S\\.A?\\.?|US|UK|United Kingdom|United States|Great Britain|England|Scotland|Wales|Northern Ireland|Ireland|Canada|Australia|' +
  'India|France|Deutschland|Germany|Schweiz|Switzerland|\\Lsterreich|Austria|Espa\\La|Spain|Italia|Italy|Nederland|Netherlands|Portugal|Belgium))?'
const UK_CODE = '[A-Z]{1,2}\\d[A-Z0-9]? ?\\d[A-Z]{2}'
/** State and code of the US, Canada and Australia, or a code that only addresses have. */
const CODE = `([A-Z]{2}\\.?,? \\d{5}(-\\d{4})?|${UK_CODE}|([A-Z]{2},? )?[A-Z]\\d[A-Z] ?\\d[A-Z]\\d|(NSW|VIC|QLD|SA|WA|TAS|NT|ACT),? \\d{4})`
/** City, state and code: with such a code, with a longer number, or with the letters of a state. */
const PLACES = `(((,? ${CITY}){0,3},? ${CODE}|(,? ${CITY}){1,3},? (- ?)?\\d{5,6}|, ${CITY}, [A-Z]{2})${COUNTRY})?`
const POSTCODE = `(,? (?i:d-|f-|i-|e-|a-|ch-|b-|nl-)?(\\d{4,5}|\\d{4} [A-Z]{2}) ${CAPITAL}([ \\-]${CAPITAL}){0,2}( [A-Z]{2})?${COUNTRY})?`
/** Floor and door. */
const DOOR = '(,? \\d{1,2}(o|a|°|\\.){1,2}( ?(?i:izquierda|izda|izq|derecha|dcha|dch|puerta|[a-h])\\.?)?)?'
const NUMBER = '\\d{1,5}( ?[a-zA-Z])?([/\\-]\\d{1,4}[a-zA-Z]?)?'
/** "Im Jahr 1910" is no address; house numbers of such streets are shorter. */
const SHORT_NUMBER = NUMBER.replace('{1,5}', '{1,3}')
const OF =
  "((?i:de la|de los|de las|de|del|della|delle|dei|degli|di|da|das|do|dos|du|des|d'|d’|l'|l’|la|le|les|van|von|van de|van der|den) ?)"
const NAMES = `${OF}?${OF}?${CAPITAL}([ \\-](${OF}?${CAPITAL}|\\d{1,2})){0,3}`

const CONTEXT = words(`
  address, addresses, home address, mailing address, street address, billing address, shipping address,
  postal address, addr, lives at, live at, living at, lived at, lives on, lives in, residing, resides, resident,
  residence, reside at, located at, situated at, ship to, shipped to, deliver to, delivered to, delivery, mail to,
  send to, sent to, send it to, moved to, moving to, my home, home, house, office at, our office, visit, visit us,
  property, street, meet at, come to, drop off, pick up, stay at, staying at, anschrift, adresse, wohnt, wohnhaft,
  wohne, wohnort, lieferadresse, habite, demeurant, domicilié, domicile, dirección, domicilio, vive en, vivo en,
  reside en, calle, indirizzo, residente, abita, abito, endereço, morada, mora, moro, adres, woont, woon,
  zamieszkały, adress, bor på, osoite, asuu
`)

const address = { type: 'street_address', title: 'Street address', level: 'CONFIDENTIAL' } as const

/** `221b Baker Street`, `1600 Pennsylvania Ave NW, Washington, DC 20500`. */
export const streetAddress: Detector = {
  ...address,
  check: 'number, name and kind of street; common words only in context',
  context: CONTEXT,
  patterns: [
    `${UNIT_BEFORE}\\d{1,6}(-\\d{1,4})?[A-Za-z]?,? (${DIRECTION} )?(${CAPITAL}|\\d{1,3}(?i:st|nd|rd|th))( ${CAPITAL}){0,3} (${STREET}|${PLACE})\\.?( ${DIRECTION})?${UNIT}${PLACES}`,
    `${UNIT_BEFORE}\\d{1,6} (${DIRECTION} )?\\d{1,3}(?i:st|nd|rd|th) (${STREET}|${PLACE})\\.?( ${DIRECTION})?${UNIT}${PLACES}`,
    `\\d{1,6} (?i:broadway|park avenue)${UNIT}${PLACES}`,
    `${UNIT_BEFORE}\\d{1,4}[A-Za-z]?,? ${CITY}(, ${CITY}){0,3},? ${UK_CODE}${COUNTRY}`,
    `((?i:flat|plot|house|door|shop)\\.? ?((?i:no)\\.? ?)?[A-Za-z]?-?\\d{1,4}[A-Za-z]?(/\\d{1,4})?|[A-Z]-?\\d{1,4}(/\\d{1,4})?|\\d{1,4}[A-Za-z]?(/\\d{1,4})?),? (${CAPITAL}( ${CAPITAL}| \\d{1,3}){0,3},? ?){1,5}(- ?)?\\d{6}${COUNTRY}`,
    `(?i:p\\.? ?o\\.? ?box|postfach|apartado|casella postale|bo\\Lte postale|postbus|caixa postal) ?#?\\d{1,7}${PLACES}`,
  ],
  judge: judgeEnglish,
}

/** `Hauptstraße 5, 10115 Berlin`, `12 rue de la Paix`, `Calle Mayor 3`, `Via Roma 12`, `Kerkstraat 9`. */
export const streetAddressEurope: Detector = {
  ...address,
  check: 'kind of street in DE, FR, ES, IT, PT, NL, PL, then a number',
  patterns: [
    `((Lange|Korte|Oude|Nieuwe|Prins|Prinses|Koningin|Sint|St\\.|Dr\\.|Kleine|Gro\\Le|Obere|Untere|Burgemeester) (${CAPITAL} )?)?[A-Z\\L][\\l\\-]*(?i:stra\\Le|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|straat|laan|plein|gracht|kade|dijk|singel|v\\Lgen|gatan|gata|katu|tie|vej|vei|gade) ${NUMBER}${POSTCODE}`,
    `(${CAPITAL} ){1,3}(?i:stra\\Le|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|laan|plein) ${NUMBER}${POSTCODE}`,
    `(Am|Im|An der|In der|Auf der|Zum|Zur|Unter den|Alte|Alter|Neue|Neuer) ${CAPITAL}( ${CAPITAL})? ${SHORT_NUMBER},? (D-)?\\d{5} ${CAPITAL}`,
    `\\d{1,4}(-\\d{1,4})?( ?(?i:bis|ter|[a-d]))?,? (?i:rue|avenue|av\\.|boulevard|bd\\.?|bld|place|pl\\.|chemin|impasse|all\\Le|quai|route|cours|square|passage|faubourg) ${NAMES}${POSTCODE}`,
    `(?i:calle|c/|avenida|avda?\\.?|av\\.|paseo|plaza|pza\\.?|carrera|camino|ronda|carretera|callej\\Ln) ?${NAMES},? (?i:n\\.?[o°]\\.? ?|num\\.? |n\\Lm\\.? |numero |n\\Lmero )?#?${NUMBER}${DOOR}${POSTCODE}`,
    `(?i:via|viale|v\\.le|piazza|p\\.za|corso|largo|vicolo|strada|piazzale|lungomare) ${NAMES},? (?i:n\\.? ?)?${NUMBER}${POSTCODE}`,
    `(?i:rua|avenida|av\\.|travessa|pra\\La|alameda|estrada|largo) ${NAMES},? (?i:n\\.?[o°]?\\.? ?)?${NUMBER}`,
    `(?i:ul\\.|ulica|al\\.|aleja|os\\.|plac|pl\\.) ${NAMES} ${NUMBER}(,? \\d{2}-\\d{3} ${CAPITAL})?`,
  ],
  refuses: (m) => isSentence(m.value),
  judge: judgeEuropean,
}

/** Endings that ordinary words share: "During 10 years", "String 5". */
const WEAK_ENDING = /^[^\d]{0,40}(?:ring|tie|gata|katu|ufer|damm|plein|laan|weg|dijk)\.? \d/i

const HAS_STREET =
  /\b(?:street|str?|avenue|ave?|road|rd|boulevard|blvd|lane|ln|drive|dr|highway|hwy|parkway|pkwy|terrace|terr|trail|trl|turnpike|crescent|cres|mews|alley|broadway|expressway|p\.? ?o\.? ?box|postfach|apartado|postbus)\b/i
const HAS_PLACE =
  /(?:\b[A-Z]{2}\.?,? \d{5}(?:-\d{4})?|\b[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}|\b[A-Z]\d[A-Z] ?\d[A-Z]\d|\b(?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT),? \d{4}|\p{L}[,\s-]+\d{5,6})(?:,? [A-Z][\p{L}.]*(?: [A-Z]\p{L}*)?)?$/u
/** `1700-1702 Elm Street, Springfield`, not `in 2008-2010 Wall Street, …`. */
const HOUSES = /^(\d{4})-(\d{4}) [^,]*\b(?:street|avenue|road|boulevard)\b/i
const DURING = /\b(?:in|during|of|the|from|between|after|before|since|until|for) $/i
const YEAR = /^(?:1[6-9]|20)\d\d(?:-(?:1[6-9]|20)?\d\d)?,? [A-Z]/
/** The Free Software Foundation, whose address is in the headers of files and in licences. */
const FOUNDATION = /\bFree\W{1,12}Software\W{1,12}Foundation[^\w.]{1,12}(?:Inc\W{0,12})?$/

function judgeEnglish(m: Candidate): number {
  const { value } = m
  if (/^[.,-]$/.test(m.before(1)) && /\d/.test(m.before(2))) return 0
  if (FOUNDATION.test(m.text.slice(Math.max(0, m.start - 64), m.start))) return 0
  if (/^\d+[ -](?:Minute|Hour|Week|Month|Year|Step)s? /i.test(value) && !HAS_PLACE.test(value)) return 0
  if (HAS_PLACE.test(value)) return 0.9
  const near = m.contextBefore()
  if (near > 0) return 0.8
  // "In 1996 Summer Drive sold" and "1991-1997, Thomas G. Lane" begin with years.
  return HAS_STREET.test(value) && (!YEAR.test(value) || isRangeOfHouses(m)) ? 0.7 : 0
}

/** Houses of one side of a street, a few numbers apart, and a town. */
function isRangeOfHouses(m: Candidate): boolean {
  const [, first, last] = HOUSES.exec(m.value) ?? []
  const distance = Number(last) - Number(first)
  if (!(distance > 0 && distance < 40 && distance % 2 === 0)) return false
  if (DURING.test(beforeMarks(m.text.slice(Math.max(0, m.start - 12), m.start)))) return false
  return /,/.test(m.value) || /^, [A-Z]/.test(afterMarks(m.following(6)))
}

/** Capitalised words that begin a sentence but no street name. */
const OPENERS = new Set(
  words(`
    die, der, das, den, dem, des, ein, eine, einen, einem, einer, eines, wir, ich, du, er, sie, es, ihr, man, und, oder, aber, wenn,
    weil, dass, dieser, diese, dieses, hier, dort, heute, ja, nein, bitte, danke, wie, was, wer, wo, wann, warum, the, a, an, this,
    that, these, those, it, i, you, we, they, he, she, there, here, what, when, where, why, how, who, which, if, but, and, or, so,
    as, at, on, of, to, for, from, with, by, is, are, was, yes, no, not, sure, hello, hi, hey, thanks, thank, please, my, your, his,
    her, our, their, its, let, both, each, every, some, many, most, all
  `),
)

/** Whether it is a sentence. Street names are in Latin letters and do not begin with such a word. */
function isSentence(value: string): boolean {
  const first = /^(\p{L}+) /u.exec(value)?.[1]
  return first !== undefined && (first >= '\u0370' || OPENERS.has(first.toLowerCase()))
}

function judgeEuropean(m: Candidate): number {
  if (isSentence(m.value)) return 0
  const near = m.contextBefore()
  if (near > 0 || /\d{4,5} \p{L}+/u.test(m.value)) return 0.85
  const number = /(\d+)\D*$/.exec(m.value)?.[1] ?? ''
  // "Ring 2019", "via Roma 1990": a year is no house number.
  if (/^(?:1[6-9]|20)\d\d$/.test(number)) return 0
  if (WEAK_ENDING.test(m.value)) return 0
  return /^\p{Lu}|^\d/u.test(m.value) ? 0.65 : 0
}
