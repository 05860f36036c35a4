/** How each UTF-16 unit must be normalised before detectors see it; see unicode.ts. */
import { codePointAt } from './code-points.ts'
import { LOOKALIKES } from './unicode-data.ts'

export const PLAIN = 0
export const STRIP = 1
export const FOLD = 2
export const COMPAT = 3
export const MARK = 4
export const LOOKALIKE = 5
export const ESCAPE = 6
export const SURROGATE = 7
export const DASHLIKE = 8
export const DECORATION = 9
/** A mark of a script's own letters. On an ASCII character it is none of them: it shows little, and spells nothing. */
export const SCRIPT_MARK = 10

/** A blank that compatibility leaves as it is. */
const OGHAM_SPACE = 0x1680
/** U+30FC, the Japanese length mark, stands for a dash only after a digit. */
const LENGTH_MARK = 0x30fc

export const isAlnum = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122)
export const isDigit = (c: number): boolean => c >= 48 && c <= 57

/** Hyphens, dashes and minus signs, also the forms that NFKC leaves alone. */
const DASH = /^[\p{Dash}\u2043\u2796\u02d7\u2cba]$/u
const isDash = (char: string): boolean => DASH.test(char)

let kinds: Uint8Array | undefined
/** What FOLD units become. */
export const folds = new Map<number, string>()

/** One entry for each UTF-16 unit. Built on first use, some milliseconds: an all-ASCII service never pays for it. */
export function kindTable(): Uint8Array {
  if (kinds !== undefined) return kinds
  const table = new Uint8Array(0x10000)
  table[0x25] = table[0x26] = table[0x5c] = ESCAPE // % & \
  for (let c = 0; c < 0x80; c++) if (isInvisible(String.fromCharCode(c), c)) table[c] = STRIP
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
  if (isInvisible(char, c)) return STRIP
  if (isDash(char)) return fold(c, '-')
  if (isDecoration(char)) return DECORATION
  if (LOOKALIKES.has(c)) return LOOKALIKE
  if (c === LENGTH_MARK) return DASHLIKE
  if (isJoiningMark(c)) return MARK
  if (isScriptMark(char)) return SCRIPT_MARK
  if (c === OGHAM_SPACE) return fold(c, ' ')
  const plain = char.normalize('NFKC')
  if (/^\p{Nd}$/u.test(char)) return fold(c, String(digitValue(c)))
  if (plain === char) return PLAIN
  return plain.length === 1 ? fold(c, finish(plain)) : COMPAT
}

/** The mark that makes a digit a key, as in numbered lists. */
const KEYCAP = 0x20e3

/**
 * Signs that stand for letters or digits beside a word, but belong to none: `№`, `™`, superscripts, fractions, enclosed
 * and Roman numerals, units. Letters in another style are letters.
 */
function isDecoration(char: string): boolean {
  if (!DECORATIVE.test(char)) return false
  const plain = char.normalize('NFKC')
  return plain !== char && /[\p{L}\p{N}]/u.test(plain)
}
/** Of modifier letters, those of half-width kana are none; the last three are ordinals and the sign of information. */
const DECORATIVE = /^(?:[\p{No}\p{Nl}\p{S}ªº\u2139]|(?![\uff70\uff9e\uff9f])\p{Lm})$/u

/** The same outside of the BMP, for the pair at `i`. */
export function isDecorationPair(raw: string, i: number): boolean {
  const codePoint = codePointAt(raw, i)
  return codePoint >= 0x10000 && codePoint < 0x20000 && isDecoration(String.fromCodePoint(codePoint))
}

const WORD = /^[\p{L}\p{M}\p{Nd}]$/u
/** Scripts that write words without spaces: every character borders a word. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
let words: Uint8Array | undefined

/** Whether a unit is part of a word that its neighbours may continue; halves of pairs are not. */
export function isWordUnit(c: number): boolean {
  if (c < 0x80) return isAlnum(c)
  words ??= new Uint8Array(0x10000)
  const known = words[c]!
  if (known !== 0) return known === 1
  const char = String.fromCharCode(c)
  const is = WORD.test(char) && !SPACELESS.test(char) && c !== KEYCAP && !isDecoration(char)
  words[c] = is ? 1 : 2
  return is
}

function fold(c: number, to: string): number {
  folds.set(c, to)
  return FOLD
}

/** Unicode assigns decimal digits in ordered runs of ten; the predecessor of a zero is not a digit. */
function digitValue(codePoint: number): number {
  const ascii = String.fromCodePoint(codePoint).normalize('NFKC')
  if (isDigit(ascii.charCodeAt(0))) return Number(ascii)
  let zero = codePoint
  while (codePoint - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return codePoint - zero
}

/**
 * Characters that can be inserted into a value invisibly. Uses the runtime's Unicode properties, so a newer Node knows
 * newer characters. Of the characters without these properties, the blank Braille pattern shows nothing, and the Arabic
 * stretch (tatweel) only widens a word.
 */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800\u0640]$/u
const NEXT_LINE = 0x85

/** Tabs and line ends are separators, not invisible characters. */
const isInvisible = (char: string, c: number): boolean =>
  !(c >= 9 && c <= 13) && c !== NEXT_LINE && INVISIBLE.test(char)

/** An invisible character outside the BMP, such as a tag or a variation selector. */
export function isInvisiblePair(raw: string, i: number): boolean {
  const high = raw.charCodeAt(i)
  // Most pairs are emoji and ideographs; those planes hold nothing invisible.
  if (high < 0xd800 || high > 0xdbff || (high >= 0xd83c && high < 0xdb40)) return false
  const codePoint = codePointAt(raw, i)
  return codePoint >= 0x10000 && INVISIBLE.test(String.fromCodePoint(codePoint))
}

/** Where the invisible characters that begin at `i` end. */
export function invisibleEnd(raw: string, i: number): number {
  const table = kindTable()
  let end = i
  while (end < raw.length) {
    if (table[raw.charCodeAt(end)] === STRIP) end++
    else if (isInvisiblePair(raw, end)) end += 2
    else break
  }
  return end
}

/** Marks that compose with or overlay the preceding character. Marks that a script needs for spelling stay plain. */
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

const isScriptMark = (char: string): boolean => /^[\p{Mn}\p{Me}]$/u.test(char)

/** Whether a mark of a script can be none of its letters' behind a unit. */
export const isStrayBehind = (previous: number): boolean => previous > 0x20 && previous < 0x80

/**
 * Scripts that write words without spaces: ideographs, and those of class SA of Unicode Standard Annex 14, such as Thai,
 * Lao, Burmese and Khmer.
 */
export const isUnspaced = (c: number): boolean =>
  c >= 0x2e80 ||
  (c >= 0xe00 && c < 0xf00) ||
  (c >= 0x1000 && c < 0x10a0) ||
  (c >= 0x1780 && c < 0x1800) ||
  (c >= 0x1950 && c < 0x1a00) ||
  (c >= 0x1a20 && c < 0x1ab0)

/** A folded character may itself be a dash or a space of another kind. */
export function finish(text: string): string {
  let out = text
  for (let i = 0; i < out.length; i++) {
    const c = out.charCodeAt(i)
    if (c < 0x80) continue
    if (isDash(out[i]!)) out = `${out.slice(0, i)}-${out.slice(i + 1)}`
  }
  return out
}

/**
 * What one code point outside the BMP becomes, or undefined when it stays.
 *
 * @param previous the normalised unit before it
 */
export function compatPair(raw: string, i: number, previous: number): string | undefined {
  const codePoint = codePointAt(raw, i)
  if (codePoint < 0x10000) return undefined
  if (codePoint >= 0x20000 && codePoint < 0xe0000) return undefined
  const char = String.fromCodePoint(codePoint)
  const plain = char.normalize('NFKC')
  if (plain !== char) return finish(plain)
  if (isStrayBehind(previous) && isScriptMark(char)) return ''
  return /^\p{Nd}$/u.test(char) ? String(digitValue(codePoint)) : undefined
}

const LETTER = /^\p{L}$/u
let letters: Uint8Array | undefined

/** Whether a unit is a letter; halves of pairs are not. */
export function isLetterUnit(c: number): boolean {
  if (c < 0x80) return isAlnum(c) && !isDigit(c)
  letters ??= new Uint8Array(0x10000)
  const known = letters[c]!
  if (known !== 0) return known === 1
  const is = LETTER.test(String.fromCharCode(c))
  letters[c] = is ? 1 : 2
  return is
}
