/** Compiles the patterns of `kinds/`, and matches them in one pass without backtracking, also on incomplete text. */

import { RecentMap } from 'governed-gateway/kit'

export interface Segment {
  /** Allowed code units below 128. A literal is a set of one unit, with `min` = `max` = 1. */
  readonly set: Uint8Array
  readonly min: number
  readonly max: number
}

export interface Pattern {
  readonly source: string
  readonly segments: readonly Segment[]
  /** Index of the segment where the secret begins. */
  readonly from: number
  /** Set of the last segment, to recognise the rest of a match that was released in pieces. */
  readonly tail: Uint8Array
  /** All possible first three characters, or last characters of `before` and first of the pattern. */
  readonly heads: readonly string[]
  /** Where the pattern begins in a head. */
  readonly shift: number
  /** The class before `<`. */
  readonly before: Segment | undefined
}

/** Maximum characters to check before a decision. The rest is included unchecked. */
export const MAX_CHECKED = 224

/** By the text of their class: a few hundred, which patterns share. */
const sets = new RecentMap<string, Uint8Array>(1000)

const ALNUM = toSet('A-Za-z0-9')

/** The text ended too early to decide. */
export const MORE = -1
export const NO = -2

/** Of the last successful `matchPattern`: its start, the end of its first copy, and whether the match may still grow. */
export const matched = { start: 0, once: 0, open: false }

/**
 * Matches at `at`.
 *
 * @returns the end; `NO`; or `MORE` if the text ended too early and is not `final`. Then `matched.start` is the
 * possible start of the secret.
 */
export function matchPattern(pattern: Pattern, text: string, at: number, final: boolean): number {
  const { segments, from } = pattern
  const limit = Math.min(text.length, at + MAX_CHECKED)
  let i = at
  let start = at
  for (let s = 0; s < segments.length; s++) {
    const { set, min, max } = segments[s]!
    if (s === from) start = i
    let run = 0
    while (run < max && i < limit && inSet(set, text.charCodeAt(i))) {
      i++
      run++
    }
    if (run < min) {
      matched.start = start
      return i === text.length && !final && i - at < MAX_CHECKED ? MORE : NO
    }
  }
  matched.start = start
  matched.once = i
  const last = segments[segments.length - 1]!
  if (i === text.length) {
    matched.open = !final
    return i
  }
  const next = text.charCodeAt(i)
  if (i === limit && last.max === Number.POSITIVE_INFINITY) {
    matched.open = inSet(pattern.tail, next)
    return i
  }
  if (next === 46 && inSet(last.set, next)) {
    // A full stop that ends a sentence is not part of the key; the next character decides.
    matched.open = i + 1 === text.length && !final
    if (!matched.open && inSet(last.set, text.charCodeAt(i + 1))) return NO
    return i
  }
  matched.open = false
  if (inSet(last.set, next) || inSet(ALNUM, next)) return againAt(text, at, i, last.set, final)
  while (text.charCodeAt(i - 1) === 46) i--
  return i
}

const MOST_TIMES = 4

/**
 * The end of a match that is directly after itself, as a provider that repeats a delta writes it; `NO` if anything else
 * follows; `MORE` as above.
 */
function againAt(text: string, start: number, end: number, set: Uint8Array, final: boolean): number {
  const length = end - start
  const i = repeatedTo(text, start, end)
  if (i === end) return NO
  if (i === text.length && !final) return MORE
  const next = text.charCodeAt(i)
  return (i - start) % length === 0 && !inSet(set, next) && !inSet(ALNUM, next) ? i : NO
}

/** How far the text from `start` to `end` continues in further copies of itself, the last perhaps cut. */
export function repeatedTo(text: string, start: number, end: number): number {
  const length = end - start
  const limit = Math.min(text.length, start + MOST_TIMES * length)
  let i = end
  while (i < limit && text.charCodeAt(i) === text.charCodeAt(i - length)) i++
  return i
}

/** Whether the character before `at` is no part of a word. `\n` and `%3D` as text end a word, too. */
export function atBoundary(text: string, at: number): boolean {
  if (at === 0) return true
  const code = text.charCodeAt(at - 1)
  if (!inSet(ALNUM, code) && code !== 95) return true
  if (text.charCodeAt(at - 2) === 92) return code === 110 || code === 114 || code === 116
  return text.charCodeAt(at - 3) === 37 && /^%[0-9A-Fa-f]{2}$/.test(text.slice(at - 3, at))
}

/** Whether a word continues after `_`, as in `backup_AKIA…`. */
export const isBehindUnderscore = (text: string, at: number): boolean => text.charCodeAt(at - 1) === 95

/** Whether the beginning of a key is long enough to tell it apart from the next part of a name such as `max_sk`. */
export const isLong = (literal: string): boolean => literal.length > 3

export const inSet = (set: Uint8Array, code: number): boolean => code < 128 && set[code] === 1

/** The characters of a class. Shared: nobody changes it. */
export function toSet(source: string): Uint8Array {
  const known = sets.get(source)
  if (known !== undefined) return known
  const set = parseSet(source)
  sets.set(source, set)
  return set
}

function parseSet(source: string): Uint8Array {
  const set = new Uint8Array(128)
  for (let i = 0; i < source.length; i++) {
    if (source[i] === '\\') {
      const escaped = source[++i]!
      if (escaped === 'w') mark(set, toSet('A-Za-z0-9_'))
      else if (escaped === 'd') mark(set, toSet('0-9'))
      else set[escaped.charCodeAt(0)] = 1
    } else if (source[i + 1] === '-' && i + 2 < source.length) {
      for (let code = source.charCodeAt(i); code <= source.charCodeAt(i + 2); code++) set[code] = 1
      i += 2
    } else {
      set[source.charCodeAt(i)] = 1
    }
  }
  return set
}

function mark(set: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < 128; i++) if (other[i]) set[i] = 1
}

export function compilePattern(source: string): Pattern {
  let before: Segment | undefined
  const segments: Segment[] = []
  let from = 0
  let i = 0
  while (i < source.length) {
    const char = source[i]!
    if (char === '<') {
      before = segments.pop()
      i++
      continue
    }
    if (char === '(') {
      from = segments.length
      i++
      continue
    }
    let set: Uint8Array
    if (char === '[') {
      const close = source.indexOf(']', i)
      set = toSet(source.slice(i + 1, close))
      i = close + 1
    } else if (char === '\\') {
      set = toSet(source.slice(i, i + 2))
      i += 2
    } else {
      set = toSet(char)
      i++
    }
    const quantifier = source[i] === '{' ? /^\{(\d+)(,(\d*))?\}/.exec(source.slice(i)) : null
    if (quantifier) {
      const min = Number(quantifier[1])
      const max = quantifier[2] === undefined ? min : quantifier[3] ? Number(quantifier[3]) : Number.POSITIVE_INFINITY
      segments.push({ set, min, max: max > MAX_CHECKED ? Number.POSITIVE_INFINITY : max })
      i += quantifier[0].length
    } else {
      segments.push({ set, min: 1, max: 1 })
    }
  }
  const shift = before === undefined ? 0 : Math.max(0, 3 - literalOf(segments).length)
  const first = before === undefined ? segments : [{ ...before, min: shift, max: shift }, ...segments]
  return {
    source,
    segments,
    from,
    tail: segments[segments.length - 1]!.set,
    heads: heads(first, source),
    shift,
    before,
  }
}

function heads(segments: readonly Segment[], source: string): string[] {
  let all = ['']
  for (const segment of segments) {
    for (let n = 0; n < segment.min && all[0]!.length < 3; n++) {
      const chars = members(segment.set)
      all = all.flatMap((head) => chars.map((char) => head + char))
      if (all.length > 400) throw new Error(`the pattern ${source} has no selective first three characters`)
    }
    if (all[0]!.length === 3) return all
    if (segment.min !== segment.max) break
  }
  throw new Error(`the pattern ${source} begins with fewer than three fixed characters`)
}

/** Fixed characters at the beginning of a pattern. */
export function literalOf(segments: readonly Segment[]): string {
  let literal = ''
  for (const { set, min, max } of segments) {
    const first = set.indexOf(1)
    if (first < 0 || set.lastIndexOf(1) !== first || min !== 1 || max !== 1) break
    literal += String.fromCharCode(first)
  }
  return literal
}

/** Where the run of `set` that ends at `at` begins; one character further than `max` allows is enough. */
export function runBefore({ set, max }: Segment, text: string, at: number): number {
  let start = at
  while (start > 0 && at - start <= max && inSet(set, text.charCodeAt(start - 1))) start--
  return start
}

function members(set: Uint8Array): string[] {
  const chars: string[] = []
  for (let code = set.indexOf(1); code >= 0; code = set.indexOf(1, code + 1)) chars.push(String.fromCharCode(code))
  return chars
}
