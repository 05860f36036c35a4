/** Marks that belong to the character before them. */
import { kindTable, MARK } from './char-kinds.ts'

/** More marks after one base are dropped: no language needs them, and clusters must stay short. */
export const MAX_MARKS = 16

/** Where the marks that begin at a position end. */
export function marksEnd(raw: string, from: number): number {
  const table = kindTable()
  let end = from
  while (end < raw.length && table[raw.charCodeAt(end)] === MARK) end++
  return end
}

/** Whether a text begins with a mark that belongs to the preceding character. */
export const startsWithMark = (raw: string): boolean => {
  const first = raw.charCodeAt(0)
  return first >= 0x80 && kindTable()[first] === MARK
}

/** Whether a text ends in as many marks as one base may have. */
export function endsInMarks(left: string): boolean {
  const from = left.length - MAX_MARKS
  return from >= 0 && marksEnd(left, from) === left.length
}

export const isLowSurrogate = (c: number): boolean => c >= 0xdc00 && c <= 0xdfff

/** Where the character before a position begins. */
export function baseBefore(raw: string, i: number, limit: number): number {
  const one = i - 1
  return one > limit && isLowSurrogate(raw.charCodeAt(one)) ? one - 1 : one
}
