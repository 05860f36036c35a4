/** Finds private keys between `-----BEGIN … PRIVATE KEY-----` and END, whatever stands before or between their lines. */
import type { Answer } from './match.ts'
import { spokenness } from './spoken.ts'

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const END = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** An incomplete marker. */
const OPEN_BEGIN = /^-----BEGIN [A-Z0-9 ]*-{0,5}$/
const OPEN_END = /^-----END [A-Z0-9 ]*-{0,5}$/
/** Longest marker, characters: three words of sixteen. */
const MARKER = 96
/** Longest headers between BEGIN and the key, characters; encrypted and PGP keys have them. */
const HEADERS = 320
/** Longest text between two lines of a key, characters: the head of a log line, tags, the end of a string and the next. */
const MAX_BETWEEN = 128
/** Mean of {@link spokenness} from which letters read like words. */
const WORDLIKE = 4.5
/** The usual width of a key, characters; a fingerprint of SHA-256 has 43. */
const LONG_LINE = 64

const isKeyChar = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 47 && code <= 57) ||
  code === 43 ||
  code === 61 ||
  (code >= 0x370 && code < 0x590)

function runEnd(text: string, at: number): number {
  let i = at
  while (i < text.length && isKeyChar(text.charCodeAt(i))) i++
  return i
}

/** Line ends, also as escapes, and blanks. */
const BLANKS = /(?:[\0- \x85\xa0\u2028\u2029]|\\[nrt]?)*/y
/** Also what string literals, comments and quotes add at line borders. */
const GAP = /(?:[\0- \x85\xa0\u2028\u2029"'`,;|>#*]|\\[nrt]?)*/y
const WORD = /[^\0- \x85\xa0\u2028\u2029"'`,;|>#*\\]{0,80}/y

function past(rule: RegExp, text: string, at: number): number {
  rule.lastIndex = at
  rule.test(text)
  return rule.lastIndex
}

/** Sixteen characters decide, so a partial line counts like a whole one. Accepts look-alike letters. */
const KEY_LINE = /[A-Za-z0-9+/=\u0370-\u058f]{16}/y
/** The short last line. */
const KEY_REST = /(?=[0-9+/=]*[A-Za-z])[A-Za-z]*[0-9+/=][A-Za-z0-9+/=]{0,14}(?=[\s"'`,;\\-]|$)/y
/** Where a key goes on after any text: at a marker, or at a line that is no word and no hash. */
const GOES_ON = /-----(?:END|BEGIN) |[A-Za-z0-9+/=\u0370-\u058f]{40}|[A-Za-z0-9+/=\u0370-\u058f]{24}/g
const MIXED = /^(?=.*\d)(?=.*[a-z]).*[A-Z]/
/** A line number that tools write before each line. */
const LINE_NUMBER = /^\d{1,6}[:.)]?$/
const HEADER = /^[A-Z][A-Za-z-]{2,20}:$/

const matches = (rule: RegExp, text: string, at: number): boolean => {
  rule.lastIndex = at
  return rule.test(text)
}

const NONE = -1
const MORE = -2

/** Where the key goes on within {@link MAX_BETWEEN} characters; `NONE`, or `MORE` if the text ends too early to tell. */
function next(text: string, at: number, final: boolean): number {
  for (const { 0: sign, index } of text.slice(at, at + MAX_BETWEEN + 40).matchAll(GOES_ON))
    if (sign.startsWith('-') || (MIXED.test(sign) && (sign.length === 40 || spokenness(sign) < WORDLIKE)))
      return at + index
  return final || text.length - at >= MAX_BETWEEN + 40 ? NONE : MORE
}

export function matchPem(text: string, at: number, final: boolean): Answer {
  BEGIN.lastIndex = at
  const begin = BEGIN.exec(text)
  if (begin === null)
    return !final && text.length - at < MARKER && OPEN_BEGIN.test(text.slice(at)) ? { from: at } : undefined
  let i = at + begin[0].length
  let first = NONE
  while (first < 0 && i - at < HEADERS) {
    const gap = i
    i = past(GAP, text, i)
    if (matches(KEY_LINE, text, i)) {
      first = i
      break
    }
    const end = past(WORD, text, i)
    if (end === text.length) return final ? undefined : { from: at }
    const word = text.slice(i, end)
    if (word === '+' || word === '' || LINE_NUMBER.test(word)) i = Math.max(end, i + 1)
    else if (HEADER.test(word)) i = lineEnd(text, end, at + HEADERS)
    else {
      first = firstLine(text, gap, final)
      if (first === NONE) return undefined
    }
    if (first === MORE || (i >= text.length && !final)) return { from: at }
  }
  if (first < 0) return undefined
  const { end, done, inToken } = readPem(text, first, false, final)
  return { type: 'private_key', start: at, end, open: !done, rest: { kind: 'pem', inToken } }
}

/** The first line of a key behind any text: END or another line must follow it. */
function firstLine(text: string, at: number, final: boolean): number {
  const first = next(text, at, final)
  if (first < 0 || text[first] === '-') return Math.min(first, NONE)
  const end = runEnd(text, first)
  if (end - first >= LONG_LINE) return first
  const second = end === text.length && !final ? MORE : next(text, end, final)
  return second < 0 ? second : text.startsWith('-----B', second) ? NONE : first
}

function lineEnd(text: string, at: number, limit: number): number {
  const end = Math.min(text.length, limit)
  let i = at
  while (i < end && text[i] !== '\n' && !(text[i] === '\\' && text[i + 1] === 'n')) i++
  return i
}

/**
 * Reads the key from `at`. Stops after END, or where neither END nor a line of the key follows.
 *
 * @returns `end`: the text before it belongs to the key. Unless `done`, the key may continue there.
 */
export function readPem(
  text: string,
  at: number,
  inToken: boolean,
  final: boolean,
): { end: number; done: boolean; inToken: boolean } {
  let i = inToken ? runEnd(text, at) : at
  if (inToken && i === text.length && !final) return { end: i, done: false, inToken: true }
  while (true) {
    const gap = i
    i = past(BLANKS, text, i)
    const end = runEnd(text, i)
    const cut = end === text.length && !final
    if (matches(KEY_LINE, text, i)) {
      if (cut) return { end, done: false, inToken: true }
      i = end
      continue
    }
    if (cut) return { end: gap, done: false, inToken: false }
    if (matches(KEY_REST, text, i)) {
      i = end
      continue
    }
    i = next(text, gap, final)
    if (i < 0) return { end: gap, done: i === NONE, inToken: false }
    if (text[i] !== '-') continue
    END.lastIndex = i
    const marker = END.exec(text)
    if (marker !== null) return { end: END.lastIndex, done: true, inToken: false }
    return { end: gap, done: final || text.length - i >= MARKER || !OPEN_END.test(text.slice(i)), inToken: false }
  }
}
