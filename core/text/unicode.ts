/**
 * The normalised view of a text: what detectors match on. Compatibility forms (full-width, mathematical letters) become
 * their plain characters, invisible characters go, every decimal digit, dash and look-alike becomes the ASCII one, and
 * the usual spellings of a character by its number (`%40`, `&#64;`, `\u0040`) become the character. Offsets map back to
 * whole source clusters, so that a rewrite never cuts an escape or a combining sequence in two.
 *
 * Texts in which nothing of this occurs, plain ASCII as well as ordinary accented or CJK text, are returned as they are.
 */
import { type Cluster, OffsetMap } from './offset-map.ts'
import { DASHES, ESCAPE_MAX, LOOKALIKES, NAMED_ENTITIES } from './unicode-data.ts'

export { OffsetMap } from './offset-map.ts'

export interface Normalised {
  readonly text: string
  /** Absent when every offset of `text` is also the offset in the source. */
  readonly map?: OffsetMap
}

const PLAIN = 0
const STRIP = 1
const FOLD = 2
const COMPAT = 3
const MARK = 4
const LOOKALIKE = 5
const ESCAPE = 6
const SURROGATE = 7
const DASHLIKE = 8

const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
const ESCAPE_LEADS = [
  { char: '%', code: PERCENT },
  { char: '&', code: AMPERSAND },
  { char: '\\', code: BACKSLASH },
] as const
/** U+30FC, the Japanese length mark, stands for a dash only after a digit. */
const LENGTH_MARK = 0x30fc

/** Marks after one base beyond this many are dropped: nobody writes them, and a cluster must stay short. */
const MAX_MARKS = 16
/** `openTail` looks at most this far back. */
const MAX_TAIL = 64

const isAlnum = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122)
const isDigit = (c: number): boolean => c >= 48 && c <= 57

let kinds: Uint8Array | undefined
const folds = new Map<number, string>()

/** One entry for each UTF-16 unit. Built on first use, some milliseconds: an all-ASCII service never pays for it. */
function kindTable(): Uint8Array {
  if (kinds !== undefined) return kinds
  const table = new Uint8Array(0x10000)
  table[PERCENT] = table[AMPERSAND] = table[BACKSLASH] = ESCAPE
  for (let c = 0x80; c < 0x10000; c++) {
    // Unified ideographs, Hangul syllables and private use are plain throughout.
    if (c === 0x4e00) c = 0xa000
    if (c === 0xac00) c = 0xd800
    if (c === 0xe000) c = 0xf900
    table[c] = c < 0xe000 && c >= 0xd800 ? (c < 0xdc00 ? SURROGATE : PLAIN) : kindOf(c)
  }
  kinds = table
  return table
}

function kindOf(c: number): number {
  const char = String.fromCharCode(c)
  if (isInvisible(c)) return STRIP
  if (DASHES.has(c)) return fold(c, '-')
  if (LOOKALIKES.has(c)) return LOOKALIKE
  if (c === LENGTH_MARK) return DASHLIKE
  if (isJoiningMark(c)) return MARK
  const plain = char.normalize('NFKC')
  if (/^\p{Nd}$/u.test(char)) return fold(c, String(digitValue(c)))
  if (plain === char) return PLAIN
  return plain.length === 1 ? fold(c, finish(plain)) : COMPAT
}

function fold(c: number, to: string): number {
  folds.set(c, to)
  return FOLD
}

/** Unicode allots decimal digits in runs of ten in order; the zero of a run is the one whose predecessor is no digit. */
function digitValue(codePoint: number): number {
  const ascii = String.fromCodePoint(codePoint).normalize('NFKC')
  if (isDigit(ascii.charCodeAt(0))) return Number(ascii)
  let zero = codePoint
  while (codePoint - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return codePoint - zero
}

/** Default-ignorable characters that can be put inside a value without being seen. */
function isInvisible(c: number): boolean {
  return (
    c === 0xad ||
    c === 0x34f ||
    c === 0x61c ||
    c === 0x180e ||
    (c >= 0x200b && c <= 0x200f) ||
    (c >= 0x202a && c <= 0x202e) ||
    (c >= 0x2060 && c <= 0x206f) ||
    (c >= 0xfe00 && c <= 0xfe0f) ||
    c === 0xfeff ||
    (c >= 0xfff9 && c <= 0xfffb)
  )
}

/** Marks that compose with or overlay the character before; those of scripts that need them to spell stay plain. */
function isJoiningMark(c: number): boolean {
  return (
    (c >= 0x300 && c <= 0x36f) ||
    (c >= 0x1ab0 && c <= 0x1aff) ||
    (c >= 0x1dc0 && c <= 0x1dff) ||
    (c >= 0x20d0 && c <= 0x20ff) ||
    (c >= 0xfe20 && c <= 0xfe2f) ||
    c === 0x3099 ||
    c === 0x309a ||
    (c >= 0x1161 && c <= 0x11ff) // vowels and finals of decomposed Hangul
  )
}

/** A folded character may itself be a dash or a space of another kind. */
function finish(text: string): string {
  let out = text
  for (let i = 0; i < out.length; i++) {
    const c = out.charCodeAt(i)
    if (c < 0x80) continue
    if (DASHES.has(c)) out = `${out.slice(0, i)}-${out.slice(i + 1)}`
  }
  return out
}

const NON_ASCII = /[^\x00-\x7f]/

/** Index of the first unit that needs work, or -1. Native searches only: half a nanosecond a character on ASCII text. */
function firstSpecial(raw: string): number {
  const wide = firstWide(raw)
  let first = wide < 0 ? raw.length : wide
  for (const lead of ESCAPE_LEADS) {
    for (let i = raw.indexOf(lead.char); i >= 0 && i < first; i = raw.indexOf(lead.char, i + 1)) {
      if (escapeAt(raw, i, lead.code) !== undefined) first = i
    }
  }
  return first === raw.length ? -1 : first
}

function firstWide(raw: string): number {
  const from = raw.search(NON_ASCII)
  if (from < 0) return -1
  const n = raw.length
  const table = kindTable()
  for (let i = from; i < n; i++) {
    const c = raw.charCodeAt(i)
    const kind = table[c]!
    if (kind !== PLAIN && c >= 0x80 && needsWork(raw, i, c, kind)) return i
  }
  return -1
}

function needsWork(raw: string, i: number, c: number, kind: number): boolean {
  if (kind === LOOKALIKE) return lookalike(raw, i, c, i > 0 ? raw.charCodeAt(i - 1) : 0) !== undefined
  if (kind === DASHLIKE) return i > 0 && isDigit(raw.charCodeAt(i - 1))
  if (kind === SURROGATE) return compatPair(raw, i) !== undefined
  return true
}

/** What one code point outside the BMP becomes, or undefined when it stays. */
function compatPair(raw: string, i: number): string | undefined {
  const codePoint = raw.codePointAt(i)!
  if (codePoint < 0x10000) return undefined
  if (codePoint >= 0xe0000 && codePoint <= 0xe0fff) return '' // tags and variation selectors
  if (codePoint >= 0x20000 && codePoint < 0xe0000) return undefined
  const char = String.fromCodePoint(codePoint)
  const plain = char.normalize('NFKC')
  if (plain !== char) return finish(plain)
  return /^\p{Nd}$/u.test(char) ? String(digitValue(codePoint)) : undefined
}

/**
 * Letters of other scripts that look like ASCII ones are folded only where scripts are mixed in one word or number:
 * after an ASCII letter or digit, or at the start of a word whose next character is one.
 */
function lookalike(raw: string, i: number, c: number, previous: number): string | undefined {
  const next = i + 1 < raw.length ? raw.charCodeAt(i + 1) : 0
  const afterAscii = isAlnum(previous)
  if (!afterAscii && !(isAlnum(next) && !isLetterUnit(previous))) return undefined
  const [letter, digit] = LOOKALIKES.get(c)!
  if (digit !== '' && (isDigit(previous) || (isDigit(next) && !afterAscii))) return digit
  return letter === '' ? undefined : letter
}

const LETTER = /^\p{L}$/u
const isLetterUnit = (c: number): boolean =>
  c < 0x80 ? isAlnum(c) && !isDigit(c) : LETTER.test(String.fromCharCode(c))

interface Escape {
  readonly end: number
  readonly text: string
}

/** The escape that begins at `i`, where `%`, `&` or `\` stands. */
function escapeAt(raw: string, i: number, c: number): Escape | undefined {
  if (c === PERCENT) return percentAt(raw, i)
  return c === AMPERSAND ? entityAt(raw, i) : backslashAt(raw, i)
}

const hexValue = (c: number): number => {
  if (isDigit(c)) return c - 48
  const lower = c | 0x20
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

function hexAt(raw: string, from: number, count: number): number {
  if (from + count > raw.length) return -1
  let value = 0
  for (let i = from; i < from + count; i++) {
    const digit = hexValue(raw.charCodeAt(i))
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

const isPrintable = (code: number): boolean => code >= 0x20 && code < 0x7f

function percentAt(raw: string, i: number): Escape | undefined {
  const code = hexAt(raw, i + 1, 2)
  return isPrintable(code) ? { end: i + 3, text: String.fromCharCode(code) } : undefined
}

function backslashAt(raw: string, i: number): Escape | undefined {
  let at = i + 1
  // JSON inside JSON doubles the backslash, once for each level.
  while (at < raw.length && at - i < 8 && raw.charCodeAt(at) === BACKSLASH) at++
  const kind = raw.charCodeAt(at)
  const width = kind === 0x75 ? 4 : kind === 0x78 ? 2 : 0
  if (width === 0) return undefined
  const code = hexAt(raw, at + 1, width)
  return decoded(code, at + 1 + width)
}

function entityAt(raw: string, i: number): Escape | undefined {
  const next = raw.charCodeAt(i + 1)
  if (next === 0x23) return numericEntityAt(raw, i)
  if (!((next | 0x20) >= 97 && (next | 0x20) <= 122)) return undefined
  const semicolon = raw.slice(i + 1, i + ESCAPE_MAX).indexOf(';')
  if (semicolon < 0) return undefined
  const text = NAMED_ENTITIES.get(raw.slice(i + 1, i + 1 + semicolon))
  return text === undefined ? undefined : { end: i + semicolon + 2, text }
}

function numericEntityAt(raw: string, i: number): Escape | undefined {
  const hex = (raw.charCodeAt(i + 2) | 0x20) === 0x78
  const from = i + (hex ? 3 : 2)
  let at = from
  let code = 0
  for (; at < raw.length && at - from < 7; at++) {
    const digit = hexValue(raw.charCodeAt(at))
    if (digit < 0 || (!hex && digit > 9)) break
    code = code * (hex ? 16 : 10) + digit
  }
  if (at === from) return undefined
  return decoded(code, raw.charCodeAt(at) === 0x3b ? at + 1 : at)
}

function decoded(code: number, end: number): Escape | undefined {
  if (code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (code >= 0x7f && code < 0xa0))
    return undefined
  if (code < 0x7f) return { end, text: String.fromCharCode(code) }
  const char = String.fromCodePoint(code)
  const kind = code < 0x10000 ? kindTable()[code] : SURROGATE
  if (kind === STRIP) return { end, text: '' }
  if (kind === FOLD) return { end, text: folds.get(code)! }
  return { end, text: finish(char.normalize('NFKC')) }
}

/**
 * The text that detectors see, and the way back.
 *
 * @example
 * const { text, map } = normalise('mail jo%40example.org')
 * text // 'mail jo@example.org'
 * map?.toRaw(5, 19) // [5, 21]
 */
export function normalise(raw: string): Normalised {
  const first = firstSpecial(raw)
  return first < 0 ? { text: raw } : new Normaliser(raw).run(first)
}

class Normaliser {
  readonly #raw: string
  readonly #clusters: Cluster[] = []
  #out = ''
  /** Source up to here is in `#out`. */
  #done = 0

  constructor(raw: string) {
    this.#raw = raw
  }

  run(first: number): Normalised {
    const raw = this.#raw
    const table = kindTable()
    let i = first
    while (i < raw.length) {
      const c = raw.charCodeAt(i)
      i = table[c] === PLAIN ? i + 1 : this.#special(i, c, table[c]!)
    }
    this.#out += raw.slice(this.#done)
    const text = this.#out
    if (text === raw) return { text: raw }
    return this.#clusters.length === 0 ? { text } : { text, map: new OffsetMap(this.#clusters) }
  }

  /** Handles the unit at `i` and returns where to go on. */
  #special(i: number, c: number, kind: number): number {
    switch (kind) {
      case STRIP:
        return this.#replace(i, i + 1, '')
      case FOLD:
        return this.#withMarks(i, i + 1, folds.get(c)!)
      case COMPAT:
        return this.#withMarks(i, i + 1, undefined)
      case MARK:
        return this.#mark(i)
      case LOOKALIKE: {
        const to = lookalike(this.#raw, i, c, this.#previous(i))
        return to === undefined ? i + 1 : this.#withMarks(i, i + 1, to)
      }
      case DASHLIKE:
        return isDigit(this.#previous(i)) ? this.#replace(i, i + 1, '-') : i + 1
      case ESCAPE: {
        const escape = escapeAt(this.#raw, i, c)
        return escape === undefined ? i + 1 : this.#replace(i, escape.end, escape.text)
      }
      default: {
        const to = compatPair(this.#raw, i)
        return to === undefined ? i + 1 : this.#withMarks(i, i + 2, to)
      }
    }
  }

  /** The unit left of source position `i`, normalised. */
  #previous(i: number): number {
    if (i > this.#done) return this.#raw.charCodeAt(i - 1)
    return this.#out === '' ? 0 : this.#out.charCodeAt(this.#out.length - 1)
  }

  #replace(start: number, end: number, to: string): number {
    this.#out += this.#raw.slice(this.#done, start)
    const at = this.#out.length
    this.#out += to
    this.#done = end
    if (to.length !== end - start) this.#clusters.push({ at, length: to.length, rawStart: start, rawEnd: end })
    return end
  }

  /** A mark after a plain character: the two are one cluster. */
  #mark(i: number): number {
    if (i === this.#done && isAlnum(this.#previous(i))) return this.#replace(i, i + 1, '') // a keycap after its selector
    const start = i > this.#done ? baseBefore(this.#raw, i, this.#done) : i
    return this.#withMarks(start, i, undefined)
  }

  #withMarks(start: number, baseEnd: number, base: string | undefined): number {
    const raw = this.#raw
    const table = kindTable()
    let end = baseEnd
    while (end < raw.length && table[raw.charCodeAt(end)] === MARK) end++
    if (end === baseEnd && base !== undefined) return this.#replace(start, end, base)
    const marks = raw.slice(baseEnd, Math.min(end, baseEnd + MAX_MARKS))
    const composed = finish(((base ?? raw.slice(start, baseEnd)) + marks).normalize('NFKC'))
    return this.#replace(start, end, isAlnum(composed.charCodeAt(0)) ? withoutMarks(composed) : composed)
  }
}

/** Overlays on an ASCII letter or digit (strike-through, keycap) that did not compose into a letter are decoration. */
function withoutMarks(text: string): string {
  let out = ''
  const table = kindTable()
  for (let i = 0; i < text.length; i++) if (table[text.charCodeAt(i)] !== MARK) out += text[i]
  return out
}

const isLowSurrogate = (c: number): boolean => c >= 0xdc00 && c <= 0xdfff

function baseBefore(raw: string, i: number, limit: number): number {
  const one = i - 1
  return one > limit && isLowSurrogate(raw.charCodeAt(one)) ? one - 1 : one
}

const OPEN_ESCAPE =
  /(?:%[0-9A-Fa-f]?|&(?:#(?:[xX][0-9A-Fa-f]{0,7}|\d{0,7})|[A-Za-z]{0,11})?|\\{1,8}(?:u[0-9A-Fa-f]{0,3}|x[0-9A-Fa-f]?)?)$/

/**
 * Where the tail begins that may still read differently once more text follows: half a surrogate pair, a combining
 * sequence, invisible characters, an unfinished escape, a look-alike whose neighbour is missing. `raw.length` if none;
 * never further back than 64 units.
 */
export function openTail(raw: string): number {
  const n = raw.length
  if (n === 0) return 0
  const last = raw.charCodeAt(n - 1)
  const escape = openEscape(raw)
  if (last < 0x80) return escape
  const table = kindTable()
  const limit = Math.max(0, n - MAX_TAIL)
  let at = n
  while (at > limit && (table[raw.charCodeAt(at - 1)] === MARK || table[raw.charCodeAt(at - 1)] === STRIP)) at--
  if (at < n && at > limit && table[raw.charCodeAt(at)] === MARK) at = baseBefore(raw, at, limit)
  if (at < n) return at
  const kind = table[last]
  if (kind === SURROGATE) return n - 1
  if (kind === LOOKALIKE) {
    const previous = n > 1 ? raw.charCodeAt(n - 2) : 0
    return !isAlnum(previous) && !isLetterUnit(previous) ? n - 1 : n
  }
  return n
}

function openEscape(raw: string): number {
  const n = raw.length
  const from = Math.max(0, n - ESCAPE_MAX - 8)
  const tail = raw.slice(from)
  if (!/[%&\\]/.test(tail)) return n
  const match = OPEN_ESCAPE.exec(tail)
  return match === null ? n : from + match.index
}
