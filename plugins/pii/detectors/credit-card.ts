import type { Candidate } from '../engine/candidate.ts'
import { isTrivial } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { isInGroups } from '../engine/glued-cards.ts'
import { namesIdentifier } from '../engine/glued-names.ts'
import { LINE_BREAK } from '../engine/line-break.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

const SEP = '( ?[ \\-./_] ?)'

/** Issuer ranges of the networks (ISO/IEC 7812): prefixes and lengths. */
const NETWORKS: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]], // Visa
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]], // Mastercard
  [/^3[47]/, [15]], // American Express
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]], // Discover
  [/^(?:30[0-5]|309|36|38|39)/, [14, 16]], // Diners Club
  [/^35/, [16, 17, 18, 19]], // JCB; generators also use the neighbours of its range
  [/^(?:62|81)/, [16, 17, 18, 19]], // UnionPay
  [/^220[0-4]/, [16]], // Mir
  [/^(?:60|82|508)/, [16]], // RuPay
  [/^(?:50|5[6-9]|6[0-9])/, [16, 18, 19]], // Maestro
  [/^(?:506[01]|507[89]|6500)/, [16, 18, 19]], // Verve
  [/^9792/, [16]], // Troy
]
/** Prefixes and lengths that count only beside the word "card". */
const RARE: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^(?:2131|1800)/, [15]],
  [/^(?:50|5[6-9]|6[0-9])/, [12, 13, 14, 15, 17]],
]

export const creditCard: Detector = {
  type: 'credit_card',
  title: 'Payment card number',
  level: 'RESTRICTED',
  check: 'issuer range, length, Luhn',
  patterns: [
    '\\d{12,19}',
    `\\d{4}(${SEP}\\d{4}){2}(${SEP}\\d{1,7}){1,2}`,
    `3\\d{3}${SEP}\\d{6}${SEP}\\d{4,5}`,
    `\\d(${SEP}\\d){11,18}`,
    `\\d{8} \\d{8}`,
    // Over two lines, or in cells without blanks.
    `\\d{4}[ \\-]\\d{4}${LINE_BREAK}\\d{4}[ \\-]\\d{4}`,
    `\\d{4}${LINE_BREAK}\\d{4}([ \\-]\\d{4}){2}`,
    `\\d{4}([ \\-]\\d{4}){2}${LINE_BREAK}\\d{4}`,
    `3\\d{3}${LINE_BREAK}\\d{6}[ \\-]\\d{5}`,
    `3\\d{3}[ \\-]\\d{6}${LINE_BREAK}\\d{5}`,
    '\\d{4}(\\|\\d{4}){3}',
    '\\d{4}(\t\\d{4}){3}',
  ],
  everyEnd: true,
  context: words(`
    card, card number, card num, card nr, credit card, debit card, cc, ccn, cc number, cc num, visa, mastercard, amex, american express,
    discover, maestro, pan, kreditkarte, kreditkartennummer, karte, kartennummer, carte, carte bancaire,
    carte de crédit, tarjeta, tarjeta de crédito, carta di credito, carta, cartão, cartão de crédito, creditcard,
    creditcardnummer, karta, karty, numer karty, kort, kortnummer, luottokortti, カード, 信用卡, 银行卡, 卡号, cards, card no, cc#, bank card, bankkarte, plastic, jcb, unionpay, diners, diners club, rupay, mir, troy,
    карта, карты, карту, картой, номер карты, банковская карта, kart numarası, kart numarasi, kredi kartı, kredi karti, bankkártya, hitelkártya, kartu kredit,
    κάρτα, κάρτας, картка, картки, כרטיס אשראי, بطاقة, thẻ tín dụng, 카드, 카드번호, mc, cvc2, cvv2,
    pay with, pay by, paid, pay using, payment, charge, charging, charged, charged to, billed to, bill to, debited, checkout,
    number on the front, number on the back,
    bezahle mit, bezahlt, zahlung, zahle mit, belaste, belasten, payer avec, paiement, débiter, pagar con, pago, cobrar, pagare con, pagamento,
    betaal met, cb, carte bleue, kreditkartennr, kartennr, karten-nr, kreditkarten-nr, kreditkartendaten, kartendaten, debitkarte, girocard, ec-karte,
    primary account number, long number, sixteen digits, sixteen digit, 16 digits, 16-digit, account number on the card, kaart, kaartnummer, kaartnr, creditcardnr, kortnr, betaalkaart, betaalpas, bankpas, pasnummer, bancontact,
    kartę, kartą, karcie, kort nr, kreditkort, betalkort, bankkort, betalingskort, dankort, platební karta, kartu, kartou, platobná karta,
    bankkártyaszám, kártyaszám, card de credit, card bancar, numărul cardului, κάρτα, pankkikortti, kortin numero, cvv, cvc, exp, expires, expiry, valid thru, valid until, gültig bis, expire, caduca, scadenza
  `),
  judge(m) {
    if (m.digitCount < 12 || m.digitCount > 19) return 0
    const { digits } = m
    if (!validator.isLuhnNumber(digits) || isTrivial(digits)) return 0
    const near = m.contextBefore()
    if (
      ((m.isJoined || isPart(m)) && !(near > 0 && isWholeFloat(m)) && !isBeforeExpiry(m)) ||
      /[A-Z]{2}\d{2} $/.test(m.text.slice(Math.max(0, m.start - 5), m.start))
    )
      return 0
    if (NETWORKS.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits))) {
      // The name of a card wins over words for other numbers, in whatever order they are.
      if (m.hasContext) return 1
      // Four columns of numbers look the same.
      if (m.value.includes('\t') || isOfColumn(m)) return 0
      // The groups of a card say more than a word before them.
      if (isInGroups(m.value)) return 0.95
      return m.isOtherNumber || (!m.value.includes(' ') && namesIdentifier(m.text, m.start))
        ? 0
        : m.end - m.start > digits.length
          ? 0.95
          : 0.85
    }
    return near > 0 && isRare(digits) ? 0.8 : 0
  },
}

/** Whether lines of digits are before or after the indented line of a number: a table. */
const isOfColumn = (m: Candidate): boolean =>
  /\n[> ]/.test(m.value) &&
  (/\d[ \t]*\r?\n[> ]*$/.test(m.text.slice(Math.max(0, m.start - 24), m.start)) ||
    /^[ \t]*\r?\n[> ]*\d/.test(m.following(24)))

/** Whether digits are a card's of a network and length that only a name beside them tells from other numbers. */
export const isRare = (digits: string): boolean =>
  RARE.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits))

/** `4111111111111111.0`, as tables of numbers write it. Sums are written so, too. */
const isWholeFloat = (m: Candidate): boolean =>
  m.after(1) === '.' &&
  m.end - m.start === m.digitCount &&
  !m.isJoinedBefore &&
  /^\.0{1,2}(?![\d.])/.test(m.following(4))

/** `/12/26`, `-12/2026`, `/1226`, `/2026-12`, and `/5/26`. */
const EXPIRY = /^[/.-](?:(?:1[0-2]|0?[1-9])[/.-]?(?:20)?[2-4]\d|(?:20)?[2-4]\d[/.-]?(?:0[1-9]|1[0-2]))(?!\d)/
const LONGEST_EXPIRY = '/12/2026'.length

/** With another sign within it, where the groups of the number have its first sign, too. */
const DIVIDED_EXPIRY = /^([/.-])(?:1[0-2]|0?[1-9])(?!\1)[/.-](?:20)?[2-4]\d/

/** Whether the month of expiry is joined to the number. */
const isBeforeExpiry = (m: Candidate): boolean => {
  if (m.isJoinedBefore) return false
  const after = m.following(LONGEST_EXPIRY + 1)
  return EXPIRY.test(after) && (!m.value.includes(after[0]!) || DIVIDED_EXPIRY.test(after))
}

/** Whether digits are a card's by issuer range, length and check digit. */
export const isCard = (digits: string): boolean =>
  NETWORKS.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits)) &&
  validator.isLuhnNumber(digits) &&
  !isTrivial(digits)

/**
 * Whether digits continue beyond the span with the same sign between: `4:1:1:…:1` of a longer list. After groups of four
 * and a blank may stand a verification value.
 */
export function isPart({ text, start, end, value }: Candidate): boolean {
  const sign = /^(\d+)(\D+)/.exec(value)
  if (sign === null || (sign[1]!.length > 2 && sign[2] === ' ')) return false
  const before = sign[2]!
  const last = /\D+(?=\d+\D*$)/.exec(value)![0]
  return (
    (text.startsWith(before, start - before.length) && /\d/.test(text.charAt(start - before.length - 1))) ||
    (text.startsWith(last, end) && /\d/.test(text.charAt(end + last.length)))
  )
}
