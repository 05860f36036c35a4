/**
 * Letters of other scripts that look like ASCII ones are folded only where scripts are mixed in one word or number. A
 * word of one script stays: it is Russian, Greek or Armenian text.
 */
import { isAlnum, isDigit, isLetterUnit, kindTable, LOOKALIKE, PLAIN } from './char-kinds.ts'
import { LOOKALIKES, type Lookalike, STYLED } from './unicode-data.ts'

/** A word that begins with more look-alikes than these is no longer looked at. */
const MAX_RUN = 32

/** What the look-alike at `i` is read as, or undefined when it stays. `previous` is the unit left of it, normalised. */
export function lookalike(raw: string, i: number, c: number, previous: number): string | undefined {
  const afterAscii = isAlnum(previous)
  if (!afterAscii && (isLetterUnit(previous) || !beginsMixed(raw, i))) return undefined
  const one = LOOKALIKES.get(c)!
  if (!one.common && isDigit(previous)) return undefined
  const next = i + 1 < raw.length ? raw.charCodeAt(i + 1) : 0
  if (one.digit !== '' && (isDigit(previous) || (isDigit(next) && !afterAscii))) return one.digit
  return one.letter === '' ? undefined : one.letter
}

/** Whether the word that begins at `i` goes on in ASCII, or is of several scripts or of styled letters. */
function beginsMixed(raw: string, i: number): boolean {
  const table = kindTable()
  const block = raw.charCodeAt(i) >> 8
  let end = i
  let oneBlock = block === GREEK || block === CYRILLIC
  for (; end < raw.length && end - i <= MAX_RUN; end++) {
    const c = raw.charCodeAt(end)
    if (table[c] !== LOOKALIKE) break
    oneBlock &&= c >> 8 === block
  }
  const next = end < raw.length ? raw.charCodeAt(end) : 0
  if (isAlnum(next)) {
    const run = looks(raw, i, end)
    return (
      run.every(({ letter }) => letter !== '' || end - i === 1) && (!isDigit(next) || run.every(({ common }) => common))
    )
  }
  if (oneBlock || isLetterUnit(next)) return false
  const run = looks(raw, i, end)
  return run.some((one) => one.script !== run[0]!.script || (one.script === STYLED && !one.common))
}

/** First bytes of the letters of scripts that lie in one block, where most words are. */
const GREEK = 0x03
const CYRILLIC = 0x04

function looks(raw: string, start: number, end: number): Lookalike[] {
  return Array.from({ length: end - start }, (_, i) => LOOKALIKES.get(raw.charCodeAt(start + i))!)
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
