/** Alphabet of the automaton: ASCII and a few classes for everything else. */

/** A non-ASCII letter of a script with spaces between words; `\L` in patterns. */
export const WIDE_LETTER = 128
export const DEGREE = 129
/** Right single quotation mark, used as an apostrophe. */
export const APOSTROPHE = 130
/** Everything else, including ideographs and kana. No pattern crosses it, and a word may begin after it. */
export const OTHER = 131
export const SYMBOLS = 132

/** Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Indic scripts; not Thai, kana, ideographs or Hangul. */
const LETTERS: readonly (readonly [number, number])[] = [
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2af],
  [0x370, 0x3ff],
  [0x400, 0x481],
  [0x48a, 0x587],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x671, 0x6d3],
  [0x900, 0xdff],
  [0x1e00, 0x1fff],
]
const ALPHANUMERICS: readonly (readonly [number, number])[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
]

/** Symbol of each UTF-16 unit. */
export const SYMBOL_OF: Uint8Array = buildSymbols()

function buildSymbols(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(OTHER)
  for (let c = 0; c < 128; c++) table[c] = c
  for (const [from, to] of LETTERS) table.fill(WIDE_LETTER, from, to + 1)
  table[0xb0] = DEGREE
  table[0x2019] = APOSTROPHE
  return table
}

/** Units of words and numbers, as ranges. */
export const WORD_RANGES = [...ALPHANUMERICS, ...LETTERS]

/** 1 for units of words and numbers. */
export const IS_WORD = new Uint8Array(0x10000)
for (const [from, to] of WORD_RANGES) IS_WORD.fill(1, from, to + 1)
