import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { endsFormula } from '../engine/emphasis.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'
import { COMPANY_NUMBER_WORDS, NUMBER_WORDS } from './national-languages.ts'
import { COMPANY_NAMES, namesOf, PERSONAL_NAMES } from './national-names.ts'
import { COMPANY_WORDS, PERSONAL_WORDS } from './national-words.ts'

/** Groups of digits, with letters in front, between or at the end: `CHE-105.838.471`, `710319/2745`, `00000000 0 ZZ4`. */
const SHAPES = [
  '[A-Za-z]{0,3}\\d{5,22}[A-Za-z]{0,2}',
  '\\d{1,12}(([ .\\-/]| - )\\d{1,13}){1,6}(\\-?[A-Za-z])?',
  '\\d{2}\\-\\d{6,7}\\-[A-Z]\\-\\d{2,3}',
  '\\d{5,8} ?[\\-/] ?[A-Z]',
  '[A-Z]{1,4}[ \\-.]?\\d{1,12}([ .\\-]\\d{1,8}){0,5}([ \\-][A-Z0-9]{1,4})?',
  '([A-Z]{2} ?)?[A-Z]-?\\d{7,9}[A-Z0-9]?',
  'FN ?\\d{5,6} ?[a-z]',
  '\\d{2,9}([ \\-/]\\d{1,9}){0,2}[ \\-/]?[A-Z]{1,3}\\d{0,6}',
  '[A-Z0-9]{7,20}',
  '(\\d{6,8}|\\d{3} \\d{3,4}) ?/? ?[A-Z]([ /]?[A-Z]){1,2}[ /]?\\d{3}',
  '[CFJ]\\d{1,2} ?/ ?\\d{1,6} ?/ ?(\\d{2}\\.\\d{2}\\.)?\\d{4}',
  '\\d( \\d){8,18}',
  '\\d{3}/[A-Z]{1,2}\\d{3,6}',
  '[A-Z]{2}\\d{2}[A-Z0-9]{3}\\d{8,11}',
  '[A-Z]{2}( ?\\d{4}){4} ?[A-Z]{2}( ?\\d[A-Z])?',
  '[A-Z]{1,2} ?\\d{6} ?\\([0-9A]\\)',
  '\\L{2}[ \\-]?\\d{6,7}',
  '\\d{10} TQ ?\\d{4}',
  'ES ?\\d{4}[ \\-]\\d{12}[ \\-][A-Z]{2}( ?\\d[A-Z])?',
]

/** For countries without their own detector: checks only the words beside the number. */
export const nationalId: Detector = {
  type: 'national_id',
  title: 'Other national, tax or identity card number',
  level: 'RESTRICTED',
  check: 'letters and digits in context',
  onlyInContext: true,
  namedBehind: true,
  fewestDigits: 5,
  patterns: SHAPES,
  context: [
    ...words(`
    national id, national id number, national identity, national identity number, national identification,
    national identification number, identity card, identity card number, id card, id card number, identity number,
    identification number, government id, citizen id, citizenship number, personal id, personal identification,
    personal number, nid, nin, tax id, tax number, tax identification, tax identification number, taxpayer, tin,
    vat number, vat id, voter id, voter, ssn, social security, socialnum, residence permit, green card,
    visa number, ausweisnummer, personalausweis, umsatzsteuer-id, ust-id, carte d'identité,
    carte nationale d'identité, cni, cédula, cedula, documento de identidad, rut, cuit, cuil, ruc, rfc,
    identiteitskaart, cartão de cidadão, rg, documento, dowód osobisty, partita iva, id-kort, ssn number, 身份证,
    マイナンバー, 個人番号, 주민등록, инн, снилс, identity code, personal identity code, personal code, personal id code, citizen number,
      national number, national identifier, social security number, social insurance number, birth number, tax code,
      fiscal code, fiscal number, taxpayer number, taxpayer registration number, taxpayer id number, foreigner number,
      foreigner id, resident number, pension number, pension insurance number, insurance number, codice fiscale,
      steuer-id, numéro de sécurité sociale, aadhaar, nino, national insurance number
  `),
    ...namesOf(PERSONAL_NAMES),
    ...PERSONAL_WORDS,
    ...NUMBER_WORDS,
  ],
  judge(m) {
    if (m.digitCount < 5 || m.compactCount > 22 || m.isJoined || DATE.test(m.value) || isDocument(m)) return 0
    if (isOfAmount(m) || (/[€$£¥]/.test(m.before(1)) && !endsFormula(m)) || isOfNextMember(m)) return 0
    const near = m.contextBefore()
    return near > (m.isCalledNumber || isGiven(m) ? 0.5 : 0.7) && !isAfterWord(m) ? 0.4 + near * 0.3 : 0
  },
}

/** Serial numbers of documents with few digits: `NXR4K9L21`. */
export const nationalIdLetters: Detector = {
  ...nationalId,
  check: 'capitals and digits right after its name',
  fewestDigits: 1,
  patterns: ['[A-Z]{2}[A-Z0-9]{6}\\d', '[A-Z][A-Z0-9]{8}'],
  judge(m) {
    if (m.digitCount === 0 || (m.digitCount === 1 && !/\d$/.test(m.value)) || m.isJoined) return 0
    return m.contextBefore() > (m.isCalledNumber ? 0.5 : 0.8) ? 0.6 : 0
  },
}

/** Abbreviations that mean other things as well: only a long number right after them counts. */
export const nationalIdShort: Detector = {
  ...nationalId,
  check: 'eight or more digits, or a check letter, right after an abbreviation',
  fewestDigits: 5,
  contextGroup: 'national_id/short',
  context: words(
    'nit, c.i, ci, ni, cr, cn, mf, vid, cpf, bis, rč, peid, nuit, vnr, pin, cin, cae, cui, cni, idn, cip, nis, nit, sip, ak, ik, tic, lnc, bn, pnf, eid, mst, rc, moa, bi, nn, rn, ce',
  ),
  judge(m) {
    if (VERSION.test(m.text.slice(Math.max(0, m.start - 8), m.start)) || isPermalink(m)) return 0
    if (m.compactCount > 22 || m.isJoined || isYear(m.value) || isDay(m.digits) || isOutline(m)) return 0
    if (ZIP_CODE.test(m.value)) return 0
    if (m.digitCount < 8 && !CHECK_LETTER.test(m.value)) return 0
    if (isAfterWord(m)) return 0
    const near = isOfNextMember(m) ? 0 : m.contextBefore()
    // `the NIT on the form (213.123.432-1)`: three groups, and a check digit after a hyphen.
    return near > 0.92 || (near > 0.8 && GROUPED.test(m.value)) ? 0.6 : 0
  },
}

/** Anybody's own number is "my number", so only the check digit tells Japan's. */
export const jpMyNumber: Detector = {
  ...nationalId,
  check: 'JP: check digit, in context',
  fewestDigits: 12,
  patterns: ['\\d{12}', '\\d{4}([ \\-]\\d{4}){2}'],
  contextGroup: 'national_id/jp',
  context: words('my number, my number card, individual number, kojin bango'),
  judge: (m) => (m.digitCount === 12 && !m.isJoined && isMyNumber(m.digits) && m.contextBefore() > 0.8 ? 0.7 : 0),
}

/** `CC 00000000 0 ZZ4`: the abbreviation means cards, too. */
export const ptCitizenCard: Detector = {
  ...nationalIdShort,
  check: 'structure of the Portuguese card right after an abbreviation',
  patterns: ['\\d{8} ?\\d ?[A-Z]{2} ?\\d'],
  contextGroup: 'national_id/cc',
  context: ['cc'],
}

/** Tax and register numbers of companies: sole traders are found by them, too. */
export const companyId: Detector = {
  type: 'company_id',
  title: 'Company, VAT or trade register number',
  level: 'CONFIDENTIAL',
  check: 'letters and digits in context',
  onlyInContext: true,
  namedBehind: true,
  fewestDigits: 5,
  patterns: SHAPES,
  context: [...namesOf(COMPANY_NAMES), ...COMPANY_WORDS, ...COMPANY_NUMBER_WORDS],
  judge(m) {
    if (m.digitCount < 5 || m.compactCount > 24 || m.isJoined || isYear(m.value)) return 0
    if (isPrice(m) || isOutline(m) || isPermalink(m) || isOfNextMember(m)) return 0
    const near = m.contextBefore()
    return near > 0.75 ? 0.4 + near * 0.3 : 0
  },
}

/** With the code of a country: `GB 123 4567 89`, `CHE-105.838.471 MWST`. */
export const vatId: Detector = {
  ...companyId,
  check: 'letters of a country and digits in context',
  fewestDigits: 7,
  patterns: [
    'NL ?\\d{4}\\.\\d{2}\\.\\d{3}\\.B\\d{2}',
    'U\\d{8}',
    '\\d{3}\\.\\d{3}\\.\\d{3}',
    '[A-Z]{2,3}[ \\-]?[A-Z]?\\d{1,12}([ .\\-]\\d{1,9}){0,4}([A-Z]{1,2}| (?i:MWST|TVA|IVA|TPV|VAT))?',
  ],
  contextGroup: 'company_id/vat',
  context: words(
    'vat, tva, mwst, btw, iva, moms, mva, dph, pvn, pvm, gst, tax, ust, steuer, fpa, tin, enterprise number, uid, tpv, nwst, φπα, φ.π.α, n° tva, alv, oss, ioss, ddv, pdv, pvm, kmkr, btw-nr, vn, vinnutal, nif',
  ),
  judge(m) {
    if (m.digitCount < 7 || m.compactCount > 18 || m.isJoined || isOfMonth(m.value)) return 0
    // Amounts have dots, too.
    if (m.compactCount === m.digitCount && !isUid(m.digits)) return 0
    return m.contextBefore() > 0.6 ? 0.6 : 0
  },
}

/** `the VAT on the form (980 7806 84)`: words that amounts have, too. */
export const companyIdShort: Detector = {
  ...companyId,
  check: 'eight or more digits right after an abbreviation',
  contextGroup: 'company_id/tax',
  context: words(
    'vat, tva, mwst, btw, iva, moms, mva, φπα, φ.π.α, ддс, ič, ic, ик, dph, ddv, pdv, pvm, kmkr, едб, edb, ice',
  ),
  judge(m) {
    if (m.digitCount < 8 || m.compactCount > 18 || m.isJoined || isDay(m.digits)) return 0
    if (isPrice(m) || isOfMonth(m.value)) return 0
    // Amounts have eight digits, too.
    return m.contextBefore() > (m.digitCount < 9 ? 0.96 : 0.8) ? 0.6 : 0
  },
}

/** Whose structure says it: `GBHA792`, `8D79739I`, `DELM12345L`, `SN-DKR-2010-B-1234`, `33282 b`, `2008/012345/07`. */
export const companyIdLetters: Detector = {
  ...companyId,
  check: 'structure right after its name',
  fewestDigits: 3,
  patterns: [
    'GB(GD|HA)\\d{3}',
    '(IE ?)?\\d[A-Z+*]\\d{5}[A-Z]{1,2}',
    '(IE ?)?\\d{7}[A-Z]{1,2}',
    '[A-Z]{4}\\d{5}[A-Z]',
    '[A-Z]{2}-[A-Z]{3}-\\d{2,4}-[A-Z]\\d?-\\d{1,6}',
    '\\d{5,6} ?[a-z]',
    '(19|20)\\d{2}/\\d{6}/\\d{2}',
  ],
  contextGroup: 'company_id/letters',
  context: words(`
    vat, vat no, vat number, vat id, vat reg no, vat registration number, cbl, cáin bhreisluacha, tan, tan number, rccm, fn, cipc,
    cipc number, ck number, company registration, company registration number, reg no
  `),
  judge(m) {
    return m.digitCount > 2 && !m.isJoined && m.contextBefore() > 0.9 ? 0.6 : 0
  },
}

/** `213800KUD8LAJWSQ9D15`. */
export const companyIdLei: Detector = {
  ...companyId,
  check: 'LEI: ISO 17442, in context',
  fewestDigits: 2,
  patterns: ['[A-Z0-9]{18}\\d{2}'],
  contextGroup: 'company_id/lei',
  context: words('lei, lei code, lei number, lei no, legal entity identifier'),
  judge: (m) => (m.compactCount === 20 && !m.isJoined && isLei(m.compact) && m.contextBefore() > 0.7 ? 0.8 : 0),
}

/** Known by themselves: India's GSTIN and the VAT number of the Netherlands by their structure, VAT numbers of Germany, France, Norway and Switzerland by check digits. */
export const taxIdBare: Detector = {
  type: 'company_id',
  title: companyId.title,
  level: 'CONFIDENTIAL',
  check: 'IN, NL: structure; CA, CH, DE, FR, NO: check digits',
  patterns: [
    '[0-3]\\d[A-Z]{5}\\d{4}[A-Z][A-Z1-9]Z[A-Z0-9]',
    'DE\\d{9}',
    '(?i:CHE)[\\- ]?\\d{3}\\.?\\d{3}\\.?\\d{3}( (?i:MWST|TVA|IVA|TPV|VAT))?',
    '\\d{5} ?\\d{4} ?(?i:R[CMPRTZ]) ?\\d{4}',
    '[LU]\\d{5}[A-Z]{2}\\d{4}[A-Z]{3}\\d{6}',
    'FR ?\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}',
    '(NO ?)?\\d{3} ?\\d{3} ?\\d{3} ?MVA',
    'NL ?\\d{4}\\.?\\d{2}\\.?\\d{3}\\.?B\\.?\\d{2}',
  ],
  judge(m) {
    if (m.isOtherNumber) return 0
    const { value, digits } = m
    if (value.startsWith('NL')) return 0.9
    if (value.startsWith('DE')) return isMod1110(digits) ? 0.7 : 0
    if (/^che/i.test(value)) return isUid(digits) ? 0.8 : 0
    if (value.startsWith('FR')) return isFrenchVat(digits) ? 0.7 : 0
    if (value.endsWith('MVA')) return isNorwegian(digits) ? 0.8 : 0
    if (digits.length === 13) return validator.isLuhnNumber(digits.slice(0, 9)) ? 0.8 : 0
    return GSTIN.test(value) || CIN.test(value) ? 0.8 : 0
  },
}

/** Listing, industry, state, year, class and number (Ministry of Corporate Affairs of India). */
const CIN = /^[LU]\d{5}[A-Z]{2}(?:19|20)\d{2}(?:FLC|FTC|GAP|GAT|GOI|NPL|OPC|PLC|PTC|SGC|ULL|ULT)\d{6}$/
/** State, PAN of the holder, entity, Z, check character (GST rules of India, form GST REG-06). */
const GSTIN = /^[0-3]\d[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z][A-Z1-9]Z[A-Z0-9]$/

/** ISO 17442: mod 97-10 over the digits that letters stand for. */
const isLei = (value: string): boolean =>
  BigInt([...value.toUpperCase()].map((sign) => Number.parseInt(sign, 36)).join('')) % 97n === 1n

const MY_NUMBER_WEIGHTS = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

/** Japan's individual number: weights, modulo 11. */
function isMyNumber(digits: string): boolean {
  const rest = MY_NUMBER_WEIGHTS.reduce((total, weight, i) => total + weight * Number(digits[i]), 0) % 11
  return (rest < 2 ? 0 : 11 - rest) === Number(digits[11])
}

const UID_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4]

/** Swiss UID, eCH-0097: weights, modulo 11. */
function isUid(digits: string): boolean {
  const sum = UID_WEIGHTS.reduce((total, weight, i) => total + weight * Number(digits[i]), 0)
  return (11 - (sum % 11)) % 11 === Number(digits[8])
}

const NORWEGIAN_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2]

/** Organisation number, Brønnøysundregistrene: weights, modulo 11. */
function isNorwegian(digits: string): boolean {
  const sum = NORWEGIAN_WEIGHTS.reduce((total, weight, i) => total + weight * Number(digits[i]), 0)
  return (11 - (sum % 11)) % 11 === Number(digits[8])
}

/** Two check digits over the nine of the SIREN, modulo 97. */
const isFrenchVat = (digits: string): boolean =>
  (12 + 3 * (Number(digits.slice(2)) % 97)) % 97 === Number(digits.slice(0, 2))

/** ISO 7064, mod 11,10. */
function isMod1110(digits: string): boolean {
  let product = 10
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (digits.charCodeAt(i) - 48 + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits.at(-1))
}

/** Names that are words of sentences and of software, too. */
const WORDS = new Set(
  'ak bi bis ce ci cie cn cr cui cups dui eid ik inn mf moa mst ni nida nie nik nit nn pin pis rc rg rif rn run sip taj tic tin vid'.split(
    ' ',
  ),
)
/** Of them, in small letters, names of columns of something else: a row, a run, an event. */
const WORDS_OF_HEADS = new Set('ak bi bis ce ci cn cr eid moa ni nn pin pis rc rn run sip tic vid'.split(' '))
/** Chile's RUN counts with the signs of its format alone: `run 7284617283`. */
const RUN = 'run'
/** The word, and what is between it and the number. */
const WORD_BEFORE = /(\p{L}+)([^\p{L}\d]{0,4}|[^\p{L}\d]{1,3}(?:id|no|nr|number)[^\p{L}\d]{1,3})$/iu
const LONGEST_BEFORE = 24

/** `1.9.2-rc.5` of a version. */
const VERSION = /[\d-]-?(?:rc|pre|dev)\.?$/i

/** Whether the word before a plain number may be one of a sentence, or part of a name: `bis 88421934`, `CR-12345678`. */
function isAfterWord({ text, start, value, head }: Candidate): boolean {
  if (/\D/.test(value)) return false
  if (head !== '') return WORDS_OF_HEADS.has(head)
  const [, word = '', between = ''] = WORD_BEFORE.exec(text.slice(Math.max(0, start - LONGEST_BEFORE), start)) ?? []
  const name = word.toLowerCase()
  if (!WORDS.has(name)) return false
  return name === RUN || between === '-' || (word !== word.toUpperCase() && !/[:=#>]/.test(between))
}

/** `the one of Ann Smith is `, `the correct one: `: of a value that a sentence gives. */
const GIVEN = /(?:\b(?:is|its|should be|must be|changed to|corrected to|(?:correct|right|new) one:?)|['’]s) ["'`]?$/

const isGiven = ({ text, start, compactCount }: Candidate): boolean =>
  compactCount > 7 && GIVEN.test(text.slice(Math.max(0, start - LONGEST_BEFORE), start))

/** `/archives/CR70WR1UC9R/p1741125227756909`: a message in Slack. Ids of channels begin like abbreviations. */
const isPermalink = (m: Candidate): boolean => m.before(1) === '/' && /^p\d{16}\D{0,2}$/.test(m.value)

/** `"bsn": null, "row": 413357`: the member with the name has no value. */
const isOfNextMember = (m: Candidate): boolean =>
  /^["']?\s?(?::|=>?)\s?(?:null|None|nil|undefined|NULL|""|'')\s?,/.test(m.sinceContext)
/** `Faktura VAT 9618/07/2024`: the number of an invoice, its month and year. */
const isOfMonth = (value: string): boolean => /^\d{1,6}\/(?:0?[1-9]|1[0-2])\/(?:20)?\d\d$/.test(value)

const isDay = (digits: string): boolean => /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/.test(digits)
/** `240.00` of `$1,240.00`. */
const isOfAmount = (m: Candidate): boolean =>
  m.before(1) === ',' && /\d/.test(m.before(2)) && /^\d{3}\.\d{1,2}$/.test(m.value)
/** `VAT: 1,250.00`, `VAT 123 456 EUR`. */
const isPrice = (m: Candidate): boolean =>
  m.isAmount ||
  (/^[.,]\d/.test(m.following(2)) && m.head === '') ||
  (/[€$£¥]/.test(m.before(1)) && !endsFormula(m)) ||
  /(?:EUR|USD|GBP|CHF|JPY|PLN|SEK)$/.test(m.value)

/** `576937-K`, `0000121/J`, `115203-3`. */
const CHECK_LETTER = /^\d{5,8}(?: ?[-/]? ?[A-Z]|-\d)$/
/** `AK 99501-1234` is in Alaska. */
const ZIP_CODE = /^\d{5}-\d{4}$/
const GROUPED = /^\d{1,3}(?:[.\- ]\d{2,6}){2,5}(?:-\d)?$/
const DATE = /^\d{4}-(?:0\d|1[0-2])-[0-3]\d|(?:^| )(?:0?\d|1[0-2])\/[0-3]?\d\/(?:\d\d|(?:19|20)\d\d)$/
/** `1999-2003`. */
const YEARS = /^(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d$/
/** `3.4.1.3.1`, `1.43.48`: numbers of sections and versions have few digits; `CrKey/1.42.183786` is one of a product. */
const isOutline = (m: Candidate): boolean =>
  (m.digitCount < 8 && /^\d{1,2}(?:\.\d{1,2}){2,6}$/.test(m.value)) ||
  (m.before(1) === '/' &&
    /^(?!\d{1,3}(?:\.\d{3})+$)\d+(?:\.\d+)+$/.test(m.value) &&
    /[A-Za-z]/.test(m.before(2)) &&
    m.sinceContext.length > 1)
const NETWORK = /^(?:(?:\d\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?=\d)|(?=\/|$))){4}(?:\/\d\d?)?$/
/** `RFC 5321: 33554432 bytes`, `RFC 3339 date 20240424`. */
const RFC = /\bRFCs?\W{1,3}(?:\d{1,5}\W{1,3}(?:(?:full-)?(?:[Dd]ate|[Tt]ime|[Tt]imestamp|format)s?\W{1,3}){0,2})?$/
const LONGEST_RFC = 48
/** `NID_ED25519`, of a program. */
const CONSTANT = /^[A-Z]_[A-Z]+\d{1,5}$/
/** `CVE-2022-39253`, `ISO-8859-2`; `RFC 7230-7235`, `RFC 2616 5.1.2`: the Mexican tax number of this name has letters. */
const isDocument = (m: Candidate): boolean =>
  YEARS.test(m.value) ||
  isOutline(m) ||
  NETWORK.test(m.value) ||
  /^(?:ISO|IEC|CVE|UTF)\b/.test(m.value) ||
  /\bCVE-\d/.test(m.text.slice(Math.max(0, m.start - 4), m.start + 5)) ||
  CONSTANT.test(m.text.slice(Math.max(0, m.start - 2), m.end)) ||
  (/^\d/.test(m.value) && RFC.test(m.text.slice(Math.max(0, m.start - LONGEST_RFC), m.start)))
const isYear = (value: string): boolean => /^(?:19|20)\d\d(?:\D|$)/.test(value)
