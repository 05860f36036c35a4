import {
  compatPair,
  DASHLIKE,
  ESCAPE,
  isDigit,
  isInvisiblePair,
  isStrayBehind,
  kindTable,
  LOOKALIKE,
  PLAIN,
  SCRIPT_MARK,
  SURROGATE,
} from './char-kinds.ts'
import { lookalike } from './lookalikes.ts'

/** Where the first unit that is not ASCII stands and must be normalised; the length of the text if there is none. */
export function firstWide(raw: string, from: number, previous: number): number {
  const n = raw.length
  const table = kindTable()
  for (let i = from; i < n; i++) {
    const c = raw.charCodeAt(i)
    const kind = table[c]!
    if (kind !== PLAIN && kind !== ESCAPE && needsWork(raw, i, c, kind, i > 0 ? raw.charCodeAt(i - 1) : previous))
      return i
  }
  return n
}

function needsWork(raw: string, i: number, c: number, kind: number, previous: number): boolean {
  if (kind === LOOKALIKE) return lookalike(raw, i, c, previous) !== undefined
  if (kind === DASHLIKE) return isDigit(previous)
  if (kind === SCRIPT_MARK) return isStrayBehind(previous)
  if (kind === SURROGATE) return isInvisiblePair(raw, i) || compatPair(raw, i, previous) !== undefined
  return true
}
