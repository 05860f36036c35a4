import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

/** Positions 2, 5, 8 and 9 are letters; S L O I B Z are never used (CMS, Understanding the MBI format). */
const MBI = /^[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d[AC-HJKMNP-RT-Y]{2}\d{2}$/

export const usMbi: Detector = {
  type: 'us_mbi',
  title: 'Medicare beneficiary identifier',
  level: 'RESTRICTED',
  region: 'US',
  check: 'structure of CMS',
  patterns: [
    '[1-9][A-Z][A-Z0-9]\\d-?[A-Z][A-Z0-9]\\d-?[A-Z]{2}\\d{2}',
    '[1-9][A-Z][A-Z0-9]\\d [A-Z][A-Z0-9]\\d [A-Z]{2}\\d{2}',
    '[1-9][a-z][a-z0-9]\\d[ \\-]?[a-z][a-z0-9]\\d[ \\-]?[a-z]{2}\\d{2}',
  ],
  context: words(`
    mbi, mbi no, mbi number, mbi id, medicare, medicare number, medicare no, medicare #, medicare card, medicare card number,
    medicare card no, medicare id, medicare id number, medicare beneficiary, medicare beneficiary id, medicare beneficiary number,
    medicare beneficiary identifier, beneficiary, beneficiary id, medicare claim number, hicn, hic number
  `),
  judge(m) {
    if (!MBI.test(m.compact)) return m.named()
    if (m.contextBefore() > 0) return 0.97
    // With blanks or small letters, also a part of a table or of a hash.
    return m.isOtherNumber || /[a-z ]/.test(m.value) ? 0 : 0.7
  },
}

/** Luhn over the number with prefix 80840, the card issuer (CMS, NPI check digit). */
export const usNpi: Detector = {
  type: 'us_npi',
  title: 'National provider identifier in context',
  level: 'CONFIDENTIAL',
  region: 'US',
  check: 'Luhn with prefix 80840, in context',
  onlyInContext: true,
  patterns: ['[12]\\d{9}'],
  context: ['npi', 'npi number', 'national provider', 'provider id', 'provider identifier'],
  judge: (m) => (m.contextBefore() > 0 && validator.isLuhnNumber(`80840${m.digits}`) ? 0.9 : 0),
}

/** Two letters and seven digits; the seventh is a check digit (21 CFR 1301, DEA). */
export const usDea: Detector = {
  type: 'us_dea',
  title: 'DEA registration number in context',
  level: 'CONFIDENTIAL',
  region: 'US',
  check: 'check digit, in context',
  onlyInContext: true,
  patterns: ['[A-Z][A-Z9]\\d{7}'],
  context: ['dea', 'dea number', 'dea no', 'dea registration'],
  judge(m) {
    const d = m.compact.slice(2).split('').map(Number) as [number, number, number, number, number, number, number]
    const sum = d[0] + d[2] + d[4] + 2 * (d[1] + d[3] + d[5])
    return sum % 10 === d[6] && m.contextBefore() > 0 ? 0.9 : 0
  },
}
