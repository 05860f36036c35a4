/** How far patterns can go without a digit: most words of a text are read by two or three characters only. */
import { IS_WORD, WIDE_LETTER } from './symbols.ts'

/** Positions of patterns, and where they continue; see `positions.ts`. */
interface Links {
  readonly follow: Int32Array
  readonly followAt: Int32Array
  readonly ruleOf: Int16Array
}

/** A match may need no digit, or the digit may be this far away, or farther. */
export const FAR = 255

/**
 * For each position, within a word that has no digit: the largest number of characters, from the position on, after which
 * a match has had its first digit; 0 if no match continues without a digit in this word.
 *
 * @param sets the characters that each position takes
 * @param needDigit rules whose matches count only with a digit
 */
export function reaches(
  sets: readonly Uint8Array[],
  { follow, followAt, ruleOf }: Links,
  needDigit: (rule: number) => boolean,
): Uint8Array {
  const kinds = Uint8Array.from(sets, kindsOf)
  const ends = Array.from(ruleOf, (rule) => rule >= 0 && !needDigit(rule))
  const after = (p: number, reach: (q: number) => number): number => {
    if (ends[p]) return FAR
    let most = 0
    for (let i = followAt[p]!; i < followAt[p + 1]!; i++) most = Math.max(most, reach(follow[i]!))
    return most === 0 ? 0 : Math.min(FAR, most + 1)
  }
  const anywhere = memoised(sets.length, (p, self) => {
    const kind = kinds[p]!
    const further = (kind & (LETTER | OTHER)) === 0 ? 0 : after(p, self)
    return Math.max(further, (kind & DIGIT) === 0 ? 0 : 1)
  })
  const inWord = memoised(sets.length, (p, self) => {
    const kind = kinds[p]!
    const letter = (kind & LETTER) === 0 ? 0 : after(p, self)
    return Math.max(letter, (kind & OTHER) === 0 ? 0 : after(p, anywhere))
  })
  return Uint8Array.from(sets, (_, p) => inWord(p))
}

/**
 * For each rule, 1 if it matches texts without a digit.
 *
 * @param sets the characters that each position takes
 * @param firstOf positions that matches of each rule begin with
 */
export function digitless(
  sets: readonly Uint8Array[],
  { follow, followAt, ruleOf }: Links,
  firstOf: readonly (readonly number[])[],
): Uint8Array {
  const isFree = (p: number): boolean => (kindsOf(sets[p]!) & (LETTER | OTHER)) !== 0
  return Uint8Array.from(firstOf, (first) => {
    const reached = new Set(first.filter(isFree))
    for (const p of reached) {
      if (ruleOf[p]! >= 0) return 1
      for (let i = followAt[p]!; i < followAt[p + 1]!; i++) if (isFree(follow[i]!)) reached.add(follow[i]!)
    }
    return 0
  })
}

const DIGIT = 1
const LETTER = 2
const OTHER = 4

const known = new Map<Uint8Array, number>()
/** What a set has: digits, other characters of words, and further ones. */
function kindsOf(set: Uint8Array): number {
  let kinds = known.get(set)
  if (kinds === undefined) {
    kinds = 0
    for (let s = 0; s < set.length; s++) {
      if (set[s] === 0) continue
      kinds |= s >= 48 && s <= 57 ? DIGIT : WORD_SYMBOL[s] === 1 ? LETTER : OTHER
    }
    known.set(set, kinds)
  }
  return kinds
}

const WORD_SYMBOL = new Uint8Array(256)
// Characters of ASCII are their own symbols.
for (let s = 0; s < 128; s++) WORD_SYMBOL[s] = IS_WORD[s]!
WORD_SYMBOL[WIDE_LETTER] = 1

/** Computes each value once; what leads back to itself has no bound. */
function memoised(size: number, compute: (p: number, self: (p: number) => number) => number): (p: number) => number {
  const values = new Int16Array(size).fill(-1)
  const self = (p: number): number => {
    if (values[p] === -1) {
      values[p] = FAR
      values[p] = compute(p, self)
    }
    return values[p]!
  }
  return self
}
