/** Finds the places after a label that may have its value. */
import {
  AFTER_COMMA,
  ALIGNED,
  ARGUMENT,
  ARGUMENT_BELOW,
  ARROW,
  ASSIGN,
  ATTRIBUTE,
  ATTRIBUTED,
  BELOW,
  BESIDE,
  BRACED_ELEMENT,
  CALL,
  COLUMN,
  COLUMNS_BEFORE,
  COMPARED,
  COMPLEX_KEY,
  COMPUTED,
  CONNECTED,
  CONSTANT,
  DASHED,
  DASHED_BARE,
  DEFAULTED,
  DESCRIBED,
  DIRECT,
  DUMPED,
  ELEMENT,
  ELEMENT_BELOW,
  FALLBACK,
  FIRST_ARGUMENT,
  FORM_DATA,
  IN_LIST,
  IN_OBJECT,
  LISTED,
  MAX_BACKSLASHES,
  MAX_INSERT,
  METHOD,
  NESTED,
  NEXT_ARGUMENT,
  NODE,
  NOTED,
  OPENING,
  PAIR,
  PAIR_OVER_LINES,
  PARAMETER,
  PART,
  PARTICLE,
  QUOTED,
  REGISTRY,
  RETURNED,
  SERIALIZED,
  SPACED,
  SQL_VALUE,
  TAGGED,
  TO_VALUES,
  TYPED,
  VALUE_BELOW,
  VALUE_OPTION,
  VALUE_PAIR,
  WRAPPED,
} from './gaps.ts'
import { IDEOGRAPHIC, type LabelKind } from './labels.ts'

/** Of these the value may come after a comma; a password is too often one of several words there. */
const AFTER_COMMAS: ReadonlySet<LabelKind> = new Set(['api_key', 'secret', 'token', 'opaque'])
/** `--password`, `login bob password` in netrc, or `ENV PASSWORD` of an image. */
const FLAG = /(?:^|\s)--?[\w-]*$|\blogin \S{1,40} $|(?:^|\n)ENV \w*$/
/** `→` */
const ARROW_SIGN = 0x2192
const ELEMENT_NAME = /<[\w:.-]*$/

/** How certain it is that the text after a label is its value. */
export type Trust =
  /** The argument of a command or call whose value can be nothing else. */
  | 'argument'
  /** An assignment, an argument or a flag. */
  | 'firm'
  /** An assignment whose value may be an expression. */
  | 'code'
  /** Words in between: "the password for staging is …". */
  | 'prose'
  /** Only a space in between. */
  | 'direct'

export interface Slot {
  readonly start: number
  /** Code of the closing quote or sign; 0 if the value is not quoted. */
  readonly quote: number
  readonly trust: Trust
}
const isBlank = (code: number): boolean => code === 32 || code === 9
const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96
/** Typographic quotes of all languages, single and double. */
export const isTypographic = (code: number): boolean =>
  (code >= 0x2018 && code <= 0x201f) || code === 0xab || code === 0xbb || code === 0x2039 || code === 0x203a
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 127

/** The first character after quotes, brackets and blanks. */
function signAfter(text: string, end: number): number {
  for (let i = end; i < end + 8; i++) {
    const code = text.charCodeAt(i)
    if (!isQuote(code) && !isBlank(code) && code !== 91 && code !== 93 && code !== 41) return code
  }
  return 0
}

/** A stream must have the label, too, where the value begins. */
const MAX_GAP = 144

/**
 * Places after a label (`at`..`end`) that may have its value, leftmost first, because a stream sees them in this
 * order.
 */
export function slots(text: string, at: number, end: number, kind: LabelKind): Slot[] {
  const found: Slot[] = []
  if (end >= text.length) return found
  const add = (rule: RegExp, trust: Trust): void => {
    rule.lastIndex = end
    const match = rule.exec(text)
    if (match !== null && match[0].length <= MAX_GAP) found.push(slotAt(text, end + match[0].length, trust))
  }
  const next = text.charCodeAt(end)
  let i = end
  while (i < end + 3 && isBlank(text.charCodeAt(i))) i++
  const code = text.charCodeAt(i)
  const left = text.slice(Math.max(0, at - 48), at)
  if (!isLetter(code) || code === ARROW_SIGN) add(ASSIGN, isBlank(next) ? 'code' : 'firm')
  if (code === 44 && AFTER_COMMAS.has(kind)) add(AFTER_COMMA, 'code')
  if (kind === 'session' || kind === 'opaque' || kind === 'tailed' || kind === 'service') {
    if (kind === 'opaque' && isQuote(next)) add(ARGUMENT, 'firm')
    if (kind === 'session' && isQuote(next)) add(BESIDE, 'firm')
    if (kind === 'service' && isBlank(next)) add(QUOTED, 'firm')
    if (kind !== 'service' && kind !== 'session' && (isBlank(next) || code === 58)) add(TYPED, 'code')
    if (kind === 'opaque' && next === 62 && ELEMENT_NAME.test(left)) add(ELEMENT, 'firm')
    if (kind === 'opaque' && end - at < 4 && isBlank(next) && FLAG.test(left)) add(DIRECT, 'argument')
    if (kind === 'opaque' && isBlank(next)) add(DASHED, 'firm')
    if (kind === 'opaque' && (next === 40 || code === 61)) add(PAIR, 'firm')
    if (kind === 'opaque' && isBlank(next)) add(CONNECTED, 'prose')
    if (kind === 'opaque' && code === 124) add(FALLBACK, 'firm')
    return found.length > 1 ? found.sort((a, b) => a.start - b.start) : found
  }
  const opening = OPENING.exec(text.slice(end, end + 16 + MAX_BACKSLASHES))?.[0]
  if (opening !== undefined) add(opening.endsWith('[') ? IN_LIST : IN_OBJECT, 'firm')
  if (isQuote(next) || next === 92) {
    const close = pastBackslashes(text, end) + 1
    let j = close
    while (j < close + 4 && isBlank(text.charCodeAt(j))) j++
    const then = text.charCodeAt(j)
    if (then === 44) {
      add(BESIDE, 'firm')
      add(DEFAULTED, 'firm')
    }
    if (j > close && then === 34) add(SPACED, 'firm')
    if (then === 45) add(VALUE_OPTION, 'firm')
    if (then === 44 || then === 41 || then === 93) add(ARGUMENT, 'firm')
    if (then === 44 && FIRST_ARGUMENT.test(left)) add(ARGUMENT_BELOW, 'firm')
    if (j > close || then <= 32 || then === 123) add(ATTRIBUTE, 'firm')
    if (then === 62 || j > close) add(TAGGED, 'firm')
    if (then <= 13) add(BELOW, 'firm')
    if (then <= 13 && FORM_DATA.test(left)) add(PART, 'firm')
    if (then === 59) add(SERIALIZED, 'firm')
    if (then === 93) add(DUMPED, 'firm')
    if (then === 58) add(PARAMETER, 'firm')
  } else if (code <= 13) add(BELOW, 'firm')
  if (code <= 13 && COMPLEX_KEY.test(left)) add(VALUE_BELOW, 'firm')
  if (code === 58) {
    add(LISTED, 'code')
    add(PARAMETER, 'firm')
    add(NODE, 'firm')
  }
  if (code === 40 || code === 91) add(NOTED, 'prose')
  if (/--?[\w-]*$/.test(left)) add(ELEMENT_BELOW, 'argument')
  if (code === 45 && isBlank(next)) add(VALUE_OPTION, 'firm')
  if (next === 44) {
    if (COMPARED.test(left) || (CONSTANT.test(text.slice(at, end)) && !/USER$/.test(left))) add(NEXT_ARGUMENT, 'firm')
    add(VALUE_PAIR, 'firm')
    add(DEFAULTED, 'firm')
  }
  if (next === 40) {
    add(CALL, 'firm')
    add(PAIR_OVER_LINES, 'firm')
  }
  if (next === 60 || next === 62) add(NESTED, 'firm')
  const sign = signAfter(text, end)
  if (sign === 46 || (next === 40 && text[end + 1] === ')')) add(METHOD, 'firm')
  if (sign === 61 || sign === 58 || sign === 123) add(WRAPPED, 'firm')
  if (sign === 61 || sign === 124 || sign === 63 || sign === 58 || sign === 111) add(FALLBACK, 'firm')
  if (next === 62 && ELEMENT_NAME.test(left)) {
    add(ELEMENT, 'firm')
    add(BRACED_ELEMENT, 'firm')
  }
  if (isBlank(next) && ELEMENT_NAME.test(left)) add(ATTRIBUTED, 'firm')
  if (code === 60) add(ARROW, 'firm')
  if (code === 41 || code === 44 || isQuote(code) || code === 93) {
    const value = insertedAt(text, at, end)
    if (value > 0) found.push(slotAt(text, value, 'firm'))
  }
  if (next === 40 || code === 123 || code === 98 || code === 103) add(RETURNED, 'firm')
  if (code === 58) add(COMPUTED, 'firm')
  if (isBlank(next)) {
    add(REGISTRY, 'firm')
    add(DASHED, 'firm')
    add(DASHED_BARE, kind === 'password' ? 'direct' : 'code')
  }
  if (text.slice(i, i + 32).includes('=')) add(TYPED, 'code')
  if (code === 124 || !isLetter(code)) add(COLUMN, 'code')
  // The verb `pass` is no label.
  const noun = end - at !== 4 || /\w$/.test(left) || text.slice(at, end).toLowerCase() !== 'pass'
  if (noun && (isBlank(next) || !isLetter(next))) {
    add(CONNECTED, 'prose')
    add(DESCRIBED, 'prose')
  }
  if (next > 127 || IDEOGRAPHIC.test(text[at]!)) add(PARTICLE, 'firm')
  if (isBlank(next)) {
    const flag = FLAG.test(left)
    if (noun || flag) add(kind === 'password' ? DIRECT : ALIGNED, flag ? 'argument' : 'direct')
  }
  return found.length > 1 ? found.sort((a, b) => a.start - b.start) : found
}

/** Where the value of a column begins in `INSERT INTO users (name, password) VALUES ('bob', '…')`, or -1. */
function insertedAt(text: string, at: number, end: number): number {
  TO_VALUES.lastIndex = end
  if (!TO_VALUES.test(text)) return -1
  let value = TO_VALUES.lastIndex
  const before = COLUMNS_BEFORE.exec(text.slice(Math.max(0, value - MAX_INSERT, at - 120), at))
  if (before === null) return -1
  for (const sign of before[1]!) {
    if (sign !== ',') continue
    SQL_VALUE.lastIndex = value
    if (!SQL_VALUE.test(text)) return -1
    value = SQL_VALUE.lastIndex
  }
  const first = at - before[0].length
  return value - first <= MAX_INSERT && /[NE]?'/y.test(text.slice(value, value + 2)) ? value : -1
}

/** CSV doubles a quote with each level: a cell of a table in a cell of a table in a cell. */
const MAX_QUOTES = 8

/**
 * Index after an opening quote, including the doubled or tripled quotes of CSV cells and long strings. `""` is an
 * empty string.
 */
function openingEnd(text: string, start: number, quote: number): number {
  let end = start + 1
  for (let n = 0; n < MAX_QUOTES - 1; n++) {
    let next = end
    while (next - end < 16 && text[next] === '\\') next++
    if (text.charCodeAt(next) !== quote) break
    end = next + 1
  }
  return end > start + 1 && /[\s,;:)\]}\\]|^$/.test(text[end] ?? '') ? start + 1 : end
}

function pastBackslashes(text: string, at: number): number {
  let end = at
  while (end < at + MAX_BACKSLASHES && text.charCodeAt(end) === 92) end++
  return end
}

/** The place after a notation of `notations.ts`. */
export function slotAfter(text: string, end: number, after: RegExp, until = 0): Slot | undefined {
  after.lastIndex = end
  if (!after.test(text)) return undefined
  const start = after.lastIndex
  return until > 0 ? { start, quote: until, trust: 'argument' } : slotAt(text, start, 'argument')
}

/** Of a string: `b"…"`, `f'…'`, `@"…"`, `R"…"`, `u8"…"`, `N'…'` of SQL. */
const PREFIX = /(?:[bfruLRBFUNE@$]|[rR][bBfF]|[bBfF][rR]|u8|@\$|\$@)(?=["'`])/y

function slotAt(text: string, at: number, trust: Trust): Slot {
  let start = at
  PREFIX.lastIndex = start
  if (PREFIX.test(text)) start = PREFIX.lastIndex
  // A string inside a string: \"…\".
  const quoted = pastBackslashes(text, start)
  if (isQuote(text.charCodeAt(quoted))) start = quoted
  const code = text.charCodeAt(start)
  if (!isQuote(code)) return { start: isTypographic(code) ? start + 1 : start, quote: 0, trust }
  return { start: openingEnd(text, start, code), quote: code, trust: trust === 'direct' ? 'firm' : trust }
}
