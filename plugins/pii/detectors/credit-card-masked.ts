/** Cards with one or two digits masked, which anyone can restore: the check digit leaves at most ten candidates. */
import type { Detector } from '../engine/detector.ts'
import { isCard } from './credit-card.ts'
import { base, NETWORK } from './credit-card-odd.ts'

const SIGN = '[\\d*Xx#\\o]'
const SEP = '[ \\-.]'
const MASK = /[^\d .-]/g
/** More are usual where masks keep a number secret: the first six and the last four are shown. */
const MOST_MASKED = 2
const DIGITS = [...'0123456789']

/** `4111 X111 1111 1111`, `4111-1111-1111-*111`. */
export const creditCardMasked: Detector = {
  ...base,
  check: 'issuer range, length, Luhn; one or two digits masked in groups as printed, in context',
  patterns: [`\\d{4}${SEP}${SIGN}{4}${SEP}${SIGN}{4}${SEP}${SIGN}{4}`, `3\\d{3}${SEP}${SIGN}{6}${SEP}${SIGN}{4,5}`],
  onlyInContext: true,
  fewestDigits: 12,
  refuses: ({ value }) => !NETWORK.test(value),
  judge(m) {
    const masked = m.value.match(MASK)?.length ?? 0
    if (masked === 0 || masked > MOST_MASKED || m.isJoined || m.contextBefore() === 0) return 0
    return mayBeCard(m.value.replace(/[ .-]/g, '')) ? 0.7 : 0
  },
}

/** Whether any digits in the place of masks make it a card. */
function mayBeCard(number: string): boolean {
  const at = number.search(/\D/)
  if (at < 0) return isCard(number)
  return DIGITS.some((digit) => mayBeCard(number.slice(0, at) + digit + number.slice(at + 1)))
}
