import { titlesOf } from './titles.ts'

/** What is looked at before a name, characters; fits the context of a stream. */
export const PRIVATE_CONTEXT = 96

const list = (words: string): string => words.trim().replace(/\s*\n\s*/g, '|')

/** Words that open a letter or a chat. */
const SALUTATION = new RegExp(
  `(?:^|[\\n.!?>"“:,\\]])\\s*(?:${list(`
  dear|hi|hello|hey|hiya|yo|greetings|good (?:morning|afternoon|evening|day)|thanks|thank you|many thanks|thx|welcome(?: back)?|bye|sorry
  lieber|liebe|sehr geehrter?|hallo|guten (?:tag|morgen|abend)|servus|moin|danke|vielen dank
  cher|chère|bonjour|bonsoir|salut|merci|coucou
  estimad[oa]|querid[oa]|hola|buenos días|buenas tardes|gracias
  car[oa]|ciao|gentile|egregio|buongiorno|grazie
  beste|geachte|hoi|dag|goedemorgen|bedankt
  prezad[oa]|olá|oi`)}),?[ ]$`,
  'iu',
)
/** Words that end one, in front of the name on the same or the next line. */
const CLOSING = new RegExp(
  `(?:^|[\\n.!?,] *)(?:${list(`
  (?:(?:best|kind|kindest|warm|warmest) )?regards|best(?: wishes)?|cheers|(?:yours )?(?:sincerely|truly|faithfully)(?: yours)?|yours|thanks(?: again| in advance| a lot| so much)?
  thank you(?: very much| so much| in advance)?|many thanks|respectfully|cordially|love|xoxo|take care|all the best|talk soon|see you(?: soon)?|signed
  (?:mit freundlichen |freundliche |viele |liebe |beste |herzliche |schöne )?grüßen?|gruß|lg|mfg|vg|danke|hochachtungsvoll
  (?:bien )?cordialement|bien à (?:vous|toi)|salutations(?: distinguées)?|amicalement|à bientôt|merci
  (?:un )?(?:cordial )?saludos?|atentamente|un abrazo|gracias
  (?:cordiali |distinti )?saluti|a presto|grazie|(?:met )?(?:vriendelijke |hartelijke )?groeten?|groetjes|atenciosamente|abraços?`)})[ ]*[,.!]?(?:[ ]*\\n[\\s>*–—-]*|[ ]+[–—-]*[ ]*)$`,
  'iu',
)
/** Keys of forms, records, mail headers and JSON. */
const KEY = list(`
  (?:full|first|last|given|family|middle|maiden|legal|preferred|display|contact|customer|client|patient|employee|user|guest|applicant|account|card ?holder|policy ?holder|spouse|emergency contact|author|sender|recipient|student|teacher|tenant|member|candidate|beneficiary|billing|shipping)[ _-]?name
  name|names|surname|firstname|lastname|fullname|forename|nickname|username
  customer|client|patient|contact(?: person)?|emergency contact|employee|applicant|candidate|tenant|landlord|guest|beneficiary|assignee|assigned to|reporter|reported by|requester|requested by
  attendees?|participants?|present|from|to|cc|bcc|reply-to|sender|recipient|signed(?: by)?|prepared by|approved by|submitted by|caller|user|member|owner|(?:account |card |policy )?holder|insured|claimant|student|teacher
  mother|father|parent|guardian|child|spouse|husband|wife|next of kin|son|daughter|sibling|attn|attention|bill to|ship to|deliver to|sold to|payee|payer
  physician|doctor|nurse|therapist|manager|supervisor|account manager|agent|referred by|witness|lawyer|attorney|plaintiff|defendant|buyer|seller|driver|passenger|traveller|traveler
  vorname|nachname|familienname|geburtsname|kunde|kundin|patientin|ansprechpartner(?:in)?|von|an|betreuer(?:in)?|mieter(?:in)?|vermieter(?:in)?|teilnehmer|absender|empfänger|hausarzt|kontakt
  nom|prénom|prenom|client|cliente|de|à|destinataire|expéditeur|médecin
  nombre(?: completo)?|apellidos?|paciente|para|remitente|destinatario|contacto
  nome|cognome|paziente|da|naam|voornaam|achternaam|klant|patiënt`)
const FIELD = new RegExp(`(?:^|[\\n"'{,;|(<>.*_\\t-])[ ]*(?:${KEY})["'*_]*[ ]*(?:[:=|>\\t]|=>)[ ]*["'*_<]*$`, 'iu')
/** Keys in camel and snake case: \`customerName\`, \`patient_full_name\`. */
const CODE_KEY = /["'\s{,][a-z]+(?:_?[A-Za-z]+)*(?:_n|N)ame["']?\s*[:=]\s*["']$/u

const RELATION = list(`
  customer|client|patient|colleague|coworker|co-worker|boss|manager|supervisor|wife|husband|partner|son|daughter|child|baby|brother|sister|mother|father|mom|mum|dad|grandmother|grandfather|grandson|granddaughter|aunt|uncle|cousin|nephew|niece|friend|girlfriend|boyfriend|fiancée?|ex|neighbou?r|roommate|flatmate|tenant|landlord|landlady|doctor|therapist|teacher|student|lawyer|accountant|assistant|employee|candidate|nanny|guest|teammate|intern`)
const INTRODUCTION = new RegExp(
  `(?:${list(`
  (?:my|his|her|the|our|their|your) (?:(?:full|first|last|real|legal|user|birth) )?name(?: is|['’]s|:)
  (?:i am|i['’]m|it['’]s me,?|this is|call me|i go by|you can call me|known as|signed|myself)
  (?:my|our|his|her|their|your)(?: (?:new|old|former|ex|late|elder|older|younger|little|big|best|good|long-time))?(?:[ -](?:${RELATION}))(?:,| is| named| called)?
  the (?:customer|client|patient|caller|applicant|candidate|tenant|claimant|employee|defendant|plaintiff|witness|student|guest)(?:,| is| named)?
  patient|named|i spoke (?:to|with)|i talked to|i met(?: with)?|i know
  mein name ist|ich hei(?:ß|ss)e|ich bin|hier (?:ist|spricht)|(?:mein|meine|unser|unsere|dein|deine|ihr|ihre|sein|seine)(?:e[mnrs])? (?:kunde|kundin|chef|chefin|frau|mann|sohn|tochter|bruder|schwester|mutter|vater|freund|freundin|kollege|kollegin|nachbar|nachbarin|patient|patientin|mieter|arzt|ärztin)
  (?:der|die) (?:patient|patientin|kunde|kundin|mieter|mieterin|antragsteller|bewerber|bewerberin)
  je m['’]appelle|mon nom est|je suis|(?:mon|ma|notre|votre) (?:client|cliente|patron|femme|mari|fils|fille|frère|sœur|mère|père|ami|amie|collègue|voisin|voisine)|le patient|la patiente
  me llamo|mi nombre es|yo soy|soy|(?:mi|nuestro|nuestra|su) (?:cliente|jefe|jefa|esposa|esposo|marido|mujer|hijo|hija|hermano|hermana|madre|padre|amigo|amiga|colega|vecino|vecina)|el paciente|la paciente
  mi chiamo|il mio nome è|sono|ik ben|mijn naam is|ik heet|o meu nome é|meu nome é|eu sou`)})[ ]$`,
  'iu',
)
const OPENS = /(?:^|[^\p{L}\p{N}])$/u
/** Between the names of a list: if the first is private, so are the others. */
export const LINK = /^(?:[ ]*(?:,|;|&|\/)[ ]*(?:and|und|et|y|e|en)?[ ]*|[ ]+(?:and|und|et|y|e|en|or)[ ]+)$/iu

/** Whether the text before a name says that it is somebody's who is no public figure. */
export function isIntroduced(text: string, start: number, end: number): boolean {
  const name = text.slice(start, end)
  const titles = titlesOf(name)
  const before = text.slice(Math.max(0, start - PRIVATE_CONTEXT), start)
  if (SALUTATION.test(before)) return true
  if (CLOSING.test(before)) return isEndOfLine(text, end)
  if (FIELD.test(before) || CODE_KEY.test(before)) return true
  if (/^(?:mr|mrs|ms|miss|herr|herrn|frau|mme|mlle|sra?|srta)\b/i.test(titles)) return true
  const match = INTRODUCTION.exec(before)
  return match !== null && OPENS.test(before.slice(0, match.index))
}

/** Whether only blanks or a full stop follow on the line, as behind a signature. */
function isEndOfLine(text: string, end: number): boolean {
  const after = /^[ ]*[.!,]?[ ]*(?:\n|$)/.exec(text.slice(end, end + 4))
  return after !== null || end >= text.length || /^[ ]*(?:[|,(<-]|\p{Lu})/u.test(text.slice(end, end + 4))
}
