/** Alphabet of the automaton: ASCII and a few classes for everything else. */

/** A non-ASCII letter of a script with spaces between words; `\L` in patterns. */
export const WIDE_LETTER = 128
export const DEGREE = 129
/** Right single quotation mark, used as an apostrophe. */
export const APOSTROPHE = 130
/** Everything else. No pattern crosses it, and a word may begin after it. */
export const OTHER = 131
/** A letter of a script without spaces between words: ideographs, kana, Hangul; `\c` in patterns. It is part of no word. */
export const UNSPACED = 132
/** Ideographic full stop. */
export const FULL_STOP = 133
export const SYMBOLS = 134

type Range = readonly [from: number, to: number]

/** Letters, their marks and numbers of some blocks; not the signs and punctuation among them. */
const lettersOf = (blocks: readonly Range[]): readonly Range[] =>
  blocks.flatMap(([from, to]) => {
    const block = String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, i) => from + i))
    return [...block.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(
      ({ 0: run, index }): Range => [from + index, from + index + run.length - 1],
    )
  })

/** Latin, Greek and Cyrillic. */
const JOINED_LETTERS = lettersOf([
  [0xc0, 0x2af],
  [0x370, 0x481],
  [0x48a, 0x52f],
  [0x1e00, 0x1fff],
])
/** Armenian, Hebrew, Arabic, Indic scripts; not Thai, kana, ideographs or Hangul. */
const APART_LETTERS = lettersOf([
  [0x531, 0x588],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x671, 0x6d3],
  [0x900, 0xdff],
])
/** Chinese, Japanese and Korean. Half-width forms and the like are folded before. */
const UNSPACED_LETTERS: readonly Range[] = [
  [0x1100, 0x11ff],
  [0x3005, 0x3007],
  [0x3021, 0x3029],
  [0x3031, 0x3035],
  [0x3041, 0x3096],
  [0x3099, 0x309a],
  [0x309d, 0x309f],
  [0x30a1, 0x30fa],
  [0x30fc, 0x30ff],
  [0x3105, 0x312f],
  [0x31a0, 0x31bf],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa960, 0xa97c],
  [0xac00, 0xd7fb],
  // Halves of the ideographs beyond; see `isLowHalf`.
  [0xd840, 0xd8bf],
  [0xdc00, 0xdfff],
  [0xf900, 0xfaff],
]
const ALPHANUMERICS: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
]

/** Symbol of each UTF-16 unit. */
export const SYMBOL_OF: Uint8Array = buildSymbols()

function buildSymbols(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(OTHER)
  for (let c = 0; c < 128; c++) table[c] = c
  for (const [from, to] of [...JOINED_LETTERS, ...APART_LETTERS]) table.fill(WIDE_LETTER, from, to + 1)
  for (const [from, to] of UNSPACED_LETTERS) table.fill(UNSPACED, from, to + 1)
  table[0x3002] = FULL_STOP
  table[0xb0] = DEGREE
  table[0x2019] = APOSTROPHE
  return table
}

/** Whether a unit is the second half of a character; of what kind, the first half tells. */
export const isLowHalf = (c: number): boolean => c >= 0xdc00 && c <= 0xdfff

/** Units of numbers and of words in Latin, Greek and Cyrillic, as ranges. */
export const JOINED_RANGES = [...ALPHANUMERICS, ...JOINED_LETTERS]
/** Letters of words in other scripts with spaces, as ranges: `לDE89…`, `في212-55-1234`. A word or number of {@link JOINED_RANGES} may stand directly beside them. */
export const APART_RANGES = APART_LETTERS

/** 1 for units of words and numbers. */
export const IS_WORD = new Uint8Array(0x10000)
/** 1 for letters of {@link APART_RANGES}. */
export const IS_APART = new Uint8Array(0x10000)
for (const [from, to] of [...JOINED_RANGES, ...APART_RANGES]) IS_WORD.fill(1, from, to + 1)
for (const [from, to] of APART_RANGES) IS_APART.fill(1, from, to + 1)

/** Whether two neighbours belong to one word, so that no value ends or begins between them. */
export const areJoined = (left: number, right: number): boolean =>
  IS_WORD[left] === 1 && IS_WORD[right] === 1 && IS_APART[left] === IS_APART[right]
