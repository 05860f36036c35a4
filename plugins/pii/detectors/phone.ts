import type { CountryCode } from 'libphonenumber-js/core'
import type { Candidate } from '../engine/candidate.ts'
import { isTrivial } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'
import { isNational, splitCallingCode } from './phone-plan.ts'

const SEP = '[ .\\-/]'
const EXTENSION =
  '((?i: ?[,;]? ?(extension|extn?|x|durchwahl|poste|interno|ramal|doorkiesnummer)\\.?:? ?| ?# ?)\\d{1,6})?'

const CONTEXT: readonly string[] = words(`
  phone, phones, phone number, phone no, telephone, tel, tel no, telephone number, mobile, mobile number,
  mobile no, cell, cell phone, cellphone, cell number, home phone, work phone, fax, fax number, call, call me,
  called, calling, call us, dial, ring, text, text me, sms, whatsapp, whats app, telegram, signal, viber, reach,
  reach me, reach us, reached, contact, contact number, contact no, contact us, contact me, hotline, helpline,
  landline, pager, callback, call back, voicemail, ph, msisdn, my number, his number, her number, their number,
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

/** With a calling code: `+44 20 7946 0958`, `0033 1 23 45 67 89`, `+1 (555) 010-9999 x12`. */
export const phoneInternational: Detector = {
  ...phone,
  check: 'international: plan of the country, libphonenumber',
  patterns: [`(\\(\\+\\d{1,4}\\)|\\+\\(?\\d{1,4}\\)?|00 ?\\d{1,3})(${SEP}{0,3}\\(?\\d{1,5}\\)?){2,7}${EXTENSION}`],
  everyEnd: true,
  context: CONTEXT,
  judge(m) {
    if (m.digitCount < 7) return 0
    const number = withoutExtension(m.value)
    const digits = number.replace(/\(0\)/, '').replace(/\D/g, '')
    const isPlus = number.includes('+')
    const split = splitCallingCode(isPlus ? digits : digits.slice(2))
    if (split === undefined || split.national.length < 4 || digits.length > 17 || isTail(m)) return 0
    const { countries, national } = split
    const trunkless = national.replace(/^0/, '')
    if (countries.some((country) => isNational(national, country) || isNational(trunkless, country)))
      return isPlus ? 0.97 : 0.85
    // Written with a plus and in groups, even a number nobody has is meant as one.
    if (!isPlus || digits.length < 8 || digits.length > 15) return 0
    return /\d[ .\-()]+\d+[ .\-()]+\d/.test(number) || m.contextBefore() > 0 ? 0.6 : 0
  },
}

/** Plans that write a trunk zero: most of the world outside the Americas and southern Europe. */
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
    `(\\(0\\d{1,5}\\)${SEP}{0,3}|0\\d{1,5}${SEP}{1,3})\\d{1,8}(${SEP}{1,2}\\d{1,5}){0,4}${EXTENSION}`,
    `0[1-9]\\d{6,10}${EXTENSION}`,
  ],
  everyEnd: true,
  judge(m) {
    if (m.digitCount < 7) return 0
    const number = withoutExtension(m.value)
    const digits = number.replace(/\D/g, '')
    if (digits.length < 7 || digits.length > 13 || digits.startsWith('00') || isTail(m) || isDateLike(number)) return 0
    const near = m.contextBefore()
    if (near === 0 && (m.isOtherNumber || isTrivial(digits) || digits.length < 9)) return 0
    // Italy keeps its zero in the international form too.
    const national = digits.slice(1)
    if (!TRUNK_ZERO.some((country) => isNational(country === 'IT' ? digits : national, country))) return 0
    if (near > 0) return 0.75 + near * 0.15
    return /\D/.test(number) ? 0.65 : 0.55
  },
}

/** North America: `(555) 010-9999`, `555-010-9999`, `1.555.010.9999 ext. 4`. */
export const phoneNanp: Detector = {
  ...phone,
  check: 'North American groups 3-3-4',
  region: 'US',
  patterns: [
    `(1${SEP}{0,2})?(\\(\\d{3}\\)${SEP}{0,3}|\\d{3}${SEP}{1,3})\\d{3}${SEP}{1,3}\\d{4}${EXTENSION}`,
    `(1${SEP}{0,2})?(\\(\\d{3}\\)${SEP}{0,3}|\\d{3}${SEP})\\d{7}${EXTENSION}`,
    `1?[2-9]\\d{9}${EXTENSION}`,
  ],
  judge(m) {
    const number = withoutExtension(m.value)
    const digits = number.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
    if (digits.length !== 10 || isTail(m)) return 0
    const isPlan = isNational(digits, 'US') && digits[3]! >= '2'
    const near = m.contextBefore()
    if (near > 0) return 0.75 + near * 0.15
    if (m.isOtherNumber) return 0
    if (/^\D*\d{3}\)/.test(number.replace(/^1\D*/, '')) || number.length > m.value.length) return 0.7
    if (m.value.length > number.length) return 0.75 // an extension follows
    if (/^(?:1[ .-])?\d{3}([.-])\d{3}\1\d{4}$/.test(number)) return isNational(digits, 'US') ? 0.7 : 0.55
    return isPlan && /^(?:1[ .-])?\d{3}[ /.-]\d{3}[ .-]\d{4}$/.test(number) ? 0.55 : 0
  },
}

/** National without a trunk prefix, in the groups that are usual: Spain, Portugal, Poland, India, Brazil, China, Italy. */
export const phoneGrouped: Detector = {
  ...phone,
  check: 'national groups of IN, BR, ES, PT, PL, IT, CN, MX, SG; else in context',
  patterns: [
    `[2-9]\\d{2}(${SEP}\\d{3}){2}`,
    `[6-9]\\d{2}(${SEP}\\d{2}){3}`,
    `[6-9]\\d${SEP}\\d{3}(${SEP}\\d{2}){2}`,
    `[6-9]\\d{4}[ \\-]\\d{5}`,
    `\\(\\d{2}\\) ?9?[ ]?\\d{4}[ \\-]?\\d{4}`,
    `\\d{2} 9?\\d{4}-\\d{4}`,
    `9?\\d{4}-\\d{4}`,
    `1[3-9]\\d([ \\-]\\d{4}){2}`,
    `1[3-9]\\d{9}`,
    `3\\d{2}[ .\\-/]\\d{6,7}`,
    `[2-9]\\d{6,11}`,
    `\\d{3}[ .\\-]\\d{4}`,
    `\\(?\\d{2,5}\\)?(${SEP}{1,2}\\d{2,5}){1,4}${EXTENSION}`,
    `\\d(${SEP}\\d){6,14}`,
  ],
  judge(m) {
    if (m.digitCount < 7) return 0
    const number = withoutExtension(m.value)
    const { length } = number.replace(/\D/g, '')
    if (length < 7 || length > 13 || isTail(m) || isDateLike(number)) return 0
    const near = m.contextBefore()
    if (near > 0) return 0.65 + near * 0.2
    if (m.isOtherNumber) return 0
    return USUAL.some((usual) => usual.test(number)) && !isAmount(m) ? 0.5 : 0
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
  /^3[2-9]\d[ ./-]\d{6,7}$/, // Italy
]

function withoutExtension(value: string): string {
  const at = value.search(/[,;]? ?(?:[a-z#]|$)/i)
  return value.slice(0, at)
}

/** A piece of a longer number or code. */
function isTail(m: Candidate): boolean {
  const before = m.before(1)
  if ((before === '-' || before === '.' || before === '/') && /[0-9]/.test(m.before(2))) return true
  if (/[$€£#¥]/.test(before) && before !== '') return true
  const after = m.after(1)
  return (after === '-' || after === '.' || after === '/' || after === ':' || after === '_') && /\d/.test(m.after(2))
}

const isDateLike = (number: string): boolean =>
  /^\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})$|^(?:19|20)\d{2}([./-])\d{1,2}\2\d{1,2}|^\d{1,2}([./-])\d{1,2}\3\d{4} \d/.test(
    number,
  )

/** Thousands in groups of three before a unit or currency. */
const isAmount = (m: Candidate): boolean =>
  /^ ?(?:[€$£%]|[A-Z]{3}\b|euros?\b|hab|people|inhab|dollars|km|bytes)/.test(m.text.slice(m.end, m.end + 9))
