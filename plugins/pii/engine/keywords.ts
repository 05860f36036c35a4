/**
 * Finds groups of context words in a short window before or after a candidate. The phrases of all detectors form one
 * Aho-Corasick automaton, so the cost of a window does not depend on their number. Spaces, underscores, hyphens and
 * dots between words are equal, and so are runs of them. Case and apostrophes are ignored. A phrase of several words
 * also matches when written as one (`dateOfBirth`).
 */
import { TextUnits } from 'governed-gateway/kit'
import { type End, type KeywordTables, keywordTables, PAGE, SKIP, SPACE } from './keyword-tables.ts'

const UNITS = new TextUnits()

/** State bit: the last character was a space. */
const AFTER_SPACE = 1

export class Keywords {
  readonly tables: KeywordTables

  constructor(tables: KeywordTables) {
    this.tables = tables
  }

  static of(groups: Readonly<Record<string, readonly string[]>>): Keywords {
    return new Keywords(keywordTables(groups))
  }

  /** Number of a group. */
  group(name: string): number {
    const group = this.tables.groups.indexOf(name)
    if (group < 0) throw new Error(`no context words named ${name}`)
    return group
  }

  /** A reader for one text. Its windows may only move forward; overlapping text is read once. */
  reader(): WindowReader {
    return new WindowReader(this)
  }

  get groups(): number {
    return this.tables.groups.length
  }

  /** Whether the text has a phrase of any group. */
  isIn(text: string): boolean {
    const reader = this.reader()
    reader.read(UNITS.of(text), 0, text.length)
    return reader.any
  }

  /** Start of a phrase that ends at `last`; -1 inside a longer word, such as "dob" in "adobe". */
  begin(units: Uint16Array, last: number, end: End): number {
    const { codeOf } = this.tables
    const isLetter = LETTERS
    const tail = units[last]!
    if (isLetter[units[last + 1]!] === 1 && isLetter[tail] === 1) {
      // The border inside a camelCase word counts: "phoneNumber".
      if (!isUpper(units[last + 1]!) || isUpper(tail)) return -1
    }
    let at = last
    for (let left = end.letters; left > 0 && at >= 0; at--) {
      const code = codeOf[units[at]!]!
      if (code !== SKIP && code !== SPACE) left--
    }
    const first = units[at + 1]!
    if (at >= 0 && isDigit(units[at]!) && isLetter[first] === 1) return -1
    if (at < 0 || isLetter[units[at]!] !== 1 || isLetter[first] !== 1) return at + 1
    return isUpper(first) && !isUpper(units[at]!) ? at + 1 : -1
  }
}

/** Positions of context words in the windows of one text. */
export class WindowReader {
  readonly #keywords: Keywords
  /** Start and end of each group's last phrase. */
  readonly #begins: Int32Array
  readonly #ends: Int32Array
  #state = 0
  #from = 0
  #to = -1
  /** Start of the phrase of any group that starts last. */
  #latest = -1
  /** Whether a phrase was noted since the last text. */
  #isUsed = true

  constructor(keywords: Keywords) {
    this.#keywords = keywords
    this.#begins = new Int32Array(keywords.groups)
    this.#ends = new Int32Array(keywords.groups)
  }

  reset(): void {
    this.#to = -1
  }

  /** Reads from `from` to `to`. Both may only grow for the same text. */
  read(units: Uint16Array, from: number, to: number): void {
    const { codeOf, next, rowOf, pages, endsOf, lists } = this.#keywords.tables
    let i = this.#to
    if (i < from) {
      if (i < 0 && this.#isUsed) this.#clear()
      // Phrases that ended before are out of the window.
      this.#state = AFTER_SPACE
      i = from
    }
    let state = this.#state
    for (; i < to; i++) {
      const code = codeOf[units[i]!]!
      if (code <= SPACE) {
        // Runs of spaces count as one.
        if (code === SPACE && (state & AFTER_SPACE) === 0)
          state = (next[(state >> 1) * PAGE + SPACE]! << 1) | AFTER_SPACE
      } else {
        const node = state >> 1
        const row = code < PAGE ? node : rowOf[node * pages + (code >> 5) - 1]!
        state = next[row * PAGE + (code & (PAGE - 1))]! << 1
      }
      const ends = endsOf[state >> 1]!
      if (ends !== 0) this.#note(units, i, lists[ends]!)
    }
    this.#state = state
    this.#from = from
    this.#to = to
  }

  #note(units: Uint16Array, last: number, ends: readonly End[]): void {
    for (const end of ends) {
      const begin = this.#keywords.begin(units, last, end)
      if (begin < 0) continue
      this.#begins[end.group] = begin
      if (begin > this.#latest) this.#latest = begin
      this.#ends[end.group] = last + 1
      this.#isUsed = true
    }
  }

  #clear(): void {
    this.#begins.fill(-1)
    this.#ends.fill(-1)
    this.#latest = -1
    this.#isUsed = false
  }

  /** False if the window has no phrase of any group; nearly exact, and quick. */
  get mayHaveAny(): boolean {
    return this.#latest >= this.#from
  }

  /** Whether the window has a phrase of any group. */
  get any(): boolean {
    return this.#latest >= this.#from && this.#begins.some((begin) => begin >= this.#from)
  }

  /** End of the last phrase of any group in the window; -1 if there is none, or if it is one of `other`. */
  lastEnd(other: number): number {
    let last = -1
    for (let group = 0; group < this.#begins.length; group++) {
      if (group !== other && this.#begins[group]! >= this.#from) last = Math.max(last, this.#ends[group]!)
    }
    return this.end(other) > last ? -1 : last
  }

  /** End of the group's last phrase in the window, or -1. */
  end(group: number): number {
    return this.#begins[group]! >= this.#from ? this.#ends[group]! : -1
  }
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57
const isUpper = (c: number): boolean => c >= 65 && c <= 90

/** Letters that continue a word. Excludes scripts without word borders. */
const LETTERS: Uint8Array = buildLetters()

function buildLetters(): Uint8Array {
  const table = new Uint8Array(0x10000)
  const letter = /^\p{L}$/u
  for (let c = 0; c < 0x700; c++) if (letter.test(String.fromCharCode(c))) table[c] = 1
  table.fill(1, 0x900, 0xe00)
  return table
}
