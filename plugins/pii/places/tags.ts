import { FORM_FEED, NEWLINE, RETURN, SPACE, TAB } from './characters.ts'

/** States of a tag, as bits: several are possible at once. None is left once the tag has certainly ended. */
export type Bits = number

/** In a tag, outside values. */
export const TAG = 1
/** After an equals sign, before a value. */
const ASSIGNED = 2
const BARE = 4
const DOUBLE = 8
const SINGLE = 16
export const QUOTED = DOUBLE | SINGLE
export const VALUE = ASSIGNED | BARE | QUOTED

/** Whether the character ends a name. */
export const ends = (c: number): boolean => c === SPACE || c === TAB || c === NEWLINE || c === RETURN || c === FORM_FEED

/** @param lineStart `>` may mark a block quote here and is not part of the tag */
export function stepTag(open: Bits, c: number, lineStart: boolean): Bits {
  let next = 0
  const closes = c === 0x3e && !lineStart
  if ((open & TAG) !== 0 && !closes) next |= c === 0x3d ? TAG | ASSIGNED : TAG
  if ((open & ASSIGNED) !== 0) next |= afterEquals(c, closes)
  if ((open & BARE) !== 0 && !closes) next |= ends(c) ? TAG : BARE
  if ((open & DOUBLE) !== 0) next |= c === 0x22 ? TAG : DOUBLE
  if ((open & SINGLE) !== 0) next |= c === 0x27 ? TAG : SINGLE
  return next
}

function afterEquals(c: number, closes: boolean): Bits {
  if (ends(c) || (c === 0x3e && !closes)) return ASSIGNED
  if (closes) return 0
  return c === 0x22 ? DOUBLE : c === 0x27 ? SINGLE : BARE
}
