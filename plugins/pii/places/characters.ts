/** Character classes and character references, shared by all readings. */

export const TAB = 9
export const NEWLINE = 10
export const FORM_FEED = 12
export const RETURN = 13
export const SPACE = 32
export const BACKSLASH = 0x5c

/** Only these four end a bare address in every renderer. Some include a no-break space. */
export const isBlank = (c: number): boolean => c === SPACE || c === NEWLINE || c === TAB || c === RETURN
export const isLetter = (c: number): boolean => (c | 32) >= 97 && (c | 32) <= 122
export const isAlnum = (c: number): boolean => (c >= 48 && c <= 57) || isLetter(c)
/** Host names may contain letters of any script. */
export const isHostLetter = (c: number): boolean => isAlnum(c) || c > 0x7f

/** Character names that can spell an address. */
const SPELLING = new Set(
  'colon sol period commat num quest equals percnt bsol Tab NewLine plus hyphen dash lowbar UnderBar'.split(' '),
)
/** A character reference at the end. */
const REFERENCE = /&(#?[A-Za-z0-9]{1,31});$/

/** Whether `text` ends with a character reference for a character of addresses. */
export function endsWithSpelling(text: string): boolean {
  const name = REFERENCE.exec(text)?.[1]
  if (name === undefined) return false
  if (!name.startsWith('#')) return SPELLING.has(name)
  const hex = /^#x/i.test(name)
  const code = Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10)
  return isAlnum(code) || (code > 32 && code < 127 && '.:/@#?=&%+-_\\'.includes(String.fromCharCode(code)))
}
