/**
 * Folds letters of other scripts that look like ASCII, but only in a word or number of mixed scripts. A word in one
 * script stays: it is Russian, Greek or Armenian text.
 */
import {
  DECORATION,
  isAlnum,
  isDecorationPair,
  isDigit,
  isLetterUnit,
  isUnspaced,
  kindTable,
  LOOKALIKE,
  PLAIN,
  STRIP,
  SURROGATE,
} from './char-kinds.ts'
import { LOOKALIKES, type Lookalike, STYLED } from './unicode-data.ts'

/** Stop looking at a word that begins with more look-alikes than these. */
const MAX_RUN = 32

/** What ends with a digit that is none once it is decoded. */
const ESCAPE = /(?:\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\[0-7]{3}|%[\dA-Fa-f]{2})$/
const LONGEST = 6

const endsEscape = (raw: string, i: number, left: string): boolean =>
  ESCAPE.test(i < LONGEST ? left.slice(-LONGEST) + raw.slice(0, i) : raw.slice(i - LONGEST, i))

/**
 * The ASCII reading of the look-alike at `i`, or undefined if it stays. `before` is the normalised unit to its left. Behind an escape
 * it begins a word here: the second reading knows what is before it.
 *
 * @param left the text before `raw`
 */
export function lookalike(raw: string, i: number, c: number, before: number, left = ''): string | undefined {
  const previous = isDigit(before) && endsEscape(raw, i, left) ? 0 : before
  const afterAscii = isAlnum(previous)
  if (!afterAscii && (isWithin(previous) || !beginsMixed(raw, i, previous))) return undefined
  const one = LOOKALIKES.get(c)!
  const next = i + 1 < raw.length ? raw.charCodeAt(i + 1) : 0
  if (one.digit !== '' && (isDigit(previous) || (isDigit(next) && !afterAscii))) return one.digit
  return one.letter === '' ? undefined : one.letter
}

const WIDE = /[^\x00-\x7f]/

/**
 * The next character in `text[from..end]` that the second reading folds: a look-alike, such as a decoded escape, or a
 * decoration; -1 if none.
 */
export function nextFolded(text: string, from: number, end: number, decorations = true): number {
  const first = text.slice(from, end).search(WIDE)
  if (first < 0) return -1
  const table = kindTable()
  for (let i = from + first; i < end; i++) {
    const c = text.charCodeAt(i)
    const kind = table[c]
    if (decorations && (kind === DECORATION || kind === STRIP || (kind === SURROGATE && isDecorationPair(text, i))))
      return i
    if (kind !== LOOKALIKE) continue
    if (lookalike(text, i, c, i === 0 ? 0 : text.charCodeAt(i - 1)) !== undefined) return i
  }
  return -1
}

/** Whether a word may continue after this letter. Scripts without spaces have no word ends. */
const isWithin = (c: number): boolean => !isUnspaced(c) && isLetterUnit(c)

const HYPHEN = 0x2d
/** `_` and `@` occur in setting names and addresses, not in natural language. */
const isJoint = (c: number): boolean => c === 0x5f || c === 0x40

/** Whether the word at `i` continues in ASCII, belongs to a name, mixes scripts, or uses styled letters. */
function beginsMixed(raw: string, i: number, previous: number, from = i): boolean {
  const table = kindTable()
  const block = raw.charCodeAt(i) >> 8
  let end = i
  let oneBlock = block === GREEK || block === CYRILLIC
  for (; end < raw.length && end - from <= MAX_RUN; end++) {
    const c = raw.charCodeAt(end)
    if (table[c] !== LOOKALIKE) break
    oneBlock &&= c >> 8 === block
  }
  const next = end < raw.length ? raw.charCodeAt(end) : 0
  // A letter without a look-alike shows that the word is one of its own script.
  const isNative = isLetterUnit(next) && !isAlnum(next)
  const joined =
    !isNative && (isJoint(previous) || isJoint(next) || (next === HYPHEN && goesOnMixed(raw, end + 1, from)))
  if (joined && looks(raw, i, end).every(({ letter }) => letter !== '')) return true
  if (isAlnum(next)) {
    const run = looks(raw, i, end)
    return (
      run.every(({ letter }) => letter !== '' || end - i === 1) &&
      (!isDigit(next) || previous === HYPHEN || run.every(({ common }) => common) || goesOnInAscii(raw, end, from))
    )
  }
  if (oneBlock || isLetterUnit(next)) return false
  const run = looks(raw, i, end)
  return run.some((one) => one.script !== run[0]!.script || (one.script === STYLED && !one.common))
}

/** Whether an ASCII letter follows the digits and look-alikes at `at`, in the same word. */
function goesOnInAscii(raw: string, at: number, from: number): boolean {
  for (let i = at; i < raw.length && i - from <= MAX_RUN; i++) {
    const c = raw.charCodeAt(i)
    if (!isDigit(c) && kindTable()[c] !== LOOKALIKE) return isAlnum(c)
  }
  return false
}

/** Continues `beginsMixed` after a hyphen. */
function goesOnMixed(raw: string, at: number, from: number): boolean {
  const c = raw.charCodeAt(at)
  if (isAlnum(c)) return true
  return at - from < MAX_RUN && kindTable()[c] === LOOKALIKE && beginsMixed(raw, at, HYPHEN, from)
}

/** First bytes of the letters of scripts that lie in one block, where most words are. */
const GREEK = 0x03
const CYRILLIC = 0x04

function looks(raw: string, start: number, end: number): Lookalike[] {
  return Array.from({ length: end - start }, (_, i) => LOOKALIKES.get(raw.charCodeAt(start + i))!)
}

/** Whether what precedes the last hyphen or digits may be look-alikes that they belong to. */
export function endsBesideLookalike(raw: string): boolean {
  let at = raw.length - 1
  if (isDigit(raw.charCodeAt(at))) while (isDigit(raw.charCodeAt(at - 1)) && raw.length - at <= MAX_RUN) at--
  else if (raw.charCodeAt(at) !== HYPHEN) return false
  return raw.charCodeAt(at - 1) >= 0x80
}

/**
 * Start of the look-alikes, with hyphens and digits, that end at `end`, if the following text decides how they are read;
 * otherwise `end`.
 *
 * @param previous normalised unit left of `raw`
 */
export function openLookalikes(raw: string, end: number, previous: number): number {
  let at = end
  let from = end
  for (; at > 0 && end - at <= MAX_RUN; at--) {
    const c = raw.charCodeAt(at - 1)
    if (LOOKALIKES.has(c)) from = at - 1
    else if (c !== HYPHEN && !isDigit(c)) break
  }
  if (from === end || end - at > MAX_RUN) return end
  if (/[-\d]/.test(raw.slice(from, end))) return from
  const beside = from > 0 ? raw.charCodeAt(from - 1) : previous
  const known = from === 0 || kindTable()[beside] === PLAIN
  return known && isWithin(beside) && !isAlnum(beside) ? end : from
}
