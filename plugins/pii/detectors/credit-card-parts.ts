/** Cards in parts: with any signs, words or labels between their groups. */
import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { CARD_NAMES } from '../engine/glued-cards.ts'
import { words } from '../engine/words.ts'
import { isCard, isPart } from './credit-card.ts'
import { base, isInLines, MARKUP, NETWORK, SIGNS } from './credit-card-odd.ts'

/** Names of cards and their numbers, without words of payments and of what else a card has. */
const NAMES = words(`
  card, card number, card num, card nr, card no, credit card, debit card, bank card, credit card number, cc, ccn, cc number, cc num, cc#,
  visa, mastercard, amex, american express, maestro, pan, kreditkarte, kreditkartennummer, karte, kartennummer, bankkarte, carte,
  carte bancaire, carte de crédit, tarjeta, tarjeta de crédito, carta di credito, cartão, cartão de crédito, creditcard,
  creditcardnummer, numer karty, kortnummer, luottokortti, カード, 信用卡, 银行卡, 卡号, jcb, unionpay, diners, diners club, rupay,
  номер карты, банковская карта, kart numarası, kredi kartı, bankkártya, hitelkártya, kartu kredit, כרטיס אשראי, بطاقة, thẻ tín dụng, 카드번호
`)

const ANY = `${SIGNS}:,;+=#\t\r\n()<>"^&!?$%@[\\]{}\``
const WORDS = '[ \\l,.:;()\\-/|\'"#*\\o\n]{1,24}'
/** `4547 and 372948 then 854943`. */
const AND_THEN =
  '[ ,.\\-]{1,3}((?i:then|and|next|dash|und|dann|puis|et|luego|y|poi|e|en|dan|potem|i)[ ,.\\-]{1,2}){1,2}'
/** More between two groups is a text of its own. */
const GAP = /\D{9}/
const WORDY = /\p{L}{3}/u
/** `RTX4012 8888 and GTX8888 1881` are names. */
const LETTER = /\p{L}/u
const LETTER_WITHIN = /\p{L}\P{L}*\d/u

/** `4111:1111:1111:1111`, `41_-_11`, `4111<br>1111`, `4111 then 1111, and 1111, last four 1111`. */
export const creditCardInWords: Detector = {
  ...base,
  check: 'issuer range, length, Luhn; any signs or words between groups, in context',
  patterns: [
    `\\d+(([ ${ANY}]|${MARKUP})+\\d+)+`,
    `\\d{4}(${WORDS}\\d{4}){3}`,
    `\\d{1,12}(${AND_THEN}\\d{1,12}){1,7}`,
    `\\d{4}${WORDS}\\d{6,8}${WORDS}\\d{4,5}`,
  ],
  onlyInContext: true,
  everyEnd: true,
  refuses: (opening) => opening.digitCount > 19 || (GAP.test(opening.value) && !WORDY.test(opening.value)),
  judge: (m) =>
    m.digitCount > 12 &&
    m.digitCount < 20 &&
    isCard(m.digits) &&
    m.contextBefore() > 0 &&
    !(GAP.test(m.value) && !WORDY.test(m.value)) &&
    isInLines(m.value) &&
    !(LETTER.test(m.before(1)) && LETTER_WITHIN.test(m.value)) &&
    !m.isJoined &&
    !isPart(m)
      ? 0.9
      : 0,
}

/** Everything but digits. */
const TEXT = '[ -/:-~\t\r\n\\L\\o°’]'
/** Up to two numbers of a label or a time: `"b": "`, `</td><td>`, `, part 2: `, `\n[10:03] Jo: `. */
const LABEL = `${TEXT}{1,32}(\\d{1,2}${TEXT}{1,16}){0,2}`
const GROUP = /\d{4,6}/g
/** Numbers and single letters count on: `a)`, `b)`; `p1`, `p2`. */
const COUNTER = /\d+|(?<!\p{L})\p{L}(?!\p{L})/gu
const shapeOf = (gap: string): string => gap.replace(COUNTER, '#').toLowerCase()
const LONGEST_LABEL = 36
const NEXT = /^(\D{1,32}(?:\d{1,2}\D{1,16}){0,2})\d{3}/
const PREVIOUS = /\d{3}(\D{1,32}(?:\d{1,2}\D{1,16}){0,2})$/
const WORD = /\p{L}{2,}/gu
/** Words of labels that count groups; others count amounts, ports and quarters. */
const OF_GROUPS =
  /^(?:card|credit|debit|cc|ccn|pan|number|num|no|nr|part|block|group|chunk|segment|section|seg|piece|digits?|field|box|set|quad|line|row|col|teil|ziffern|gruppe|parte|bloque|partie|bloc|grupo|span|td|th|tr|li|div|input|type|text|tel|name|value|id|class|data)+s?$/i
const COORDINATE = /(?<!\p{L})[qvwxyz][_ -]?\d/iu
const TIME = /\d\d:\d\d/

/** Whether the list continues: a card has so many groups and no more. */
const isOfList = (m: Candidate, shape: string): boolean =>
  [
    PREVIOUS.exec(m.text.slice(Math.max(0, m.start - LONGEST_LABEL), m.start)),
    NEXT.exec(m.following(LONGEST_LABEL)),
  ].some((gap) => gap !== null && shapeOf(gap[1]!) === shape)

/** Whether the numbers of labels never fall. */
function isInOrder(gaps: readonly string[]): boolean {
  const counters = gaps.map((gap) => gap.match(COUNTER) ?? [])
  return counters.every((counter, i) =>
    counter.every((sign, k) => i === 0 || !(before(sign) < before(counters[i - 1]![k]!))),
  )
}
const before = (counter: string): number | string => (/^\d/.test(counter) ? Number(counter) : counter.toLowerCase())

/** Whether labels have no counter, or count groups. */
const mayCount = (labels: readonly string[], label = labels[0]!): boolean =>
  TIME.test(label) ||
  labels.every((other) => other === label) ||
  (!COORDINATE.test(label) && (label.match(WORD) ?? []).every((word) => OF_GROUPS.test(word)))

/** Whether a card's name is before, or only the label's own word is nearer: `card number, part 1: …, part 2: …`. */
function isNamed(m: Candidate, label: string): boolean {
  if (m.contextBefore() > 0) return true
  const since = m.sinceContext.toLowerCase()
  return (label.toLowerCase().match(WORD) ?? []).some((word) => since.includes(word))
}

/** `1. 4111\n2. 1111\n…`, `{"a":"4111","b":"1111",…}`, `<td>4111</td><td>1111</td>…`. */
export const creditCardInParts: Detector = {
  ...base,
  context: NAMES,
  contextGroup: CARD_NAMES,
  check: 'issuer range, length, Luhn; groups with labels alike between them, beside the name of a card',
  patterns: [`\\d{4}(${LABEL}\\d{4}){3}`, `\\d{4}${LABEL}\\d{6}${LABEL}\\d{4,5}`],
  onlyInContext: true,
  fewestDigits: 14,
  refuses: ({ value }) => !NETWORK.test(value),
  judge(m) {
    const { value } = m
    if (!NETWORK.test(value) || !isCard((value.match(GROUP) ?? []).join(''))) return 0
    const gaps = value.split(GROUP).slice(1, -1)
    const shape = shapeOf(gaps[0]!)
    if (shape.trim() === '' || gaps.some((gap) => shapeOf(gap) !== shape) || !isInOrder(gaps)) return 0
    return mayCount(gaps) && isNamed(m, gaps[0]!) && !m.isJoined && !isOfList(m, shape) ? 0.85 : 0
  },
}
