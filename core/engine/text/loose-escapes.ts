/**
 * Ambiguous escapes: `\n` may be a written-out line break, or the start of `\new` in a path. Only the second reading
 * decodes them; the first leaves them unchanged.
 */
import { isAlnum, isDigit } from './char-kinds.ts'
import { SEAM } from './decorations.ts'
import { endsInOtherName, entityNamedAt, LONGEST_NAME, legacyEntityAt } from './entities.ts'
import {
  decoded,
  decodedEntity,
  ESCAPE_LEADS,
  type Escape,
  escapeAt,
  hexAt,
  hexValue,
  isLead,
  LONGEST_ESCAPE,
  loosePercentAt,
} from './escapes.ts'

const PERCENT = 0x25
const AMPERSAND = 0x26
const EQUALS = 0x3d
const BACKSLASH = 0x5c
/** JSON inside JSON doubles the backslash with each level. */
const MAX_BACKSLASHES = 16

export const LOOSE_LEADS = [...ESCAPE_LEADS, { char: '=', code: EQUALS }] as const

/** What `\n` and similar escapes mean; those that show nothing separate words as a space does. */
const LETTERS: ReadonlyMap<number, string> = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', f: '\n', v: '\n', b: ' ', a: ' ', e: ' ', E: ' ' }).map(
    ([letter, to]) => [letter.charCodeAt(0), to] as const,
  ),
)
const QUOTE = 0x22
const SPACE = 0x20
const COLON = 0x3a
const SEMICOLON = 0x3b
const SEAM_CODE = SEAM.charCodeAt(0)
/** Characters that show nothing before an escape, up to which is looked at what it continues. */
const MOST_UNSEEN = 64
/** `\046` and a name. */
const MOST_SHOWN = 4 + LONGEST_NAME

/** The loose escape at `i`, where `%`, `&`, `\` or `=` stands; second reading only. */
export function looseEscapeAt(raw: string, i: number, c: number): Escape | undefined {
  if (c === EQUALS) return quotedPrintableAt(raw, i)
  const strict = escapeAt(raw, i, c)
  if (strict !== undefined) return strict
  if (c === PERCENT) return loosePercentAt(raw, i) ?? bytesAt(raw, i, PERCENT)
  return c === AMPERSAND ? looseEntityAt(raw, i) : looseBackslashAt(raw, i)
}

/** The loose escape that ends at a position. */
export function escapeBefore(text: string, end: number): Escape | undefined {
  for (let at = end - 1; at >= 0 && end - at <= LONGEST_ESCAPE; at--) {
    const c = text.charCodeAt(at)
    if (c !== BACKSLASH && c !== AMPERSAND) continue
    const found = looseEscapeAt(text, at, c)
    return found?.end === end ? found : undefined
  }
  return undefined
}

/**
 * Whether the escape alone justifies a second reading. An escaped quotation mark usually does not: it separates words
 * with or without its backslash, and nested JSON is full of it. It does count when it opens a value after a bare label,
 * `password: \"`, and after a quoted label with several backslashes, as in JSON of three levels: detectors read past one.
 */
export function matters(raw: string, i: number, { end, text }: Escape): boolean {
  if (raw.charCodeAt(i) !== BACKSLASH || raw.charCodeAt(end - 1) !== QUOTE || text !== '"') return true
  let at = i - 1
  while (at > i - 3 && raw.charCodeAt(at) === SPACE) at--
  const sign = raw.charCodeAt(at)
  if (sign !== COLON && sign !== EQUALS) return false
  const before = raw.charCodeAt(at - 1)
  return isAlnum(before) || before === SPACE || (before === QUOTE && end - i > 2)
}

function controlOf(code: number): string | undefined {
  if (code === 9 || code === 10 || code === 13) return String.fromCharCode(code)
  if (code === 11 || code === 12) return '\n'
  // Invisible characters are not part of a value, as in plain text.
  return code < 0x20 || (code >= 0x7f && code < 0xa0 && code !== 0x85) ? '' : undefined
}

/** A terminal colour, `\e[31m`, shows nothing. */
function control(raw: string, code: number, end: number): Escape | undefined {
  if (code !== 0x1b || raw.charCodeAt(end) !== 0x5b) {
    const text = controlOf(code)
    return text === undefined ? undefined : { end, text, parts: text === '' }
  }
  let at = end + 1
  while (at - end < 16 && (isDigit(raw.charCodeAt(at)) || raw.charCodeAt(at) === 0x3b)) at++
  const last = raw.charCodeAt(at)
  return { end: isAlnum(last) && !isDigit(last) ? at + 1 : end, text: '', parts: true }
}

const charOf = (raw: string, code: number, end: number): Escape | undefined =>
  decoded(code, end) ?? control(raw, code, end)

function looseBackslashAt(raw: string, i: number): Escape | undefined {
  let at = i + 1
  while (raw.charCodeAt(at) === BACKSLASH && at - i < MAX_BACKSLASHES) at++
  const c = raw.charCodeAt(at)
  if (c === 0x75 || c === 0x78 || c === 0x55) return codeAt(raw, at, c)
  if (c === 0x65 || c === 0x45) {
    const found = control(raw, 0x1b, at + 1)
    return found !== undefined && found.end > at + 1 ? found : { end: at + 1, text: ' ' }
  }
  const to = LETTERS.get(c)
  if (to !== undefined) return { end: at + 1, text: to }
  if (c >= 0x30 && c <= 0x37) return octalAt(raw, i, at)
  if (c === 10) return { end: at + 1, text: '' }
  if (c === 13 && raw.charCodeAt(at + 1) === 10) return { end: at + 2, text: '' }
  // `\ ` is a blank in a shell.
  if (!(c >= 0x20 && c < 0x7f) || isAlnum(c)) return undefined
  const inner = c === PERCENT || c === AMPERSAND ? looseEscapeAt(raw, at, c) : undefined
  if (inner === undefined) return { end: at + 1, text: raw[at] as string }
  return c === AMPERSAND ? withSign(raw, inner) : inner
}

/** An entity without its semicolon, whose semicolon follows behind a backslash: `\&shy\;`. */
function withSign(raw: string, found: Escape): Escape {
  let at = found.end
  if (raw.charCodeAt(at - 1) === SEMICOLON) return found
  while (raw.charCodeAt(at) === BACKSLASH && at - found.end < MAX_BACKSLASHES) at++
  return at > found.end && raw.charCodeAt(at) === SEMICOLON ? { ...found, end: at + 1 } : found
}

/** `\u{40}`, and control characters: `\u000a`, `\x1b[0m`. */
function codeAt(raw: string, at: number, kind: number): Escape | undefined {
  if (kind === 0x75 && raw.charCodeAt(at + 1) === 0x7b) {
    let end = at + 2
    let code = 0
    for (; end - at < 8 && hexValue(raw.charCodeAt(end)) >= 0; end++) code = code * 16 + hexValue(raw.charCodeAt(end))
    return end > at + 2 && raw.charCodeAt(end) === 0x7d ? charOf(raw, code, end + 1) : undefined
  }
  const width = kind === 0x75 ? 4 : kind === 0x55 ? 8 : 2
  const code = hexAt(raw, at + 1, width)
  return code < 0 ? undefined : control(raw, code, at + 1 + width)
}

/**
 * `\100` of C and shells, and `\0`. Further digits belong to a value after `\0`, unless another such escape stands
 * right before or in the same word, or the escape decodes to a separator inside values, or to a line break or tab: few values
 * begin with their digits.
 */
function octalAt(raw: string, i: number, at: number): Escape | undefined {
  let end = at
  let code = 0
  for (; end - at < 3 && (raw.charCodeAt(end) & ~7) === 0x30; end++) code = code * 8 + raw.charCodeAt(end) - 0x30
  const zero = raw.charCodeAt(at) === 0x30 ? { end: at + 1, text: ' ' } : undefined
  if (zero !== undefined && isDigit(raw.charCodeAt(end)) && raw.charCodeAt(i - 4) !== BACKSLASH) {
    const before = shownBefore(raw, i)
    const belongs =
      isLineBreakOrTab(code) ||
      isPercent(raw, i, end, code) ||
      (code === SEMICOLON && OPEN_ENTITY.test(before)) ||
      AMONG_OCTALS.test(before.slice(-24)) ||
      isBetween(before.charCodeAt(before.length - 1), code)
    if (end - at < 3 || !belongs) return zero
  }
  // `\12`: fewer digits are a blank or nothing, because patterns and templates name their parts so.
  const isWhole = end - at === 3 || (end - at === 2 && (code === SPACE || isLineBreakOrTab(code)))
  const found = isWhole && code < 0x80 ? charOf(raw, code, end) : undefined
  return found?.text === ' ' && code !== 0x20 ? (zero ?? found) : (found ?? zero)
}

/** Where an escape of an invisible character begins that ends at `i`, such as `%E2%80%8B` or `&#8203;`; `i` if there is none. */
export function visibleBefore(raw: string, i: number): number {
  for (let at = i - 1; i - at <= LONGEST_ESCAPE && at >= 0; at--) {
    const c = raw.charCodeAt(at)
    if (!isLead(c)) continue
    const found =
      (c === PERCENT ? bytesAt(raw, at, PERCENT) : undefined) ?? escapeAt(raw, at, c) ?? looseEntityOf(raw, at, c)
    if (found?.end === i && found.text === '') return at
  }
  return i
}

const looseEntityOf = (raw: string, i: number, c: number): Escape | undefined =>
  c === AMPERSAND ? looseEntityAt(raw, i) : undefined

/** `\045` of `%40`, not followed by a long number; `2d` with a letter is part of none. */
const isPercent = (raw: string, i: number, end: number, code: number): boolean =>
  code === PERCENT &&
  hexAt(raw, end, 2) >= 0 &&
  (!isDigit(raw.charCodeAt(end + 2)) ||
    !isDigit(raw.charCodeAt(end + 1)) ||
    raw.startsWith('\\045', i - 6) ||
    (raw.startsWith('25', end) && hexAt(raw, end + 2, 2) >= 0))

const isLineBreakOrTab = (code: number): boolean => code === 9 || code === 10 || code === 13

/** What is seen before `i`, without the characters at its end that show nothing, and without seams. */
function shownBefore(raw: string, i: number): string {
  let end = i
  for (let last = -1; end !== last && i - end < MOST_UNSEEN; ) {
    last = end
    end = raw.charCodeAt(end - 1) === SEAM_CODE ? end - 1 : visibleBefore(raw, end)
  }
  return raw.slice(Math.max(0, end - MOST_SHOWN), end).replaceAll(SEAM, '')
}

/** The end of `\\046\\043X2D` or `\\046hyphen` before `\\073`, entities in octal. */
const OPEN_ENTITY = /(?:(?:#|\\043)[xX]?[0-9A-Fa-f]{1,6}|(?:&|\\046)[A-Za-z][A-Za-z0-9]{1,30})$/

/** Before `\040`: `\042see`, or the start of `$'…'`: its writer spells in three digits. */
const AMONG_OCTALS = /(?:\$'|\\[0-7]{3}(?=[A-Za-z]))(?:[A-Za-z0-9]|\\+[0-7]{3})*$/

/** `- . : + / =`: separators in numbers, addresses and base64. */
const JOINTS = new Set([0x2d, 0x2e, 0x3a, 0x2b, 0x2f, 0x3d])

/** Whether a character may join the following digits to the preceding text. */
function isBetween(previous: number, code: number): boolean {
  if (isDigit(previous)) return code >= 0x20
  return isAlnum(previous) ? JOINTS.has(code) : code === 0x2b || code === 0x28
}

function looseEntityAt(raw: string, i: number): Escape | undefined {
  if (raw.charCodeAt(i + 1) !== 0x23) {
    const named = entityNamedAt(raw, i) ?? legacyEntityAt(raw, i)
    return named === undefined ? undefined : decodedEntity(named)
  }
  const match = NUMERIC.exec(raw.slice(i, i + 10))
  if (match === null) return undefined
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16)
  return control(raw, code, i + match[0].length)
}

const NUMERIC = /^&#(?:[xX]0*([0-9A-Fa-f]{1,2})|0*(\d{1,3}));?/

/**
 * `=40` and the soft line break of quoted-printable. An encoder leaves single letters and digits as they are, but
 * settings contain `page=42`. So such an escape counts only next to another, or in the head of a key: `-----BEG=49N`.
 */
function quotedPrintableAt(raw: string, i: number): Escape | undefined {
  const next = raw.charCodeAt(i + 1)
  if (next === 10) return { end: i + 2, text: '' }
  if (next === 13) return raw.charCodeAt(i + 2) === 10 ? { end: i + 3, text: '' } : undefined
  const code = hexAt(raw, i + 1, 2)
  if (code < 0) return undefined
  const found = { end: i + 3, text: String.fromCharCode(code) }
  const isPrintable = code >= 0x20 && code < 0x7f
  if (isPrintable && isQuoted(raw, i - 3)) return found
  const before = raw.charCodeAt(i - 1)
  if (isAlnum(before) && !(code === PERCENT && isDigit(before)) && isInNumber(raw, i + 1)) return undefined
  // `page=132`: text contains no control characters.
  if (
    code < 0x20 &&
    isLetter(raw.charCodeAt(i - 1)) &&
    isDigit(raw.charCodeAt(i + 2)) &&
    isDigit(raw.charCodeAt(i + 3))
  )
    return undefined
  if (!isPrintable) return bytesAt(raw, i, EQUALS)
  return !isAlnum(code) || isQuoted(raw, i + 3) || isInMarker(raw, i) ? found : undefined
}

/** `card=4012888888881881`, `ssn=293-15-6785`, `hash=2b3120323132`, `card=4012 8888`, `ssn=251&hyphen;31`, `n=251%2D31`, not `=22&page=3` */
const NUMBER =
  /^(?:\d{3}[\d-]{4}|(?:[2-7][0-9a-f]){5}|(?!20)\d{3,4} \d{2}|(?:1\d|2[1-9]|\d{3,4})(?:&#|%[0-9A-Fa-f]{2}|\\|(&)))/

function isInNumber(raw: string, from: number): boolean {
  const match = NUMBER.exec(raw.slice(from, from + 22))
  if (match?.[1] === undefined) return match !== null
  const at = from + match[0].length - 1
  return (entityNamedAt(raw, at) ?? legacyEntityAt(raw, at)) !== undefined
}

const isInMarker = (raw: string, i: number): boolean => OPEN_MARKER.test(raw.slice(Math.max(0, i - 96), i))

const OPEN_MARKER = /(?:-|=2[Dd]){5}(?:[A-Z0-9 ]|=[2-5][0-9A-Fa-f])*$/

const isLetter = (c: number): boolean => isAlnum(c) && !isDigit(c)

const isQuoted = (raw: string, i: number): boolean => raw.charCodeAt(i) === EQUALS && hexAt(raw, i + 1, 2) >= 0x20

/** A line break, or a character of two to four bytes of UTF-8: `%0A`, `%C3%A9`, `=C2=A0`. */
function bytesAt(raw: string, i: number, lead: number): Escape | undefined {
  const first = hexAt(raw, i + 1, 2)
  if (first < 0) return undefined
  if (first < 0x80) return control(raw, first, i + 3)
  const count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (count === 0) return undefined
  let code = first & (0xff >> (count + 1))
  let at = i + 3
  for (let n = 1; n < count; n++, at += 3) {
    const next = raw.charCodeAt(at) === lead ? hexAt(raw, at + 1, 2) : -1
    if (next < 0x80 || next > 0xbf) return undefined
    code = (code << 6) | (next & 0x3f)
  }
  return charOf(raw, code, at)
}

const OPEN_LOOSE = new RegExp(
  [
    '(?:[%=]1[bB]|&#(?:27|[xX]1[bB]);)(?:\\[[\\d;]{0,15})?',
    '[%=](?:[0-9A-Fa-f]|[cdefCDEF][0-9A-Fa-f](?:[%=][89abAB][0-9A-Fa-f]){0,2}(?:[%=][0-9A-Fa-f]?)?)?',
    '=\\r',
    '(?<!=[0-9A-Fa-f]{2})=[0-7][0-9A-Fa-f](?:(?<==[2-7].)(?:[2-7][0-9a-f]){0,3}[2-7]?|(?:\\d[\\d-]{0,3})?(?:&(?:[A-Za-z][A-Za-z0-9]{0,30})?|%[0-9A-Fa-f]?| \\d?)?|=[0-9A-Fa-f]?)',
    '&(?:#(?:[xX][0-9A-Fa-f]{0,9}|\\d{0,9})|[A-Za-z][A-Za-z0-9]{0,30})?',
    '\\\\{1,16}(?:u[0-9A-Fa-f]{0,3}|u\\{[0-9A-Fa-f]{0,6}|U[0-9A-Fa-f]{0,7}|x[0-9A-Fa-f]?|[0-7]{1,3}|045[0-9A-Fa-f]{1,4}|\\r' +
      '|(?:[eE]|x1[bB]|u001[bB]|033)(?:\\[[\\d;]{0,15})?|%[#A-Za-z0-9]{0,15}|&(?:[#A-Za-z0-9]{0,15}|[A-Za-z][A-Za-z0-9]{0,30})\\\\{0,16})?',
  ]
    .map((one) => `(?:${one})`)
    .join('|')
    .replace(/^(.*)$/s, '(?:$1)$'),
  'g',
)
/** Longer than any unfinished escape. */
const TAIL = MAX_BACKSLASHES + LONGEST_ESCAPE
const LEAD = /[%&\\=]/

/** Start of an unfinished escape at the end of `text[from..]`, in the second reading; the text's length if none. */
export function openLooseEscape(text: string, from = 0): number {
  const base = Math.max(0, text.length - TAIL)
  const tail = text.slice(base)
  if (!LEAD.test(tail) || endsInOtherName(tail)) return text.length
  OPEN_LOOSE.lastIndex = Math.max(0, from - base)
  const match = OPEN_LOOSE.exec(tail)
  return match === null ? text.length : base + match.index
}
