/** Tables of the normalised view; see unicode.ts. */

/** Longest named or numeric escape, `&#x10FFFF;` and the names below, with room. */
export const ESCAPE_MAX = 12

/** Hyphens, dashes and minus signs, also the forms that NFKC leaves alone. */
export const DASHES: ReadonlySet<number> = new Set([
  0x058a, 0x05be, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2043, 0x2212, 0x2796, 0x2e3a, 0x2e3b, 0x301c,
  0x3030, 0xfe31, 0xfe32, 0xfe58, 0xfe63, 0xff0d,
])

/**
 * Characters of other scripts that look like an ASCII letter and, next to digits, like a digit. `['O', '0']`; an empty
 * string where there is none. After the confusables of Unicode TS #39, only those a reader would not notice.
 */
export const LOOKALIKES: ReadonlyMap<number, readonly [letter: string, digit: string]> = new Map(
  (
    [
      // Cyrillic capitals, then small letters
      ['А', 'A', ''],
      ['В', 'B', ''],
      ['Е', 'E', ''],
      ['Ѕ', 'S', ''],
      ['І', 'I', '1'],
      ['Ј', 'J', ''],
      ['К', 'K', ''],
      ['М', 'M', ''],
      ['Н', 'H', ''],
      ['О', 'O', '0'],
      ['Р', 'P', ''],
      ['С', 'C', ''],
      ['Т', 'T', ''],
      ['У', 'Y', ''],
      ['Х', 'X', ''],
      ['З', '', '3'],
      ['Ӏ', 'I', '1'],
      ['а', 'a', ''],
      ['е', 'e', ''],
      ['о', 'o', '0'],
      ['р', 'p', ''],
      ['с', 'c', ''],
      ['у', 'y', ''],
      ['х', 'x', ''],
      ['і', 'i', '1'],
      ['ј', 'j', ''],
      ['ѕ', 's', ''],
      ['ԁ', 'd', ''],
      ['һ', 'h', ''],
      ['б', '', '6'],
      ['ӏ', 'l', '1'],
      // Greek
      ['Α', 'A', ''],
      ['Β', 'B', ''],
      ['Ε', 'E', ''],
      ['Ζ', 'Z', ''],
      ['Η', 'H', ''],
      ['Ι', 'I', '1'],
      ['Κ', 'K', ''],
      ['Μ', 'M', ''],
      ['Ν', 'N', ''],
      ['Ο', 'O', '0'],
      ['Ρ', 'P', ''],
      ['Τ', 'T', ''],
      ['Υ', 'Y', ''],
      ['Χ', 'X', ''],
      ['ο', 'o', '0'],
      // Armenian, and Latin letters that are not ASCII
      ['Օ', 'O', '0'],
      ['օ', 'o', '0'],
      ['ı', 'i', '1'],
      ['ɡ', 'g', ''],
      ['ɑ', 'a', ''],
    ] as const
  ).map(([char, letter, digit]) => [char.charCodeAt(0), [letter, digit]] as const),
)

/** The named HTML entities that hide a character detectors look for. */
export const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['commat', '@'],
  ['period', '.'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['ndash', '-'],
  ['mdash', '-'],
  ['minus', '-'],
  ['lowbar', '_'],
  ['plus', '+'],
  ['colon', ':'],
  ['sol', '/'],
  ['num', '#'],
  ['lpar', '('],
  ['rpar', ')'],
  ['nbsp', ' '],
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['shy', ''],
  ['zwj', ''],
  ['zwnj', ''],
])
