import { modulo } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { LINE_BREAK } from '../engine/line-break.ts'
import { validator } from '../engine/validator.ts'

/** Lengths by country (SWIFT, IBAN registry, release 99). Other lengths skip the arithmetic. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 DZ26 EE20 EG29 ES24 FI18 ' +
    'FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IR26 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 ' +
    'LY25 MA28 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 MZ25 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 ' +
    'SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Countries that the library lacks, or knows with another length (BY) or other letters (AZ, DO, JO, PK). */
const BEYOND_LIBRARY: ReadonlySet<string> = new Set([
  'AZ',
  'BI',
  'BY',
  'DJ',
  'DO',
  'FK',
  'JO',
  'LY',
  'MN',
  'NI',
  'OM',
  'PK',
  'RU',
  'SD',
  'SO',
  'ST',
])

function isIban(compact: string): boolean {
  if (!BEYOND_LIBRARY.has(compact.slice(0, 2))) return validator.isIBAN(compact)
  const digits = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, (c) => String(c.charCodeAt(0) - 55))
  return modulo(digits, 97) === 1
}

const SEP = `( ?[ \\-./] ?|${LINE_BREAK})`
const COUNTRY = `(?i:${[...LENGTHS.keys()].join('|')})`

/** Check digits, and two more. */
const FEWEST_DIGITS = 4
const SMALL = /[a-z]/
/** Directly before the number, or with a few words between. */
const LABELLED = 0.8
/** As printed, or in capitals and undivided, at most behind the check digits. Words have no digits among them. */
const PRINTED =
  /^[A-Z]{2}\d{2}(?:(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?|[A-Z0-9]{11,30})$|^[A-Z]{2} ?\d{2} [A-Z0-9]{11,30}$/
/** Undivided in small letters. */
const UNDIVIDED = /^[a-z]{2}\d{2}[a-z0-9]{11,30}$/
/** In groups of four with the same signs between. No words of a sentence are so, if one has digits among its letters. */
const GROUPS = /^[a-z]{2}\d{2}( {1,2}|[-.])[a-z0-9]{4}(?:\1[a-z0-9]{4})+(?:\1[a-z0-9]{1,3})?$/i
const MIXED = /[a-z]\d|\d[a-z]/gi
const FEWEST_MIXED = 2
const isGrouped = (value: string): boolean =>
  PRINTED.test(value) ||
  UNDIVIDED.test(value) ||
  (GROUPS.test(value) && (value.slice(4).match(MIXED)?.length ?? 0) >= FEWEST_MIXED)

export const iban: Detector = {
  type: 'iban',
  title: 'IBAN',
  level: 'RESTRICTED',
  check: 'length of the country, ISO 7064 mod 97-10',
  everyEnd: true,
  contextGroup: 'iban/label',
  context: ['iban', 'iban number', 'iban no', 'iban nr', 'iban code'],
  patterns: [
    `${COUNTRY}\\d{2}[A-Za-z0-9]{11,30}`,
    `${COUNTRY}${SEP}?\\d{2}(${SEP}[A-Za-z0-9]{4}){2,7}(${SEP}[A-Za-z0-9]{1,4})?`,
    `${COUNTRY}${SEP}?\\d{2}(${SEP}[A-Z0-9]{1,10}){2,9}`,
    `${COUNTRY} \\d{4}( \\d{4}){2,7}( \\d{1,4})?`,
    `${COUNTRY} ?\\d{2} [A-Za-z0-9]{11,30}`,
    `[A-Za-z] [A-Za-z]( \\d){2}( [A-Za-z0-9]){11,30}`,
  ],
  judge(m) {
    const isSpaced = m.text[m.start + 1] === ' '
    const expected = isSpaced ? m.compactCount : LENGTHS.get(m.text.slice(m.start, m.start + 2).toUpperCase())
    // Words of a sentence can pass the checksum by chance, mostly in small letters. An account is mostly digits.
    if (m.compactCount !== expected || m.digitCount < FEWEST_DIGITS) return 0
    const isAccount = m.digitCount * 2 >= m.compactCount || (m.digitCount >= 8 && !SMALL.test(m.value))
    if (!isAccount && !isGrouped(m.value) && m.contextBefore() < LABELLED) return 0
    const { compact } = m
    return LENGTHS.get(compact.slice(0, 2)) === compact.length && isIban(compact) ? 1 : 0
  },
}
