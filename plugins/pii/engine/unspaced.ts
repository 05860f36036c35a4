/**
 * Addresses whose name is in a script without spaces: `用户@example.com`. No blank or word tells where such a name begins, so it
 * is looked for backwards from the at sign. It is the run of letters before it, without digits at its beginning, up to a length.
 */
import { IS_WORD, isLowHalf, SYMBOL_OF, UNSPACED } from './symbols.ts'

/**
 * Octets of UTF-8: ten ideographs. Mail allows 64 (RFC 5321, 4.5.3.1.1), but a stream would hold prose for so long, as an at sign
 * may follow, and in prose the letters before a name go with it.
 */
const LONGEST_NAME = 30
/** Characters of a name that are no letters. */
const JOINTS = ".+%'’_-"

const EQUALS = 0x3d
/** So many hexadecimal digits after an equals sign are no name. */
const IDENTIFIER = 7

/** Octets in UTF-8 of each UTF-16 unit that a name may have; 0 for others. */
const OCTETS = new Uint8Array(0x10000)
for (let c = 0; c < OCTETS.length; c++)
  if (IS_WORD[c] === 1 || SYMBOL_OF[c] === UNSPACED) OCTETS[c] = c < 0x80 ? 1 : c < 0x800 || isHalf(c) ? 2 : 3
for (const joint of JOINTS) OCTETS[joint.charCodeAt(0)] = 1

function isHalf(c: number): boolean {
  return c >= 0xd800 && c <= 0xdfff
}

/** The next at sign from `from` on after a letter of a script without spaces; the length of the text if there is none. */
export function nextUnspacedAt(text: string, units: Uint16Array, from: number): number {
  for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1))
    if (SYMBOL_OF[units[at - 1]!] === UNSPACED) return at
  return text.length
}

/**
 * Where the name that ends at `end` begins, not before `least`; `end` if there is none. It depends on the characters of the
 * longest name and the one before them alone, and only grows with `end`. So a stream can hold what may become a name.
 */
export function startOfRun(units: Uint16Array, end: number, least: number): number {
  let start = end
  for (let octets = 0; start > least; start--) {
    const c = units[start - 1]!
    octets += OCTETS[c]!
    if (OCTETS[c] === 0 || octets > LONGEST_NAME) break
    // Half of an emoji.
    if (isLowHalf(c) && SYMBOL_OF[units[start - 2]!] !== UNSPACED) break
  }
  // Where the longest name begins within a word or a character, it begins after that.
  if (start > 0 && (IS_WORD[units[start - 1]!] === 1 || isIdentifier(units, start, end)))
    while (start < end && IS_WORD[units[start]!] === 1) start++
  while (start < end && (isLowHalf(units[start]!) || !isLetter(units[start]!))) start++
  // A year or a count, as in `2024年`.
  let letter = start
  while (letter < end && isDigit(units[letter]!)) letter++
  return letter < end && SYMBOL_OF[units[letter]!] === UNSPACED ? letter : start
}

/** `trace_id=4bf92f3`: a stream need not wait for an at sign. */
function isIdentifier(units: Uint16Array, start: number, end: number): boolean {
  if (units[start - 1] !== EQUALS || end - start < IDENTIFIER) return false
  let digits = 0
  for (let i = start; i < start + IDENTIFIER; i++) {
    const c = units[i]!
    if (isDigit(c)) digits++
    else if (c < 0x61 || c > 0x66) return false
  }
  return digits > 0
}

const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39
const isLetter = (c: number): boolean => IS_WORD[c] === 1 || SYMBOL_OF[c] === UNSPACED
