/** Marks around a value: quotes, brackets, and what Markdown, Org and TeX put on both sides of a span. Some are signs of arithmetic, too. */
/** A possible value in its text, as `Candidate` has it. */
interface Span {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly value: string
  before(n: number): string
  after(n: number): string
  following(n: number): string
}

/** Before a value, for regular expressions. */
export const OPENING = '["\'`*_~=|$^<({[«‹“„‘]'
/** Behind it. */
export const CLOSING = '["\'`*_~=|$^>)}\\]»›“”’]'

const AT_BEGIN = new RegExp(`^${CLOSING}{1,4}`)
const AT_END = new RegExp(`${OPENING}{1,4}$`)
const AROUND = new RegExp(`^${OPENING}{1,4}|${CLOSING}{1,4}$`, 'g')

/** What follows a value, without the marks that close. */
export const afterMarks = (text: string): string => text.replace(AT_BEGIN, '')
/** What stands before a value, without the marks that open. */
export const beforeMarks = (text: string): string => text.replace(AT_END, '')
export const withoutMarks = (text: string): string => text.replace(AROUND, '')

const OPERAND_BEFORE = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d)\]]/u
const OPERAND_AFTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d([]/u
/** As base64 may have them before its equals signs. */
const UNDIVIDED = /^\+?\d+$/
const COMPONENT = /^\^[A-Z]{2}/
/** Marks of one kind: `***both***`. */
const MOST = 3

/**
 * Whether the sign before the span is one of arithmetic or of a currency, and none that closes behind the span: an operand stands
 * before it, as in `2*4155552671`, not in `**415-555-2671**`.
 */
export function isOperatorBefore(m: Span): boolean {
  const sign = m.before(1)
  if (!'*^$€£¥#=<'.includes(sign) || sign === '' || isBetweenMarks(m, sign)) return false
  if (sign === '=' || sign === '<') return /[\d\s)<]/.test(m.before(2))
  if (sign !== '*' && sign !== '^') return m.text[m.start] !== '+'
  const next = m.before(runBefore(m, sign) + 1)
  return OPERAND_BEFORE.test(next) || (next === ' ' && /[\d)]/.test(m.before(runBefore(m, sign) + 2)))
}

/** Whether the sign behind the span is one of arithmetic: an operand stands behind it, and the sign does not open before the span. */
export function isOperatorAfter(m: Span): boolean {
  const sign = m.after(1)
  // Wildcards of SQL stand on both sides.
  if (sign === '%') return m.before(1) !== sign
  if (!'*^='.includes(sign) || sign === '' || isBetweenMarks(m, sign)) return false
  if (sign === '=' && UNDIVIDED.test(m.value) && /[\w/+]/.test(m.before(1))) return true
  const behind = m.following(MOST + 2)
  const run = runOf(behind, sign)
  // Of HL7: `(415)555-2671^PRN^PH`, `4155552671^^PH`.
  if (sign === '^' && (run > 1 || COMPONENT.test(behind))) return false
  if (run > MOST || OPERAND_AFTER.test(behind.charAt(run))) return true
  return run === 1 && /^.\s\d/.test(behind)
}

/** Whether the sign stands on both sides of the span, directly beside it, and does not join operands: `2*3*4`. */
function isBetweenMarks(m: Span, sign: string): boolean {
  if (m.before(1) !== sign || m.after(1) !== (sign === '<' ? '>' : sign)) return false
  const run = runBefore(m, sign)
  return run > 1 || sign === '$' || !(OPERAND_BEFORE.test(m.before(2)) && OPERAND_AFTER.test(m.following(2).charAt(1)))
}

function runBefore(m: Span, sign: string): number {
  let run = 1
  while (run <= MOST && m.before(run + 1) === sign) run++
  return run
}

function runOf(text: string, sign: string): number {
  let run = 0
  while (text[run] === sign) run++
  return run
}

/** `$` that opens a formula before a word or directly before the value. */
const OPENS_FORMULA = /(?<![\p{L}\d_$])\${1,2}(?:[\p{L}\\][^$\n]*)?$/u

/** Whether the dollar sign behind the span closes a formula: `$SIREN 404 833 048$`. */
export const endsFormula = ({ text, start, end }: Span): boolean =>
  text[end] === '$' && OPENS_FORMULA.test(text.slice(Math.max(0, start - 80), start))
