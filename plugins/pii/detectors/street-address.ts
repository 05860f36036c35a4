import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { afterMarks, beforeMarks } from '../engine/emphasis.ts'
import { address, CAPITAL, CITY, COUNTRY, UK_CODE } from './address-parts.ts'

const DIRECTION = '([NSEW]\\.?|[NS][EW]\\.?|North|South|East|West)'
/** Endings of street names that are unambiguous after a number and a name. */
const STREET =
  '(?i:street|str?|avenue|ave?|road|rd|boulevard|blvd|lane|ln|drive|dr|highway|hwy|parkway|pkwy|terrace|terr|trail|trl|turnpike|' +
  'crescent|cres|crt|tce|mews|alley|expressway|freeway|esplanade|motorway|quay|causeway|promenade|nagar|marg|chowk|salai|vihar)'
/** Endings that are common words. They need a phrase such as "lives at", or a postcode. */
const PLACE =
  '(?i:court|ct|way|place|pl|square|sq|circle|cir|close|grove|gardens|hill|row|walk|park|loop|plaza|path|point|pass|ridge|view|run|' +
  'crossing|heights|manor|meadows?|bridge|brook|center|common|corner|cove|creek|curve|dale|estates?|falls|field|ford|forest|fork|' +
  'glen|green|harbor|haven|island|isle|junction|key|knolls?|lake|landing|lock|lodge|mall|mill|mount|mountain|neck|orchard|oval|' +
  'pike|pine|plains?|port|prairie|ramp|ranch|rapids?|rest|river|route|shoals?|shores?|springs?|spur|station|stream|summit|trace|' +
  'track|tunnel|union|valley|approach|rise|parade|pde|colony|enclave|vale|yard|gate|viaduct|village|ville|vista|wall|wells?|wharf|wynd)'
const UNIT =
  '(,? ?(?i:apt|app|apartment|suite|ste|unit|flat|floor|fl|room|rm|bldg|building|#|no)\\.? ?#?\\w{1,6}|,? (\\d{1,2}(?i:st|nd|rd|th)|(?i:ground|first|second|third|fourth|fifth|top)) (?i:floor|fl))?'
/** Stands before the number of the house. */
const UNIT_BEFORE =
  '((?i:flat|unit|apt|apartment|suite|shop|room|level)\\.? ?#?\\d{1,4}[A-Za-z]?(,|/|,? -) ?|U\\d{1,3}[ /,] ?|' +
  '(?i:plot|house|flat|door|shop|h\\.) ?(?i:no)\\.? ?)?([A-Z]-)?'
/** State and code of the US, Canada and Australia, or a code that only addresses have. */
const CODE = `([A-Z]{2}\\.?,? \\d{5}(-\\d{4})?|(?i:${UK_CODE})|(\\(?[A-Z]{2}\\)?,? {1,2})?[A-Z]\\d[A-Z] ?\\d[A-Z]\\d|(NSW|VIC|QLD|SA|WA|TAS|NT|ACT),? \\d{4})`
const STATE =
  '(A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|' +
  'AB|BC|MB|N[BLST]|ON|PE|QC|SK|YT|NSW|VIC|QLD|SA|WA|TAS|ACT)'
/** City, state and code: with such a code, with a longer number, or with the letters of a state. */
const PLACES = `((((,? |,?\r?\n)${CITY}){0,3},? ${CODE}|(,? ${CITY}){1,3},? (- ?)?(\\d{5,6}|\\d{3} \\d{3}|[03-9]\\d{3})|, ${CITY},? ${STATE}|, ${CITY}, [A-Z]{2})${COUNTRY})?`

/** `221b Baker Street`, `1600 Pennsylvania Ave NW, Washington, DC 20500`. */
export const streetAddress: Detector = {
  ...address,
  check: 'number, name and kind of street; common words only in context',
  patterns: [
    `${UNIT_BEFORE}\\d{1,6}([/\\-]\\d{1,4})?[A-Za-z]?,? (${DIRECTION} )?(${CAPITAL}|\\d{1,3}(?i:st|nd|rd|th))( ${CAPITAL}){0,3} (${STREET}|${PLACE})\\.?( ${DIRECTION})?${UNIT}${PLACES}`,
    `${UNIT_BEFORE}\\d{1,6} (${DIRECTION} )?\\d{1,3}(?i:st|nd|rd|th) (${STREET}|${PLACE})\\.?( ${DIRECTION})?${UNIT}${PLACES}`,
    `${UNIT_BEFORE}\\d{1,6} (${DIRECTION} )?(?i:county|concession|regional|state|rural|old state|farm to market|ranch|township|forest) (?i:road|rd|route|rte|highway|hwy)\\.? \\d{1,4}[A-Z]?${UNIT}${PLACES}`,
    `\\d{1,6} \\d{1,3} (?i:ave?|avenue|street|st)\\.? ${DIRECTION}${UNIT}${PLACES}`,
    `\\d{1,6} (?i:broadway|park avenue)${UNIT}${PLACES}`,
    `${UNIT_BEFORE}\\d{1,4}[A-Za-z]?,? ${CITY}(, ${CITY}){0,3},? ${UK_CODE}${COUNTRY}`,
    `((?i:flat|plot|house|door|shop)\\.? ?((?i:no)\\.? ?)?[A-Za-z]?-?\\d{1,4}[A-Za-z]?(/\\d{1,4})?|[A-Z]-?\\d{1,4}(/\\d{1,4})?|\\d{1,4}[A-Za-z]?(/\\d{1,4})?),? (${CAPITAL}( ${CAPITAL}| \\d{1,3}){0,3},? ?){1,5}(- ?)?(\\d{6}|\\d{3} \\d{3})${COUNTRY}`,
    `(?i:p\\.? ?o\\.? ?box|postfach|apartado|casella postale|bo\\Lte postale|postbus|caixa postal) ?#?\\d{1,7}${PLACES}`,
  ],
  judge: judgeEnglish,
}

const HAS_STREET =
  /\b(?:(?:county|state|rural|township) (?:route|rte)|street|str?|avenue|ave?|road|rd|boulevard|blvd|lane|ln|drive|dr|highway|hwy|parkway|pkwy|terrace|terr|trail|trl|turnpike|crescent|cres|mews|alley|broadway|expressway|nagar|marg|chowk|salai|vihar|p\.? ?o\.? ?box|postfach|apartado|postbus)\b/i
const HAS_PLACE =
  /(?:\b[A-Z]{2}\.?,? \d{5}(?:-\d{4})?|\b[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}|\b[A-Z]\d[A-Z] ?\d[A-Z]\d|\b(?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT),? \d{4}|\p{L}[,\s-]+\d{5,6})(?:,? [A-Z][\p{L}.]*(?: [A-Z]\p{L}*)?)?$/u
/** `1700-1702 Elm Street, Springfield`, not `in 2008-2010 Wall Street, …`. */
const HOUSES = /^(\d{4})-(\d{4}) [^,]*\b(?:street|avenue|road|boulevard)\b/i
const DURING = /\b(?:in|during|of|the|from|between|after|before|since|until|for) $/i
const YEAR = /^(?:1[6-9]\d|20[0-4])\d(?:-(?:1[6-9]|20)?\d\d)?,? [A-Z]/
/** `1945 E 42nd St`: no sentence goes on like that after a year. */
const GRID = /^\d{4} (?:[NSEW]|[NS][EW])\.? \d/
/** `1 April 048977` of a meter. */
const DAY =
  /^\d{1,2}(?:st|nd|rd|th)?,? (?:January|February|March|April|May|June|July|August|September|October|November|December)\.?,? \d+$/i
/** `NGC 6822, HD 209191`: two stars. */
const CATALOGUE = /^\d{1,4},? [A-Z]{2,4} \d{6}$/
/** `Unit 4/109 Beach Parade`. */
const WITH_UNIT = /^(?:flat|unit|apt|apartment|suite)\b/i
/** The Free Software Foundation, whose address is in the headers of files and in licences. */
const FOUNDATION = /\bFree\W{1,12}Software\W{1,12}Foundation[^\w.]{1,12}(?:Inc\W{0,12})?$/

function judgeEnglish(m: Candidate): number {
  const { value } = m
  if (/^[.,-]$/.test(m.before(1)) && /\d/.test(m.before(2))) return 0
  if (DAY.test(value) || CATALOGUE.test(value)) return 0
  if (FOUNDATION.test(m.text.slice(Math.max(0, m.start - 64), m.start))) return 0
  if (/^\d+[ -](?:Minute|Hour|Week|Month|Year|Step)s? /i.test(value) && !HAS_PLACE.test(value)) return 0
  if (HAS_PLACE.test(value)) return 0.9
  const near = m.contextBefore()
  if (near > 0) return 0.8
  // "In 1996 Summer Drive sold" and "1991-1997, Thomas G. Lane" begin with years.
  if (YEAR.test(value) && !isRangeOfHouses(m) && !GRID.test(value)) return 0
  return HAS_STREET.test(value) || WITH_UNIT.test(value) ? 0.7 : 0
}

/** Houses of one side of a street, a few numbers apart, and a town. */
function isRangeOfHouses(m: Candidate): boolean {
  const [, first, last] = HOUSES.exec(m.value) ?? []
  const distance = Number(last) - Number(first)
  if (!(distance > 0 && distance < 40 && distance % 2 === 0)) return false
  if (DURING.test(beforeMarks(m.text.slice(Math.max(0, m.start - 12), m.start)))) return false
  return /,/.test(m.value) || /^, [A-Z]/.test(afterMarks(m.following(6)))
}
