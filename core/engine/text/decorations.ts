/**
 * Decorations beside words: to a reader, `№4111` and `1111²` are a number and a sign. In the first reading such a sign stays as it is,
 * a border; in the second it is the letters or digits that it stands for, as in `4①11`. Decorations among themselves are read
 * as what they stand for.
 */

import {
  DECORATION,
  isDecorationPair,
  isInvisiblePair,
  isWordUnit,
  kindTable,
  MARK,
  STRIP,
  SURROGATE,
} from './char-kinds.ts'
import { codePointAt } from './code-points.ts'

/** More invisible characters and marks are not looked past. */
const MOST_UNSEEN = 16
/** Telephone numbers begin with them, too. */
const PLUS = 0x2b
const PARENTHESIS = 0x28

const beginsValue = (c: number): boolean => isWordUnit(c) || c === PLUS || c === PARENTHESIS

/** Whether a word or number follows, behind what shows nothing. */
export function isBeforeWord(raw: string, from: number): boolean {
  const table = kindTable()
  let at = from
  while (at < raw.length && at - from < MOST_UNSEEN) {
    const kind = table[raw.charCodeAt(at)]
    if (kind !== STRIP && kind !== MARK && !isInvisiblePair(raw, at)) break
    at += kind === SURROGATE ? 2 : 1
  }
  if (at >= raw.length) return false
  const c = raw.charCodeAt(at)
  if (c < 0x80) return beginsValue(c)
  if (isDecorationAt(raw, at)) return false
  return beginsValue(String.fromCodePoint(codePointAt(raw, at)).normalize('NFKC').charCodeAt(0))
}

export const isDecorationAt = (text: string, at: number): boolean =>
  kindTable()[text.charCodeAt(at)] === DECORATION || isDecorationPair(text, at)

/**
 * Stands for what shows nothing behind a word: regular expressions take it for white space, and the second reading
 * removes it.
 */
export const SEAM = '\ufeff'

/** Invisible within words: hyphens for line breaks, joiners, selectors and stretches. All others may part words. */
const JOINERS = /^[\u00ad\u034f\u0640\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]*$/u

/** Whether an invisible run may part words, such as a control character between two records. */
export const mayPart = (run: string): boolean => run === SEAM || !JOINERS.test(run)

/** Whether the last character that shows something is a decoration. */
export function endsInDecoration(left: string): boolean {
  const table = kindTable()
  let at = left.length - 1
  while (at >= 0 && (table[left.charCodeAt(at)] === MARK || table[left.charCodeAt(at)] === STRIP)) at--
  return table[left.charCodeAt(at)] === DECORATION || isDecorationPair(left, at - 1)
}
