/**
 * Written-out line breaks and tabs: `\n`, `\r` and `\t`. JSON within a string is full of them, and there they are
 * certain. Elsewhere they may be part of a path, as in `\new`: only the second reading decodes those.
 */
import { isAlnum } from './char-kinds.ts'
import type { Escape } from './escapes.ts'

const BACKSLASH = 0x5c
const TO: ReadonlyMap<number, string> = new Map([
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
])
/** `; , > |` and the backtick: a path cannot continue after these. */
const ENDS = new Set([0x3b, 0x2c, 0x3e, 0x7c, 0x60])
/** `) ] } . ! ? :`: a path cannot continue after these either, except in `(x86)\new`, `..\new` or `C:\new`. */
const CLOSES = new Set([0x29, 0x5d, 0x7d])
const STOPS = new Set([0x2e, 0x21, 0x3f, 0x3a])
/** Characters that may follow the backslashes of JSON. */
const JSON_ESCAPES = new Set([...'"\\/bfnrtu'].map((char) => char.charCodeAt(0)))

/** After this many line breaks, later ones are certain; one in a clear place counts as three. */
const ENOUGH = 9
const CLEAR = 3
/** Each level of nested JSON doubles the backslash; deeper levels are no evidence. */
const LEVELS = 2
const MOST_BACKSLASHES = 8

/**
 * Decides from earlier backslashes of a text how to read later ones. Positions count in the whole text, so reading a
 * stretch of a stream twice gives the same result.
 */
export class WrittenBreaks {
  // Allocates lazily: every text has a `WrittenBreaks`, but most have no backslash.
  /** Positions of the first written-out breaks, by number of backslashes less one. */
  #seen: (number[] | undefined)[] | undefined = undefined
  /** The first position that proves that the text is not JSON. */
  #refuted: (number | undefined)[] | undefined = undefined

  /**
   * The written-out line break at `i`, if certain, or the quotation mark that opens a value after a bare label:
   * `password: \"`.
   *
   * @param base position of `raw` in the whole text
   * @param previous normalised unit left of the backslash
   * @param left source text left of `raw`, at least its last four units
   */
  at(raw: string, i: number, base: number, previous: number, left: string): Escape | undefined {
    if (previous === BACKSLASH) return undefined
    let at = i + 1
    while (at - i < MOST_BACKSLASHES && raw.charCodeAt(at) === BACKSLASH) at++
    const level = at - i - 1
    const c = raw.charCodeAt(at)
    if (c === QUOTE) return opensValue(raw, i, left) ? { end: at + 1, text: '"' } : undefined
    const text = TO.get(c)
    if (text === undefined) {
      const isJson = at === raw.length || JSON_ESCAPES.has(c)
      if (level < LEVELS && !isJson) this.#refute(level, base + i)
      return undefined
    }
    const next = raw.charCodeAt(at + 1)
    const glued = isAlnum(next) || next === 0x5f || next >= 0x80
    const clear = partsWords(raw, i, previous, left)
    const counts = clear || !glued || (previous !== COLON && this.#trusts(level, base + i))
    this.#note(level, base + i, clear ? CLEAR : 1)
    return counts ? { end: at + 1, text } : undefined
  }

  #refute(level: number, position: number): void {
    this.#refuted ??= []
    this.#refuted[level] = Math.min(this.#refuted[level] ?? position, position)
  }

  #note(level: number, position: number, weight: number): void {
    if (level >= LEVELS) return
    this.#seen ??= []
    this.#seen[level] ??= []
    const seen = this.#seen[level]
    if (seen.length >= ENOUGH || (seen.at(-1) ?? -1) >= position) return
    for (let i = 0; i < weight; i++) seen.push(position)
  }

  #trusts(level: number, position: number): boolean {
    const last = this.#seen?.[level]?.[ENOUGH - 1]
    if (last === undefined || last >= position) return false
    const refuted = this.#refuted?.[level]
    return refuted === undefined || refuted > position
  }
}

const QUOTE = 0x22
const SPACE = 0x20
const COLON = 0x3a
const EQUALS = 0x3d

function opensValue(raw: string, i: number, left: string): boolean {
  let at = i - 1
  while (at > i - 3 && unitAt(raw, at, left) === SPACE) at--
  const sign = unitAt(raw, at, left)
  if (sign !== COLON && sign !== EQUALS) return false
  const before = unitAt(raw, at - 1, left)
  return isAlnum(before) || before === SPACE
}

function partsWords(raw: string, i: number, previous: number, left: string): boolean {
  if (ENDS.has(previous)) return true
  // After another written-out break.
  if (previous === 9 || previous === 10 || previous === 13) return unitAt(raw, i - 1, left) !== previous
  if (CLOSES.has(previous)) return !isAlnum(unitAt(raw, i - 2, left))
  return STOPS.has(previous) && isAlnum(unitAt(raw, i - 2, left)) && isAlnum(unitAt(raw, i - 3, left))
}

const unitAt = (raw: string, at: number, left: string): number =>
  at < 0 ? left.charCodeAt(left.length + at) : raw.charCodeAt(at)
