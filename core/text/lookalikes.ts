/**
 * Letters of other scripts that look like ASCII ones are folded only where scripts are mixed in one word or number. A
 * word of one script stays: it is Russian, Greek or Armenian text.
 */
import { isAlnum, isDigit, isLetterUnit, kindTable, PLAIN } from './char-kinds.ts'
import { LOOKALIKES, type Lookalike, STYLED } from './unicode-data.ts'

/** A word that begins with more look-alikes than these is no longer looked at. */
const MAX_RUN = 32

/** What the look-alike at `i` is read as, or undefined when it stays. `previous` is the unit left of it, normalised. */
export function lookalike(raw: string, i: number, c: number, previous: number): string | undefined {
  const one = LOOKALIKES.get(c)!
  const next = i + 1 < raw.length ? raw.charCodeAt(i + 1) : 0
  const afterAscii = isAlnum(previous)
  if (afterAscii ? !one.common && isDigit(previous) : !beginsMixed(raw, i, previous)) return undefined
  if (one.digit !== '' && (isDigit(previous) || (isDigit(next) && !afterAscii))) return one.digit
  return one.letter === '' ? undefined : one.letter
}

/** Whether look-alikes from `i` on begin a word that goes on in ASCII, or that is of several scripts or of styled letters. */
function beginsMixed(raw: string, i: number, previous: number): boolean {
  if (isLetterUnit(previous)) return false
  let end = i
  let scripts = 0
  let common = true
  let styled = false
  for (let one: Lookalike | undefined; end < raw.length; end++) {
    one = LOOKALIKES.get(raw.charCodeAt(end))
    if (one === undefined || one.letter === '') break
    if (end - i > MAX_RUN) return false
    scripts |= 1 << one.script
    common &&= one.common
    styled ||= one.script === STYLED && !one.common
  }
  const next = end < raw.length ? raw.charCodeAt(end) : 0
  if (isDigit(next)) return common
  if (isAlnum(next)) return true
  return (styled || (scripts & (scripts - 1)) !== 0) && !isLetterUnit(next)
}

/**
 * Where the look-alikes that end at `end` begin, when what follows decides how they are read; else `end`.
 *
 * @param previous unit left of `raw`, normalised
 */
export function openLookalikes(raw: string, end: number, previous: number): number {
  let at = end
  while (at > 0 && end - at <= MAX_RUN && LOOKALIKES.has(raw.charCodeAt(at - 1))) at--
  if (at === end || end - at > MAX_RUN) return end
  const beside = at > 0 ? raw.charCodeAt(at - 1) : previous
  const known = at === 0 || kindTable()[beside] === PLAIN
  return known && isLetterUnit(beside) && !isAlnum(beside) ? end : at
}
