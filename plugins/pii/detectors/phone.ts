import type { CountryCode } from 'libphonenumber-js/core'
import type { Candidate } from '../engine/candidate.ts'
import { isTrivial } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { isOperatorAfter, isOperatorBefore } from '../engine/emphasis.ts'
import { LINE_BREAK } from '../engine/line-break.ts'
import { words } from '../engine/words.ts'
import { isNational, splitCallingCode } from './phone-plan.ts'

const SEP = '[ .\\-/]'
/** Separator between groups. Not a full stop with a space, which ends a sentence. */
const GAP = '( ?[\\-/] ?|\\.|  ?)'
const EXTENSION =
  '((?i: ?[,;]? ?(extension|extn?|x|durchwahl|poste|interno|ramal|doorkiesnummer)\\.?:? ?| ?# ?)\\d{1,6})?'

/** Names of nothing else. */
const NAMES: readonly string[] = words(`
  phone, phone number, phone no, telephone, telephone number, telephone no, tel, tel no, tel nr, tel number, mobile, mobile number,
  mobile no, mobile phone, cell, cell phone, cellphone, cell number, fax, fax number, whatsapp, whatsapp number, fon, telefon,
  telefonnummer, telefonnr, mobilfon, mobilnummer, mobiltelefon, handynummer, faxnummer, rufnummer, téléphone, numéro de téléphone,
  n° de téléphone, tél, téléphone portable, télécopie, teléfono, número de teléfono, móvil, celular, núm. de teléfono, tlf, tlfno,
  tfno, telefono, numero di telefono, cellulare, telefone, número de telefone, telemóvel, telefoon, telefoonnummer, mobiel nummer,
  gsm-nummer, numer telefonu, nr telefonu, nr tel, komórka, komórkowy, telefonní číslo, tel. č, telefonne číslo, mobilné číslo,
  telefonszám, mobilszám, număr de telefon, nr. de telefon, nr de tel, mobilul, broj telefona, broj mobitela, mobitel, telefonska
  številka, puhelin, puhelinnumero, puh, matkapuhelin, telefonnumret, mobilnumret, mobilnr, mob, mobtel, tlf nr, telefoninumber,
  tālrunis, tālruņa numurs, telefono numeris, mob. nr, τηλέφωνο, τηλ, κινητό, αριθμός τηλεφώνου, τηλεφώνου, телефон, телефона, номер телефона, тел, моб, мобильный,
  мобільний, мобилен, cep telefonu, telefon numarası, gsm no, nomor telepon, nomor hp, no hp, no telepon, no telp, số điện thoại, điện
  thoại, sđt, เบอร์โทร, โทรศัพท์, 电话, 电话号码, 手机, 手机号, 手机号码, 联系电话, 電話, 電話號碼, 電話番号, 手機, 携帯, 携帯番号,
  携帯電話, 전화, 전화번호, 휴대폰, 휴대전화, 휴대폰 번호, फ़ोन, मोबाइल, मोबाइल नंबर, फोन नंबर, هاتف, رقم الهاتف, جوال, رقم الجوال,
  موبايل, טלפון, נייד, מספר טלפון
`)
/** Also what people do with a number. */
const CONTEXT: readonly string[] = words(`
  phone, phones, phone number, phone no, telephone, tel, tel no, telephone number, mobile, mobile number,
  mobile no, cell, cell phone, cellphone, cell number, home phone, work phone, fax, fax number, call, call me,
  called, calling, call us, dial, ring, text, text me, sms, whatsapp, whats app, telegram, signal, viber, reach,
  reach me, reach us, reached, answering, registered, contact, contact number, contact no, contact us, contact me, hotline, helpline,
  landline, pager, callback, call back, voicemail, ph, caller id, callerid, msisdn, telepono, cep, cep no, cep telefonu, my number, his number, her number, their number,
  your number, new number, emergency contact, toll free, desk, office, telefon, telefonnummer, telefonnr, tel-nr,
  rufnummer, handy, handynummer, mobil, mobilnummer, mobiltelefon, anrufen, anruf, rufen sie, ruf mich, festnetz,
  rückruf, erreichbar, erreichen, durchwahl, kontakt, téléphone, téléphoner, portable, appelez, appeler, appelle,
  numéro de téléphone, mon numéro, joindre, joignable, contacter, teléfono, número de teléfono, móvil, celular,
  llame, llamar, llámame, llámeme, mi número, contacto, telefono, numero di telefono, cellulare, cell, chiamare,
  chiama, chiamami, recapito, telefone, número de telefone, telemóvel, ligue, ligar, fone, contato, telefoon,
  telefoonnummer, mobiel, bellen, bel, gsm, numer telefonu, komórka, zadzwoń, puhelin, puhelinnumero, soita,
  telefonnummer, mobilnr, ring mig, telefonszám, телефон, тел, моб, номер телефона, позвоните, 电话, 手机, 手机号, 联系电话,
  電話, 電話番号, 携帯, 携帯番号, 전화, 전화번호, 휴대폰, 연락처, फ़ोन, मोबाइल, هاتف, جوال, τηλέφωνο, טלפון
`)

const phone = {
  type: 'phone',
  title: 'Phone number',
  level: 'CONFIDENTIAL',
} as const

/** With a calling code: `+44 20 7946 0958`, `+1 (555) 010-9999 x12`, `+49 (0)30 901820`. */
export const phoneInternational: Detector = {
  ...phone,
  check: 'international: plan of the country, libphonenumber',
  patterns: [`(\\(\\+\\d{1,4}\\)|\\+ ?\\(?\\d{1,4}\\)?)(${SEP}{0,3}\\(?\\d{1,5}\\)?){2,7}${EXTENSION}`],
  everyEnd: true,
  context: [...NAMES, ...CONTEXT],
  judge(m) {
    if (m.digitCount < 7 || m.digitCount > 23) return 0
    const number = withoutExtension(m)
    const digits = number.replace(/\(0\)/, '').replace(/\D/g, '')
    if (digits.length > 17 || isTail(m) || ADDED_DATE.test(m.value)) return 0
    // `82387887 + 49297396` is a sum.
    if (m.value.startsWith('+ ') && m.before(1) === ' ' && /\d/.test(m.before(2))) return 0
    if (isInternational(digits)) return 0.97
    // With a plus and groups, an unassigned number still counts as a phone number.
    if (digits.length < 8 || digits.length > 15 || splitCallingCode(digits) === undefined) return 0
    return /\d[ .\-()]+\d+[ .\-()]+\d/.test(number) || m.contextBefore() > 0 ? 0.6 : 0
  },
}

/** A line that a patch adds, of a change log: `+2020-04-29`; a language and its day: `C++ 2020-04-29`. */
const ADDED_DATE = /^\+ ?(?:19|20)\d\d-(?:0\d|1[0-2])-[0-3]\d(?!\d)/

/** With the most common international prefix: `0033 1 23 45 67 89`. */
export const phonePrefix: Detector = {
  ...phone,
  check: 'international with 00: plan of the country, libphonenumber',
  patterns: [`00 ?[1-9]\\d{0,2}(${SEP}{0,3}\\(?\\d{1,5}\\)?){2,7}${EXTENSION}`],
  judge(m) {
    if (m.digitCount < 9 || m.digitCount > 23 || isTail(m)) return 0
    const near = m.contextBefore()
    const number = withoutExtension(m)
    // The prefix alone proves little. Require a gap after the calling code, or context.
    if (near === 0 && (m.isOtherNumber || m.isInRun || !/^00 ?\d{1,3}[ .\-/(]/.test(number))) return 0
    return isInternational(number.replace(/\(0\)/, '').replace(/\D/g, '').slice(2)) ? 0.85 : 0
  },
}

/** Whether `digits` is a calling code and a number of that country, possibly with a trunk zero between them. */
function isInternational(digits: string): boolean {
  const split = splitCallingCode(digits)
  if (split === undefined || split.national.length < 4) return false
  const { countries, national } = split
  const trunkless = national.startsWith('0') ? national.slice(1) : national
  return countries.some((country) => isNational(national, country) || isNational(trunkless, country))
}

/** Countries that write a trunk zero: most of the world outside the Americas and southern Europe. */
const TRUNK_ZERO: readonly CountryCode[] = [
  'GB',
  'DE',
  'FR',
  'IT',
  'AU',
  'JP',
  'NL',
  'BE',
  'CH',
  'AT',
  'SE',
  'FI',
  'IE',
  'IN',
  'KR',
  'ZA',
  'NZ',
  'TR',
  'RO',
  'CN',
]

/** National with a trunk zero: `020 7946 0958`, `030/901820`, `06 12 34 56 78`, `(02) 9876 5432`, `03-1234-5678`. */
export const phoneTrunk: Detector = {
  ...phone,
  check: 'national with a trunk zero: plans of 20 countries',
  patterns: [
    `(\\(0\\d{1,5}\\)${SEP}{0,3}|0\\d{1,5}${GAP})\\d{1,8}(${GAP}\\d{1,5}){0,4}${EXTENSION}`,
    `0[1-9]\\d{6,11}${EXTENSION}`,
    `0[ \\-][1-9]\\d{2}[ \\-]\\d{3}[ \\-]\\d{2}[ \\-]\\d{2}`,
  ],
  everyEnd: 'in context',
  judge(m) {
    if (m.digitCount < 7 || m.digitCount > 18 || m.text[m.start + 1] === '0' || isTail(m)) return 0
    const near = nearness(m)
    if (near === 0 && (m.isOtherNumber || m.isInRun || m.digitCount < 9)) return 0
    const number = withoutExtension(m)
    const digits = number.replace(/\D/g, '')
    if (near > 0 && ARGENTINE_MOBILE.test(digits)) return 0.75 + near * 0.15
    if (digits.length < 7 || digits.length > 12 || digits.startsWith('00') || isDateLike(number)) return 0
    if (near === 0 && (digits.length < 9 || isTrivial(digits) || !isTrunkForm(number) || m.isAmount)) return 0
    // Italy keeps its zero in the international form.
    const national = digits.slice(1)
    if (!TRUNK_ZERO.some((country) => isNational(country === 'IT' ? digits : national, country))) return 0
    if (near > 0) return 0.75 + near * 0.15
    return /\D/.test(number) ? 0.65 : 0.55
  },
}

/** `011 15 2356 7310`: area code, 15 and number. */
const ARGENTINE_MOBILE = /^0(?=\d{12}$)[1-3]\d{1,3}15\d{6,8}$/

/** `0399 0308 0301`, of Unicode. */
const CODE_POINTS = /^0\d{3}(?: 0\d{3})+$/

/** Without context, nine digits in threes or in the groups of a US social security number are not a phone number. */
function isTrunkForm(number: string): boolean {
  // One full stop may be a decimal point.
  if (CODE_POINTS.test(number)) return false
  if (/\D/.test(number)) return !/^(?=[\d.]{10}$)\d+\.\d+$|^0\d\d\D\d{3}\D\d{3}$|^0\d\d\D\d\d\D\d{4}$/.test(number)
  return /^0[1-9]\d{8,9}$/.test(number) || /^01[5-7]\d{9}$/.test(number)
}

/** North America: `(555) 010-9999`, `555-010-9999`, `1.555.010.9999 ext. 4`. */
export const phoneNanp: Detector = {
  ...phone,
  check: 'North American groups 3-3-4',
  region: 'US',
  patterns: [
    `(1${SEP}{0,2})?(\\(\\d{3}\\)(${SEP}{0,3}|${LINE_BREAK})|\\d{3}(${GAP}|${LINE_BREAK}))\\d{3}(${GAP}|${LINE_BREAK})\\d{4}${EXTENSION}`,
    `(1${SEP}{0,2})?(\\(\\d{3}\\)${SEP}{0,3}|\\d{3}${SEP})\\d{7}${EXTENSION}`,
    `1?[2-9]\\d{9}${EXTENSION}`,
  ],
  judge(m) {
    const number = withoutExtension(m)
    const digits = number.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
    if (digits.length !== 10 || isTail(m)) return 0
    const isPlan = isNational(digits, 'US') && digits[3]! >= '2'
    const near = nearness(m)
    if (near > 0) return 0.75 + near * 0.15
    if (m.isOtherNumber || CLAUSE.test(number) || number.includes('\n')) return 0
    if (/^\D*\d{3}\)/.test(number.replace(/^1\D*/, '')) || number.length > m.value.length) return 0.7
    if (m.value.length > number.length) return 0.75 // an extension follows
    if (/^(?:1[ .-])?\d{3}([.-])\d{3}\1\d{4}$/.test(number)) return isNational(digits, 'US') ? 0.7 : 0.55
    return isPlan && !m.isInRun && /^(?:1[ .-])?\d{3}[ /.-]\d{3}[ .-]\d{4}$/.test(number) ? 0.55 : 0
  },
}

/** `252.227-7013`: a clause of the US Defense Federal Acquisition Regulation, which licences name. */
const CLAUSE = /^2[0-5]\d\.2\d\d-7\d{3}$/

/** National without trunk prefix, in common groups: Spain, Portugal, Poland, India, Brazil, China, Italy. */
export const phoneGrouped: Detector = {
  ...phone,
  check: 'national groups of IN, BR, ES, PT, PL, IT, CN, MX, SG; else in context',
  patterns: [
    `[2-9]\\d{2}(${SEP}\\d{3}){2}`,
    `[6-9]\\d{2}(${SEP}\\d{2}){3}`,
    `[6-9]\\d${SEP}\\d{3}(${SEP}\\d{2}){2}`,
    `[6-9]\\d{4}[ \\-]\\d{5}`,
    `[2-9]\\d{2}${SEP}\\d{3}(${SEP}\\d{2}){2}`,
    `\\(\\d{2}\\) ?9?[ ]?\\d{4}[ \\-]?\\d{4}`,
    `\\d{2} 9?\\d{4}-\\d{4}`,
    `9?\\d{4}-\\d{4}`,
    `1[3-9]\\d([ \\-]\\d{4}){2}`,
    `1[3-9]\\d{9}`,
    `3\\d{2}[ .\\-/]\\d{6,7}`,
    `[2-9]\\d{6,12}`,
    `\\d{3}[ .\\-]\\d{4}`,
    `\\(?\\d{2,5}\\)?(${GAP}\\d{2,7}){1,4}${EXTENSION}`,
    `\\d(${SEP}\\d){6,14}`,
    `\\d(${GAP}\\d{2,7}){1,5}`,
  ],
  judge(m) {
    if (m.digitCount < 7) return 0
    const number = withoutExtension(m)
    const { length } = number.replace(/\D/g, '')
    if (length < 7 || length > 13 || isTail(m) || isDateLike(number)) return 0
    const near = nearness(m)
    if (length === number.length && length === 13 && !(near > 0.9 && isInternational(number))) return 0
    const isUsual = USUAL.some((usual) => usual.test(number))
    if (near < 0.9 && (YEARS.test(number) || COLUMNS.test(number))) return 0
    // Half of a number looks like one of another country: the whole of a known form is surer.
    if (near > 0.7) return (isUsual ? 0.65 : 0.55) + near * 0.2
    if (m.isOtherNumber || m.isInRun) return 0
    return isUsual && !m.isAmount ? 0.5 : 0
  },
}

const YEARS = /^(?:19|20)\d\d-(?:19|20)\d\d$/
/** Of a log: a process and its thread. */
const COLUMNS = /^\d{3,5} {2}\d{3,5}$/

/** Where numbers have six digits, or seven in an unusual form. */
const SMALL: readonly CountryCode[] = [
  'AD',
  'FO',
  'GL',
  'NC',
  'WF',
  'PM',
  'TV',
  'TK',
  'AC',
  'SH',
  'FK',
  'KM',
  'VU',
  'SB',
  'NF',
  'NU',
]

/** `Tel. 841 363`, of countries with few people. */
export const phoneShort: Detector = {
  ...phone,
  check: 'six digits right behind a name, plans of small countries',
  patterns: ['\\d{6}', '\\d{3}[ .\\-]\\d{3}', '\\d{2}([ .\\-]\\d{2}){2}', '\\d{2}[ \\-]\\d{4}'],
  onlyInContext: true,
  fewestDigits: 6,
  contextGroup: 'phone/short',
  context: NAMES,
  judge(m) {
    if (m.digitCount !== 6 || m.contextBefore() < 0.9 || isTail(m) || m.isJoined || m.isAmount || isTrivial(m.digits))
      return 0
    return SMALL.some((country) => isNational(m.digits, country)) ? 0.6 : 0
  },
}

const USUAL: readonly RegExp[] = [
  /^[6-9]\d{4}[ -]\d{5}$/, // India
  /^\(\d{2}\) ?9? ?\d{4}[ -]?\d{4}$/, // Brazil
  /^\d{2} 9?\d{4}-\d{4}$/,
  /^[679]\d{2}([ -])\d{3}\1\d{3}$/, // Spain, Portugal
  /^[679]\d{2}([ .-])\d{2}\1\d{2}\1\d{2}$/,
  /^[9]\d([ .-])\d{3}\1\d{2}\1\d{2}$/,
  /^1[3-9]\d([ -])\d{4}\1\d{4}$/, // China
  /^3[2-9]\d[ /-]\d{6,7}$/, // Italy
  /^[2-9]\d{2}([ .-])\d{3}\1\d{2}\1\d{2}$/, // Turkey, Russia
]

/** The number without a suffix such as `ext. 12` or `#12`. */
function withoutExtension(m: Candidate): string {
  const { value } = m
  if (m.compactCount === m.digitCount && !value.includes('#')) return value
  return value.slice(0, value.search(/[,;]? ?(?:[a-z#]|$)/i))
}

/** US states by the first digit of their codes. */
const STATES = [
  ...['CT MA ME NH NJ PR RI VT', 'DE NY PA', 'DC MD NC SC VA WV', 'AL FL GA MS TN', 'IN KY MI OH'],
  ...['IA MN MT ND SD WI', 'IL KS MO NE', 'AR LA OK TX', 'AZ CO ID NM NV UT WY', 'AK CA HI OR WA'],
]
/** Before a code such as `MA 02110-1301`, which a comment may wrap. */
const STATE = /\b([A-Z]{2})\.?,?[\s*#/;]{1,12}$/
const ZIP = /^\d{5}-\d{4}$/
/** Before the number of a report: `GO-2026-5970`, `CVE-2026-68395`. */
const REPORT = /\b(?:CVE|CAN|GO|GHSA|GSD|EUVD|CNVD|JVN|RHSA|RHBA|RHEA|ALAS|ELSA|PYSEC|HSEC|OSV|MAL|DSA|USN|VU)-$/
const NUMBER_OF_YEAR = /^(?:19|20)\d\d-\d+$/
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/

/** Brazilian mobile numbers have the same form, after states with other codes. */
function isBehindState({ text, start, value }: Candidate): boolean {
  const state = STATE.exec(text.slice(Math.max(0, start - 16), start))?.[1]
  return state !== undefined && STATES[Number(value[0])]!.split(' ').includes(state)
}

/** `Edge/13.10586`, unless the name of a phone number stands right before it; no `415.555.2671` or `030.1234567`. */
const VERSION = /^(?!0\d|\d{3}\.\d{3}\.\d{4}$)\d+(?:\.\d+)+$/
/** Before the digits of a decimal without zero, as in the paths of drawings: `0-.074`, `41c.04`. Three dots are none. */
const DECIMAL = /(?:^|[^\p{L}\d.]|\d[A-Za-z])\.$/u
/** No coordinates: `030 901820`, `415-555-2671`. */
const WHOLE = /^(?:0\d{2,4}[ /-]?\d{5,8}|0\d{2} \d{4} \d{4}|\(?\d{3}\)?[-. ]{0,2}\d{3}[-. ]\d{4})$/
/** Before the seconds of a time. */
const CLOCK = /\d:\d\d:$/

const leftOf = ({ text, start }: Candidate): string => text.slice(Math.max(0, start - 8), start)

/** Whether a number beside the sign is another one. */
const isApart = (m: Candidate, sign: string): boolean => sign === '/' && m.hasHyphen

/** Part of a longer number or code, or a postcode, or the date in a name such as `text_editor_20250728`. */
function isTail(m: Candidate): boolean {
  const before = m.before(1)
  if (before === '_' && DAY.test(m.value)) return true
  if (before === '-' && NUMBER_OF_YEAR.test(m.value) && REPORT.test(leftOf(m))) return true
  if (ZIP.test(m.value) && isBehindState(m)) return true
  if (
    (before === '-' || before === '.' || before === '/') &&
    /[0-9]/.test(m.before(2)) &&
    !m.isTwinBefore &&
    !isApart(m, before)
  )
    return true
  if (before === '/' && VERSION.test(m.value) && /[A-Za-z]/.test(m.before(2)) && m.sinceContext.length > 1) return true
  if (before === '.' && DECIMAL.test(leftOf(m)) && !WHOLE.test(m.value)) return true
  if (before === ':' && CLOCK.test(leftOf(m)) && /^\d\d\D/.test(m.value)) return true
  if (isOperatorBefore(m)) return true
  if (before === ',' && isThousands(m.text, m.start)) return true
  const after = m.after(1)
  if (isOperatorAfter(m)) return true
  return '-./:_'.includes(after) && after !== '' && /\d/.test(m.after(2)) && !m.isTwinAfter && !isApart(m, after)
}

/** `PhoneStatusBar`, not `PhoneWorkNumber`. */
const LONGER_NAME =
  /^(?![A-Za-z]*(?:N(?:um|o|r)|Home|Work|Main|Primary|Second|Private|Privat|Line|Contact))[A-Z][a-z]+[A-Z][a-z]/

/** The context, but not as the beginning of a longer name. */
function nearness(m: Candidate): number {
  const near = m.contextBefore()
  return near > 0 && LONGER_NAME.test(m.sinceContext) ? 0 : near
}

/** `75,000-25,000`: the comma before the match separates thousands. */
const isThousands = (text: string, start: number): boolean =>
  /(?:^|\D)\d{1,3},$/.test(text.slice(Math.max(0, start - 5), start)) &&
  /^\d{3}(?!\d)/.test(text.slice(start, start + 4))

const isDateLike = (number: string): boolean =>
  /^0\.\d+$|^\d{1,2} (?:19|20)\d\d-(?:0\d|1[0-2])-[0-3]\d$|^\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})$|^(?:1\d|20)\d{2}([./-])\d{1,2}\2\d{1,2}|^\d{1,2}([./-])\d{1,2}\3\d{4} \d/.test(
    number,
  )
