/** The end of a streamed text that waits for what follows. */
import { isInvisiblePair, kindTable, MARK, STRIP } from './char-kinds.ts'
import { isDecorationAt } from './decorations.ts'
import { escapeStart, openEscape } from './escapes.ts'
import { endsBesideLookalike, openLookalikes } from './lookalikes.ts'
import { baseBefore, isLowSurrogate } from './marks.ts'

/** `openTail` looks at most this far back. */
const MAX_TAIL = 64

/**
 * Start of the tail that may read differently once more text follows: half a surrogate pair, a combining sequence,
 * invisible characters, an unfinished escape, a look-alike without its neighbour. `raw.length` if none. At most 64
 * units back: longer piles of marks or invisible characters are already decided.
 *
 * @param previous normalised unit left of the text
 */
export function openTail(raw: string, previous = 0): number {
  const n = raw.length
  if (n === 0) return 0
  const last = raw.charCodeAt(n - 1)
  const isPlain = (last >= 0x20 && last < 0x7f) || (last >= 9 && last <= 13)
  if (isPlain && !endsBesideLookalike(raw)) return openEscape(raw)
  const half = last >= 0xd800 && last < 0xdc00 ? n - 1 : n
  const pile = pileStart(raw, half)
  const open = openDecoration(raw, openLookalikes(raw, half - pile > MAX_TAIL ? half : pile, previous))
  // The next character decides the meaning of a written-out line break.
  return open === n ? n : openEscape(raw.slice(0, open))
}

/** Start of a decoration before `end`, whose right neighbour decides how it is read, whatever invisible is between; otherwise `end`. */
function openDecoration(raw: string, end: number): number {
  const pile = pileStart(raw, end)
  const start = pile === 0 || isDecorationAt(raw, pile) ? pile : baseBefore(raw, pile, 0)
  return isDecorationAt(raw, start) ? start : end
}

/**
 * Start of the marks and invisible characters that end at `n`, with their base; slightly more than 64 units at most.
 */
function pileStart(raw: string, n: number): number {
  const table = kindTable()
  const limit = Math.max(0, n - MAX_TAIL - 2)
  let at = n
  while (at > limit) {
    const kind = table[raw.charCodeAt(at - 1)]
    if (kind === MARK || kind === STRIP) at--
    else if (at > 1 && isLowSurrogate(raw.charCodeAt(at - 1)) && isInvisiblePair(raw, at - 2)) at -= 2
    else break
  }
  if (at < n && at > limit && table[raw.charCodeAt(at)] === MARK) return escapeStart(raw, baseBefore(raw, at, limit))
  return at
}
