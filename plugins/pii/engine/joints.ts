/** Numbers beside numbers, with a sign between: `212-55-1234/323-66-2345`. */
import { IS_WORD } from './symbols.ts'

/** No word between two slashes of a path is longer. */
const LONGEST_STEP = 24
/** Shorter numbers, such as those of versions, are no list. */
const SHORTEST_TWIN = 9

/** Whether a sign may join two numbers to a longer one. */
export const isJoint = (char: string): boolean => char === '-' || char === '.' || char === '/'
export const isDigitChar = (char: string): boolean => char >= '0' && char <= '9'
export const isWordChar = (char: string): boolean => char !== '' && IS_WORD[char.charCodeAt(0)] === 1

/** Whether the word that ends at `last` has no digit: "No.-123" is not a longer number. */
export function isLetterRun(text: string, last: number): boolean {
  for (let i = last; i >= 0 && i > last - 24; i--) {
    const c = text.charCodeAt(i)
    if (c >= 48 && c <= 57) return false
    if (IS_WORD[c] === 0) return true
  }
  return true
}

/** Whether a number of the same form as `text[start..end]` begins at a position: two in a list. */
export function isTwin(text: string, start: number, end: number, from: number): boolean {
  const to = from + end - start
  return (
    from >= 0 &&
    to <= text.length &&
    beginsTwin(text, start, end, from) &&
    !isDigitChar(text.charAt(to)) &&
    !isDigitChar(text.charAt(from - 1))
  )
}

/** Whether what is known of the number at `from` has the form of the span. */
export function beginsTwin(text: string, start: number, end: number, from: number): boolean {
  const length = end - start
  if (length < SHORTEST_TWIN) return false
  for (let i = 0; i < length && from + i < text.length; i++) {
    const char = text.charAt(from + i)
    const own = text.charAt(start + i)
    if (isDigitChar(char) ? !isDigitChar(own) : char !== own) return false
  }
  return true
}

/** Whether the word before the slash left of `start` begins with a slash, too: `/users/42/4111111111111111`, `/v2/4111111111111111`. */
export function isInPath(text: string, start: number): boolean {
  let at = start - 2
  while (at > start - LONGEST_STEP && isWordChar(text.charAt(at))) at--
  return text.charAt(at) === '/'
}

/** A digit, and more than a blank: `6011 - 0981-0171`. */
export const WIDE_BEFORE = /\d(?: {2,3}|\t| [-/.|] |[-:|])$/
