/** Escapes beside a run of base64 or hex that belong to it: only the next pass, which shows what they stand for, can read it whole. */

import { isAlnum } from './char-kinds.ts'
import { type Escape, isLead } from './escapes.ts'
import { escapeBefore, looseEscapeAt, visibleBefore } from './loose-escapes.ts'
import { isIn } from './run-decoding.ts'

const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
const SEMICOLON = 0x3b
const CLOSING_BRACE = 0x7d
const HASH = 0x23
/** An entity whose sign is one, too: `&amp;#43;`. */
const NESTED_ENTITY = /&(?:amp|#38|#[xX]26);#?\w{1,31};$/
const LONGEST_NESTED = 40

/** Whether an escape begins at `end` that shows a letter, a digit or nothing, such as `\u{76}`, `\/` or `&ZeroWidthSpace;`. */
export function joinsEscapeBehind(text: string, end: number): boolean {
  const c = text.charCodeAt(end)
  if (!isLead(c)) return false
  const found = looseEscapeAt(text, end, c)
  return found?.text === '' ? isIn(text.charCodeAt(found.end)) : showsOfRun(found)
}

/**
 * Whether such an escape ends at `start`, or before its sign there: at the slash of `a\/b`; or whether the run begins with the end of
 * one: `2BPi5` of `%2BPi5`.
 */
export function joinsEscapeBefore(text: string, start: number): boolean {
  const last = start === 0 ? 0 : text.charCodeAt(start - 1)
  if (last === BACKSLASH) {
    let at = start - 1
    while (at > 0 && text.charCodeAt(at - 1) === BACKSLASH) at--
    if (isAlnum(text.charCodeAt(start))) return showsOfRun(looseEscapeAt(text, at, BACKSLASH))
    return at > 0 && isIn(text.charCodeAt(at - 1))
  }
  if (last === PERCENT) return showsOfRun(looseEscapeAt(text, start - 1, PERCENT))
  if (last === HASH && text.charCodeAt(start - 2) === AMPERSAND)
    return showsOfRun(looseEscapeAt(text, start - 2, AMPERSAND))
  if (last !== SEMICOLON && last !== CLOSING_BRACE) return false
  if (showsOfRun(escapeBefore(text, start))) return true
  if (last === SEMICOLON && NESTED_ENTITY.test(text.slice(Math.max(0, start - LONGEST_NESTED), start))) return true
  const before = visibleBefore(text, start)
  return before < start && before > 0 && isIn(text.charCodeAt(before - 1))
}

/** A letter or digit, or the lead of another escape. */
function showsOfRun(found: Escape | undefined): boolean {
  if (found?.text.length !== 1) return false
  const c = found.text.charCodeAt(0)
  return isIn(c) || isLead(c)
}
