import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'
import { address, CAPITAL, COUNTRY, TOWN } from './address-parts.ts'

const POSTCODE = `((,? |,?\r?\n)(?i:d-|f-|i-|e-|a-|ch-|b-|nl-)?(\\d{4,5}|\\d{4} ?[A-Z]{2},?|\\d{2}-\\d{3}|\\d{3} \\d{2}) ${TOWN}( [A-Z]{2})?${COUNTRY})?`
/** Floor and door: `3o B` for `3º B`, `2. tv`, `apto 42`, `bus 3`, `Top 5`. */
export const DOOR =
  '((,? (EG|DG|HH|VH|[1-9]\\. (OG|Stock|Etage)|Hinterhaus|Vorderhaus|Seitenfl\\Lgel|Gartenhaus|bajo|entresuelo|entlo\\.|\\Ltico|b\\Lt\\. ?[A-Z]|[1-9]-[1-9]))|(,? (\\d{1,2}(o|a|°|\\.){1,2}|(?i:st)\\.?)( ?(?i:izquierda|izda|izq|derecha|dcha|dch|puerta|esq|dto|frente|tv|th|mf|[a-h]|\\d{1,2})\\.?)?)?' +
  '(,? (?i:apto|appt|apt|ap|app|bloco|bloque|sala|interno|int|scala|sc|bus|bte|bo\\Lte|lgh|whg|wohnung|top|stiege|esc|escalera|puerta|pta|piso|planta|b\\Lt|m|lok)\\.? ?#?(\\d{1,4}[A-Za-z]?|[A-Za-z])){0,2})'
const HOUSE = '( ?[a-zA-Z]| bis)?([/\\-](\\d{1,4}[a-zA-Z]?|[A-Z]|hs|I{1,3}|IV)){0,2}'
const NUMBER = `\\d{1,5}${HOUSE}`
/** "Im Jahr 1910" is no address; house numbers of such streets are shorter. */
export const SHORT_NUMBER = `\\d{1,3}${HOUSE}`
export const NO = '(?i:n\\.?[o°]?\\.? ?|num\\.? |n\\Lm\\.? |numero |n\\Lmero |nr\\.? ?)?#?'
const OF =
  "((?i:de la|de los|de las|de|del|della|delle|dei|degli|di|da|das|do|dos|du|des|d'|d’|l'|l’|la|le|les|van|von|van de|van der|den) ?)"
/** Of a street; also a day: `15 de Novembro`, `4 Novembre`, `8 mai 1945`. */
const NAMES = `(${OF}?${OF}?${CAPITAL}([ \\-](${OF}?${CAPITAL}|\\d{1,2})){0,3}|(${OF})?\\d{1,2}(er|o|°)?[ \\-]((?i:de|di|d') ?)?${CAPITAL}( (de )?\\d{4})?)`
/** Words before the name of a street that belong to it. */
const FIRST =
  '(Lange|Korte|Oude|Nieuwe|Prins|Prinses|Koningin|Sint|St\\.|Dr\\.|Kleine|Gro\\Le|Obere|Untere|Alte|Neue|Burgemeester|Van|Von|Van der|Van den|De|' +
  'Norra|S\\Ldra|\\Lstra|V\\Lstra|Stora|Lilla|Gamla|Nya|Nedre|\\Lvre|N\\Lrre|S\\Lndre|\\Lster|Vester|Store|Lille|Gamle|Ny)'
const ENDING =
  'stra\\Le|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|quai|stieg|steig|straat|laan|plein|gracht|kade|dijk|singel|plantsoen|steeg|hof|' +
  'v\\Lgen|gatan|gata|torget|all\\Ln|stigen|gr\\Lnd|katu|tie|vej|vejen|vei|veien|gade|gaden|gaten|torvet|str\\Lde|stien|plads'
/** What streets are called after, with a preposition: `Am Markt`, `An der Alster`, `Unter den Linden`. */
const LANDMARK =
  '([A-Z\\L]\\l*)?(?i:markt|platz|bach|see|hof|wald|feld|tor|graben|damm|anger|garten|grund|ufer|kirche|m\\Lhle|br\\Lcke|linden?|hang|weiher|teich|' +
  'burg|schlo\\L|schloss|rathaus|bahnhof|friedhof|hafen|holz|acker|wiesen?|winkel|brunnen|kanal|wehr|h\\Lgel|h\\Lhe|kamp|moor|heide|busch|zoo|' +
  'alster|isar|main|rhein|elbe|spree|neckar|donau|saale|weser)'
const AT = '(Am|Im|An der|An den|In der|In den|Auf der|Auf dem|Hinter der|Vor dem|Zum|Zur|Unter den|Bei der|Beim)'

/** `Hauptstraße 5, 10115 Berlin`, `12 rue de la Paix`, `Avenue Louise 26`, `Calle Mayor 3`, `Via Roma 12`, `Kerkstraat 9`, `ul. Nowa 5`. */
export const streetAddressEurope: Detector = {
  ...address,
  check: 'kind of street in DE, FR, ES, IT, PT, NL, PL, SE, DK, NO, FI, then a number',
  patterns: [
    `(${FIRST} (${CAPITAL} )?|\\d{1,2}e (${CAPITAL} )?|[A-Z]\\l{1,4}\\. ((de|van|van der|ten) )?)?[A-Z\\L][\\l\\-]*(?i:${ENDING}),? ${NO}${NUMBER}${DOOR}${POSTCODE}`,
    `(${CAPITAL} ){1,3}(?i:stra\\Le|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|laan|plein) ${NUMBER}${DOOR}${POSTCODE}`,
    `${FIRST} (Dijk|Weg|Markt|Gracht|Haven|Singel|Kade|Plein|Straat|Laan|Steenweg|Baan|Torget|Torg|Gatan|V\\Lgen|Hamnen|Kajen|Plads|Torv) ${NUMBER}${DOOR}${POSTCODE}`,
    `(Steenweg|Weg|Laan|Straat|Baan) (op|naar|van|over) ((de|den|het) )?${CAPITAL} ${NUMBER}${DOOR}${POSTCODE}`,
    `(${AT}|Alte|Alter|Neue|Neuer) ${CAPITAL}( ${CAPITAL})? ${SHORT_NUMBER},? (D-)?\\d{5} ${CAPITAL}`,
    `${AT} ((Alten?|Neuen?|Gro\\Len?|Kleinen?) )?${LANDMARK} ${SHORT_NUMBER}`,
    `\\d{1,4}(-\\d{1,4})?( ?(?i:bis|ter|quater|[a-d]))?,? (?i:rue|avenue|av\\.|boulevard|bd\\.?|bld|boul\\.?|sentier|mont\\Le|lotissement|hameau|r\\Lsidence|ruelle|c\\Lte|place|pl\\.|chemin|impasse|all\\Le|quai|route|cours|square|passage|faubourg) ${NAMES}${DOOR}${POSTCODE}`,
    `(?i:rue|avenue|boulevard|bd\\.|chemin|chauss\\Le|all\\Le|impasse|quai|ruelle|sentier) ${NAMES},? ${NO}${SHORT_NUMBER}${DOOR}${POSTCODE}`,
    `(?i:calle|c/|avenida|avda?\\.?|av\\.|paseo|plaza|pza\\.?|carrera|urbanizaci\\Ln|r\\La|camino|ronda|carretera|callej\\Ln|carrer|avinguda|passeig|pla\\La|traves\\La|glorieta|rambla|pasaje|cuesta) ?${NAMES},? ${NO}${NUMBER}${DOOR}${POSTCODE}`,
    `(?i:gran v\\La)( ${NAMES})?,? ${NO}${NUMBER}${DOOR}${POSTCODE}`,
    `(?i:via|viale|v\\.le|piazza|p\\.za|corso|c\\.so|v\\.|largo|vicolo|strada|piazzale|piazzetta|lungarno|lungotevere|lungomare|lungolago|contrada|salita|borgo|fondamenta) ${NAMES},? (?i:n\\.? ?)?${NUMBER}${DOOR}${POSTCODE}`,
    `(?i:rua|avenida|av\\.|travessa|pra\\La|alameda|estrada|largo|rodovia|ladeira|beco|cal\\Lada) ${NAMES},? ${NO}${NUMBER}${DOOR}`,
    `(?i:ul\\.|ulica|ulicy|al\\.|aleja|aleje|alei|os\\.|osiedle|plac|placu|pl\\.|rondo|skwer) ?${NAMES} ${NUMBER}${DOOR}${POSTCODE}`,
  ],
  refuses: (m) => isSentence(m.value),
  judge: judgeEuropean,
}

/** Endings that ordinary words share: "During 10 years", "String 5", "Bauernhof 3". */
const WEAK_ENDING = /^[^\d]{0,40}(?:ring|tie|gata|katu|ufer|damm|plein|hof|steig|stien)\.? \d/i
/** Ordinary words with the ending of streets, and names of persons. */
const ORDINARY =
  /^(?:(?:um|aus|rück|hin|heim|rad|fuß|wander|feld|lehr|arbeits|schul|lebens|werde|seh|halb|brems|fahr|reit|dienst|rechts|haupt|mittel|lösungs|zu|fern|sitz|stell|park|studien|ausbildungs|spiel|sport|tabellen|spitzen|steh|start|lande|speicher|ehren|schau|bri|rene|lo|bro|avant|weg|van)?(?:weg|platz|gade|dijk)|van dijk)\.? \d/i
/** Kinds that begin with a small letter and are words of no other kind. */
const KIND =
  /^(?:ul\.|ulica|ulicy|al\.|aleja|aleje|os\.|osiedle|plac |placu |pl\.|rue |avenue |boulevard |chaussée |calle |c\/|avenida |avda?\.|carrer |avinguda |passeig |rua |travessa |praça |gran vía)/iu
/** `et al. Nature 12`. */
const CITATION = /\bet $/i
/** `R. v. Jordan, 2016 SCC 27`: who sues whom. */
const VERSUS = /^v\. /
const PARTY = /\p{Lu}[\p{L}.]*,? $/u
/** What is counted, after a number. */
const COUNTED = /^ \p{Lu}\p{Ll}/u

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

/** `An der Alster`; also its beginning, which is all that a stream may have. */
const AN_DER = /^An (?:$|d(?:$|e(?:$|[nr](?: |$))))/

/** Whether it is a sentence. Street names are in Latin letters and do not begin with such a word. */
export function isSentence(value: string): boolean {
  const first = /^(\p{L}+) /u.exec(value)?.[1]
  if (first === undefined || AN_DER.test(value)) return false
  return first >= '\u0370' || OPENERS.has(first.toLowerCase())
}

function judgeEuropean(m: Candidate): number {
  if (isSentence(m.value)) return 0
  if (VERSUS.test(m.value) && PARTY.test(m.text.slice(Math.max(0, m.start - 24), m.start))) return 0
  const near = m.contextBefore()
  if (near > 0 || /\d{4,5} \p{L}+/u.test(m.value)) return 0.85
  const number = /(\d+)\D*$/.exec(m.value)?.[1] ?? ''
  // "Ring 2019", "via Roma 1990": a year is no house number.
  if (/^(?:1[6-9]|20)\d\d$/.test(number)) return 0
  if (WEAK_ENDING.test(m.value) || ORDINARY.test(m.value)) return 0
  if (/^a/i.test(m.value) && CITATION.test(m.text.slice(Math.max(0, m.start - 4), m.start))) return 0
  if (PREPOSITION.test(m.value) && COUNTED.test(m.following(3))) return 0
  return /^\p{Lu}|^\d/u.test(m.value) || KIND.test(m.value) ? 0.65 : 0
}

const PREPOSITION = /^(?:A[mnu]|I[mn]|Hinter|Vor|Zu[mr]|Unter|Bei)/
