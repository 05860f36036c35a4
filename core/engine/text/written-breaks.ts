/**
 * Line breaks that are written out: `\n`, `\r` and `\t`. JSON within a string is full of them, and there they are line
 * breaks for certain. Elsewhere they may be a part of a path, as in `\new`: those are left to the second reading.
 */
import { isAlnum } from './char-kinds.ts'
import type { Escape } from './escapes.ts'

const BACKSLASH = 0x5c
const TO: ReadonlyMap<number, string> = new Map([
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
])
/** `; , > |` and the backtick: no path goes on behind these. */
const ENDS = new Set([0x3b, 0x2c, 0x3e, 0x7c, 0x60])
/** `) ] } . ! ? :`: nor behind these, unless it is `(x86)\new`, `..\new` or `C:\new`. */
const CLOSES = new Set([0x29, 0x5d, 0x7d])
const STOPS = new Set([0x2e, 0x21, 0x3f, 0x3a])
/** What stands behind the backslashes of JSON. */
const JSON_ESCAPES = new Set([...'"\\/bfnrtu'].map((char) => char.charCodeAt(0)))

/** So many line breaks tell that those behind them are such, too; one in a clear place counts as three. */
const ENOUGH = 9
const CLEAR = 3
/** JSON within JSON doubles the backslash; deeper levels tell nothing. */
const LEVELS = 2
const MOST_BACKSLASHES = 8

/**
 * What the backslashes of a text say about those that follow. Positions count in the whole text, so that a stretch of a
 * stream that is read twice says the same twice.
 */
export class WrittenBreaks {
  // Nothing is made before it is needed: each text has one of these, and most texts have no backslash.
  /** By number of backslashes, less one: where the first of them stand. */
  #seen: (number[] | undefined)[] | undefined = undefined
  /** The first place where the text shows to be no JSON. */
  #refuted: (number | undefined)[] | undefined = undefined

  /**
   * The line break that is written out at `i`, if it is one for certain, or the quotation mark that opens a value behind
   * a bare label: `password: \"`.
   *
   * @param base position of `raw` in the whole text
   * @param previous unit left of the backslash, normalised
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
  // Behind another one.
  if (previous === 9 || previous === 10 || previous === 13) return unitAt(raw, i - 1, left) !== previous
  if (CLOSES.has(previous)) return !isAlnum(unitAt(raw, i - 2, left))
  return STOPS.has(previous) && isAlnum(unitAt(raw, i - 2, left)) && isAlnum(unitAt(raw, i - 3, left))
}

const unitAt = (raw: string, at: number, left: string): number =>
  at < 0 ? left.charCodeAt(left.length + at) : raw.charCodeAt(at)
