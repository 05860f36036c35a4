/** Values directly after themselves, as a provider that repeats a delta writes them: `4012 8888 8888 18814012 8888 8888 1881`. */
import { CONTEXT_BEFORE } from './candidate.ts'
import type { Hit } from './detector.ts'
import { IS_WORD } from './symbols.ts'

const SHORTEST = 9
/** The longest account number, in groups. */
const LONGEST = 42
const MOST_TIMES = 4

/** A text that is there several times without a sign between. */
export interface Twice {
  readonly start: number
  /** Of one of them. */
  readonly length: number
  /** Of the last one. */
  readonly end: number
}

/**
 * Adds the texts that begin at `start` and are there several times, up to the end of a word.
 *
 * @returns whether that may depend on further text
 */
export function readTwice(units: Uint16Array, start: number, n: number, final: boolean, found: Twice[]): boolean {
  const last = Math.min(n, start + LONGEST)
  for (let at = start + SHORTEST; at < last; at++) {
    if (units[at] !== units[start] || IS_WORD[units[at - 1]!] === 0) continue
    const length = at - start
    const limit = Math.min(n, start + MOST_TIMES * length)
    let end = at + 1
    while (end < limit && units[end] === units[end - length]) end++
    if (end === n && !final) return true
    if ((end - start) % length === 0 && IS_WORD[units[end]!] === 0) found.push({ start, length, end })
  }
  return false
}

/**
 * Adds each of these that is a value to what was found, in order and without overlap.
 *
 * @param scan finds values in a whole text from a position on
 */
export function withTwice(
  text: string,
  hits: readonly Hit[],
  twice: readonly Twice[],
  scan: (text: string, from: number) => readonly Hit[],
): readonly Hit[] {
  const values: Hit[] = []
  for (const { start, length, end } of twice) {
    const from = Math.max(0, start - CONTEXT_BEFORE)
    const one = text.slice(from, start + length)
    const hit = scan(one, start - from).find((hit) => hit.start === start - from && hit.end === one.length)
    // One finding: a stream must not release one of them without the others.
    if (hit !== undefined) values.push({ ...hit, start, end })
  }
  if (values.length === 0) return hits
  const isValue = new Set(values)
  const found: Hit[] = []
  for (const hit of [...values, ...hits].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last === undefined || hit.start >= last.end) found.push(hit)
    else if (isValue.has(hit) && !isValue.has(last)) found[found.length - 1] = hit
  }
  return found
}
