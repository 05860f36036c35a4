import { prebuilt } from 'governed-gateway/kit'

/** Classes of UTF-16 code units, looked up in a table: names are judged in every text. */
const OTHER = 0
export const SPACE = 1
export const NEWLINE = 2
export const LOWER = 3
export const UPPER = 4
export const DIGIT = 5
export const JOINT = 6

/** By code unit. Letters without case count as small letters, marks belong to their letter. */
export const CLASS_OF: Uint8Array = prebuilt('characters', process.versions.unicode, makeTable)

function makeTable(): Uint8Array {
  const table = new Uint8Array(0x10000)
  const upper = /^[\p{Lu}\p{Lt}]$/u
  const letter = /^[\p{L}\p{M}]$/u
  for (let c = 0; c < 0x10000; c++) {
    if (c >= 0xd800 && c < 0xe000) continue
    const char = String.fromCharCode(c)
    if (upper.test(char)) table[c] = UPPER
    else if (letter.test(char)) table[c] = LOWER
  }
  for (let c = 0x30; c <= 0x39; c++) table[c] = DIGIT
  for (const c of [0x20, 0xa0, 0x202f, 0x2009, 0x3000]) table[c] = SPACE
  for (const c of [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x2028, 0x2029]) table[c] = NEWLINE
  for (const c of [0x27, 0x2019, 0x2d, 0x2010, 0x2011]) table[c] = JOINT
  return table
}

export const classAt = (text: string, at: number): number =>
  at >= 0 && at < text.length ? CLASS_OF[text.charCodeAt(at)]! : OTHER
export const isLetter = (kind: number): boolean => kind === LOWER || kind === UPPER
export const isWord = (kind: number): boolean => kind === LOWER || kind === UPPER || kind === DIGIT
