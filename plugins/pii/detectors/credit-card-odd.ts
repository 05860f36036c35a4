/** Cards with odd signs between their groups. */
import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { CLOSING, OPENING } from '../engine/emphasis.ts'
import { creditCard, isCard, isPart, isRare } from './credit-card.ts'

/** What is between groups: runs of blanks, signs, a line end. Signs of lists and sums count only in context. */
export const SIGNS = "|*~'\\\\\\o\\-./_"
const TAG = '(b|i|u|em|strong|mark|span|code|B|I|U)>'
export const MARKUP = `</${TAG}( ?<${TAG})?|<${TAG}|<[bB][rR] ?/?>|&(nbsp|#160|#xa0|ensp|thinsp);|%20|\\\\n`
const BETWEEN = `( {0,2}([${SIGNS}:;=+']|--|_-_|\\.{3}|${MARKUP}) {0,2}|[*"')\\]]{1,2} ?[*"'(\\[]{1,2}|["'] ?[+&.] ?["']|\` ?\`| {1,3}| ?\r?\n ?)`
/** `30000-3000=27000`, in a text about cards too. */
const DIFFERENCE = /\d ?[-+*/] ?\d+ ?= ?\d+$/
const SUM = /[×÷±≈≤≥→−°]/
/** Signs that are between numbers of other kinds as well: there the card must be all that a line or field says. */
const AMBIGUOUS = /[:;=+`\r\n]/
/** `"4111" + "1111"` of code is no sum. */
const CONCATENATED = /["'] ?\+ ?["']/g
/** What a message, a label or a field has before its value, and what ends it. */
const ALONE_BEFORE = new RegExp(`(?:^|[:>]\\s?)${OPENING}{0,3}$`)
/** A column that nothing names has lines of all kinds. */
const NAMED_BEFORE = new RegExp(`[:>]\\s?${OPENING}{0,3}$`)
const LINE = /\n/
/** Code in prose: ports and versions, too. */
const CODE = /`/
const WHOLE_BEFORE = new RegExp(`^${OPENING}{0,4}$`)
const ALONE_AFTER = new RegExp(`^(?:${CLOSING}|\\.){0,4}(?:\\s|<|$)`)
/** How issuers print cards, and how people write them. */
const PRINTED = /^(?:4(?:-4){3}|4-4-4-4-[1-3]|4-4-4-1|4-6-[45]|4-8-[14]|4-4-8|8-4-4)$/
/** Also written so. `8 - 8` digits are a range. */
const UNUSUAL = /^(?:\d{8}(?: |-| ?\r?\n ?)\d{8}|\d{6}-\d{4}-\d{6})$/
const PAIRS = /^2(?:-2){5,8}(?:-1)?$/
const SINGLE = /^1(?:-1){12,18}$/

/** `5217 348858098 214 EXP: 10/29`, `(Visa)`, `is my card`: what a card has, or is called, behind its number. */
const NAMED_AFTER = new RegExp(
  '^[^\\d\\n]{0,30}?(?<!\\p{L})(?:visa|master ?card|amex|american express|maestro|discover|diners|jcb|union ?pay|rupay|' +
    '(?:credit |debit |bank )?card|(?:kredit|bank)?karte|carte|tarjeta|cart[ãa]o|(?:credit|betaal)?kaart|kart[aęąy]|expiry|expiration|' +
    '(?:exp|expir\\p{L}{0,6}|cvv2?|cvc2?|valid (?:thru|until|till|to)|gültig bis|caduca|scade|scadenza|validade|vence|geldig tot|ważna do)[.: ="\'|]{0,5}(?=\\d{1,2}[/.-]\\d|\\d{3,4}(?![\\d-])))(?!\\p{L})',
  'iu',
)
const LONGEST_NAMED = 44
const MOST_GROUPS = 6

/** Whether the beginning of a number may continue to a card in any few groups, which a name behind it tells. */
function mayBeNamedAfter(value: string): boolean {
  if (!NETWORK.test(value) || SUM.test(value) || LINE.test(value)) return false
  const groups = value.match(/\d+/g) ?? []
  return groups.length <= MOST_GROUPS && groups.slice(1, -1).every(({ length }) => length > 1)
}

export const base = {
  type: 'credit_card',
  title: creditCard.title,
  level: 'RESTRICTED',
  context: creditCard.context!,
} as const

/** Numbers of few networks have other lengths; a name must be near them. */
const NEAR = 0.7

const groupsOf = (value: string): string => (value.match(/\d+/g) ?? []).map(({ length }) => length).join('-')

/** Whether lines break between groups as printed, between groups of one length, or after each. Others are lines of a list. */
export function isInLines(value: string): boolean {
  if (!value.includes('\n') || PRINTED.test(groupsOf(value))) return true
  const groups = value.match(/\d+/g)!
  const signs = value.split(/\d+/).slice(1, -1)
  return (
    new Set(signs).size === 1 ||
    groups.every(({ length }, i) => length === groups[0]!.length || i === groups.length - 1)
  )
}

/**
 * Groups as printed, or pairs and single digits with the same sign between. Numbers in a column or row look the same, so
 * with blanks and line ends the card must stand alone.
 */
function isPrinted(m: Candidate): boolean {
  const { value } = m
  const signs = value.split(/\d+/).slice(1, -1)
  if (SUM.test(value)) return false
  const isEven = new Set(signs).size === 1
  const groups = groupsOf(value)
  const isWhole = PRINTED.test(groups) || UNUSUAL.test(value)
  if (!isWhole && !(isEven && (PAIRS.test(groups) || SINGLE.test(groups)))) return false
  if (!AMBIGUOUS.test(value.replace(CONCATENATED, '')) && (isWhole || signs[0]!.trim() !== '')) return true
  return isEven && isAlone(m)
}

const isNamedAfter = (m: Candidate): boolean =>
  (mayBeNamedAfter(m.value) || PAIRS.test(groupsOf(m.value))) &&
  !m.isInRun &&
  NAMED_AFTER.test(m.following(LONGEST_NAMED))

/** Groups of a number in a length that few networks have. */
const RARE_GROUPS = /^(?:4-4-[45]|4-4-4-[1-5]|4-8|6-6|8-4|6-7)$/
/** Only marks are between the name and the number: `card: 6761 452 368 823`, not `card sales 6761 452 368 823`. */
const RIGHT_BEHIND = /^[^\p{L}\d]{1,6}$/u
const isRareInGroups = (m: Candidate): boolean =>
  !LINE.test(m.value) &&
  (RIGHT_BEHIND.test(m.sinceContext) || (RARE_GROUPS.test(groupsOf(m.value)) && !/\d/.test(m.sinceContext)))

function isAlone(m: Candidate): boolean {
  const before = LINE.test(m.value) ? NAMED_BEFORE : CODE.test(m.value) ? WHOLE_BEFORE : ALONE_BEFORE
  return before.test(m.text.slice(Math.max(0, m.start - 5), m.start)) && ALONE_AFTER.test(m.following(5))
}

/** First digits of issuers. */
export const NETWORK = /^(?:[3-6]|2[0-7]?|8[12]?|97?)/
/** Whether the beginning of a number may continue to a card in groups as printed. */
function mayBePrinted(value: string): boolean {
  if (SUM.test(value) || !NETWORK.test(value)) return false
  const groups = value.match(/\d+/g) ?? []
  const [first = '', ...rest] = groups.map(({ length }) => length)
  const whole = rest.slice(0, -1)
  if (rest.length === 0) return true
  if (first === 1 || first === 2) {
    const signs = value.split(/\d+/).slice(1, -1)
    return whole.every((length) => length === first) && new Set(signs).size < 2
  }
  return (first === 4 || first === 8) && whole.every((length) => length === 4 || length === 6 || length === 8)
}

/** `4111|1111|1111|1111`, `4111  1111 11111111`, `41 11 11 …`: in context, or in groups as printed. */
export const creditCardOdd: Detector = {
  ...base,
  check: 'issuer range, length, Luhn; odd signs in groups as printed',
  patterns: [`\\d{1,12}(${BETWEEN}\\d{1,12}){1,18}`],
  everyEnd: 'in context',
  refuses: (opening) =>
    opening.contextBefore() === 0 && !mayBePrinted(opening.value) && !mayBeNamedAfter(opening.value),
  judge(m) {
    if (m.digitCount < 12 || m.digitCount > 19 || !(isCard(m.digits) || isRare(m.digits)) || m.isJoined || isPart(m))
      return 0
    if (DIFFERENCE.test(m.value)) return 0
    const near = m.contextBefore()
    if (!isCard(m.digits)) return near > NEAR && isRareInGroups(m) ? 0.8 : 0
    if (near > 0) return isInLines(m.value) ? 1 : 0
    if (m.isOtherNumber) return 0
    return isPrinted(m) || isNamedAfter(m) ? 0.8 : 0
  },
}

/** `4111 111111 111111 12/27 123`, `4111:1111:1111:1111|12|2027|123`: what a card says after its number. */
const EXPIRY = '([ |,;:/\t]{1,3}|</td> ?<td>)(0[1-9]|1[0-2])[/|\\-](20)?[2-4]\\d([ |,;/]{1,3}\\d{3,4})?'
const BEFORE_EXPIRY = /(?:[ |,;:/\t]{1,3}|<\/td> ?<td>)(?:0[1-9]|1[0-2])[/|-](?:20)?[2-4]\d(?:[ |,;/]{1,3}\d{3,4})?$/

/** `123`, `cvv 123` behind the month of expiry. */
const CODE_WITHIN = /[/|-](?:20)?[2-4]\d[ |,;/]{1,3}\d{3,4}$/
const LONGEST_CODE = 6
const CODE_AFTER = /^[ |,;/]{1,3}(?:cvv|cvc|cvn|csc)/i

/** Before a month of expiry, with the same sign between. Decimals have full stops. */
const PRINTED_FIRST = /^(?:\d{4}([^\d.\t]{1,8})\d{4}\1\d{4}\1\d{4}|\d{4}([^\d.\t]{1,8})\d{6}\2\d{4,6})$/

/** `4851 113617 636652 05/30 577`; in any groups in context. */
export const creditCardWithExpiry: Detector = {
  ...base,
  check: 'issuer range, length, Luhn; before a month of expiry in groups as printed, or in any in context',
  patterns: [`\\d{1,15}((${BETWEEN}|\t)\\d{1,15}){1,18}${EXPIRY}`],
  fewestDigits: 16,
  refuses: ({ value, digitCount }) => digitCount > 29 || SUM.test(value) || !NETWORK.test(value),
  judge(m) {
    const number = m.value.replace(BEFORE_EXPIRY, '')
    const digits = number.replace(/\D/g, '')
    if (digits.length > 19 || !isCard(digits) || m.isJoined) return 0
    return m.contextBefore() > 0 || (!m.isOtherNumber && (PRINTED_FIRST.test(number) || isBeforeCode(m, number)))
      ? 0.9
      : 0
  },
}

const isBeforeCode = (m: Candidate, number: string): boolean =>
  mayBeNamedAfter(number) && (CODE_WITHIN.test(m.value) || CODE_AFTER.test(m.following(LONGEST_CODE)))
