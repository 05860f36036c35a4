/**
 * The normalised text that detectors match. Compatibility forms (full-width, mathematical letters) become plain
 * characters. Invisible characters are removed. Decimal digits, dashes and look-alikes become ASCII. Common numeric
 * spellings of a character (`%40`, `&#64;`, `\u0040`) become the character. Offsets map back to whole source clusters,
 * so that a rewrite never splits an escape or a combining sequence. Texts without any of these, whether plain ASCII,
 * accented or CJK, are returned unchanged.
 */
import {
  COMPAT,
  compatPair,
  DASHLIKE,
  DECORATION,
  ESCAPE,
  FOLD,
  folds,
  invisibleEnd,
  isDecorationPair,
  isDigit,
  isInvisiblePair,
  isStrayBehind,
  isWordUnit,
  kindTable,
  LOOKALIKE,
  MARK,
  PLAIN,
  SCRIPT_MARK,
  STRIP,
} from './char-kinds.ts'
import { Clusters } from './clusters.ts'
import { composed, isLoneMark } from './composed.ts'
import { endsInDecoration, isBeforeWord, isDecorationAt, mayPart, SEAM } from './decorations.ts'
import { ESCAPE_LEADS, type Escape, endsInReference, escapeAt, hexAt } from './escapes.ts'
import { firstWide } from './first-wide.ts'
import { firstUnusual, isGlancedAt } from './glance.ts'
import { hiddenFrom } from './hidden.ts'
import { flat } from './long-runs.ts'
import { lookalike } from './lookalikes.ts'
import { looseEscapeAt } from './loose-escapes.ts'
import { baseBefore, endsInMarks, MAX_MARKS, marksEnd } from './marks.ts'
import { OffsetMap } from './offset-map.ts'
import type { ReadRun } from './run-depths.ts'
import { colourEnd, sequenceEnd } from './terminal.ts'
import { WrittenBreaks } from './written-breaks.ts'

export { OffsetMap } from './offset-map.ts'

export interface Normalised {
  readonly text: string
  /** Absent when every offset of `text` is also the offset in the source. */
  readonly map?: OffsetMap
  /** Stretches of the source that only a model would read. */
  readonly hidden?: readonly Hidden[]
  /** All of it is printable ASCII and white space; otherwise it may be, too. */
  readonly isPlain?: boolean
}

/** A stretch of raw text. */
export interface Hidden {
  readonly start: number
  readonly end: number
}

/** Anything but printable ASCII and white space. */
export const UNUSUAL = /[^\t-\r\x20-\x7e]/

/** Index of the first unit that needs work, or -1. Uses only native searches: half a nanosecond per ASCII character. */
function firstSpecial(raw: string, wide: number, previous: number, left: string, breaks: WrittenBreaks, base: number) {
  let first = wide
  for (const lead of ESCAPE_LEADS) {
    for (let i = raw.indexOf(lead.char); i >= 0 && i < first; i = raw.indexOf(lead.char, i + 1)) {
      const found =
        escapeAt(raw, i, lead.code) ??
        (lead.code === BACKSLASH ? breaks.at(raw, i, base, i > 0 ? raw.charCodeAt(i - 1) : previous, left) : undefined)
      if (found !== undefined) first = i
    }
  }
  return first === raw.length ? -1 : first
}

/**
 * The text that detectors see, and the way back.
 *
 * @example
 * const { text, map } = normalise('mail jo%40example.org')
 * text // 'mail jo@example.org'
 * map?.toRaw(5, 19) // [5, 21]
 *
 * @param previous normalised unit left of the text; some characters depend on it
 * @param left source text left of the text, at least its last 16 units
 * @param breaks the written-out line breaks seen in the first `base` characters of the text
 */
export function normalise(
  raw: string,
  previous = 0,
  left = '',
  breaks: WrittenBreaks = new WrittenBreaks(),
  base = 0,
): Normalised {
  const unusual = isGlancedAt(raw) ? firstUnusual(raw) : raw.search(UNUSUAL)
  const wide = unusual < 0 ? raw.length : firstWide(raw, unusual, previous)
  const first = firstSpecial(raw, wide, previous, left, breaks, base)
  return first < 0 ? { text: raw, isPlain: unusual < 0 } : new Normaliser(raw, previous, left, breaks, base).run(first)
}

/** Like `normalise`, but what shows nothing parts no words. */
export function normaliseSeamlessly(raw: string): Normalised {
  if (!UNUSUAL.test(raw)) return normalise(raw)
  const normaliser = new Normaliser(raw, 0, '', new WrittenBreaks())
  normaliser.seams = false
  return normaliser.run(0)
}

/**
 * Like `normalise`, for `raw[from..end]`, and decodes loose escapes; see readings.ts. Stops earlier if an escape
 * extends beyond the end.
 */
export function normaliseLoosely(
  raw: string,
  previous: number,
  runs: readonly ReadRun[] | undefined,
  from: number,
  end: number,
  folds: boolean,
): Normalised & { readonly done: number; readonly folded: boolean } {
  const normaliser = new Normaliser(raw, previous, '', undefined, from, runs, end, folds)
  return { ...normaliser.run(from), done: normaliser.end, folded: normaliser.folded }
}

const BACKSLASH = 0x5c
const EQUALS = 0x3d
const PERCENT = 0x25

/** Reads a text once. To read a long text in steps, with the same result, call `advance` repeatedly. */
export class Normaliser {
  readonly #raw: string
  readonly #left: string
  /** Undefined in the second reading. */
  readonly #breaks: WrittenBreaks | undefined
  /** Second reading: start of the text after its context. Otherwise: position in the whole text. */
  readonly #from: number
  readonly #runs: readonly ReadRun[] | undefined
  readonly #clusters = new Clusters()
  #hidden: Hidden[] | undefined = undefined
  /** What earlier steps wrote. */
  #parts: string[] | undefined = undefined
  #partsLength = 0
  /** Written, but not read while it grows: each read of a string built with `+=` would copy all of it. */
  #out = ''
  /** The last unit of `#out`, or of the preceding text. */
  #last: number
  /** `#last` was made of a decoration; unknown at the beginning. */
  #isDecorated: boolean | undefined = undefined
  readonly #folds: boolean
  /** Decorations and seams that the first reading keeps were folded. */
  folded = false
  /** Whether what shows nothing behind a word is a border. */
  seams = true
  /** `#out` covers the source up to here. */
  #done = 0
  /** Text right of it is only context. */
  end: number
  /** End of the current step. */
  #stop: number
  #nextRun = 0

  /**
   * @param breaks undefined in the second reading
   * @param folds whether the second reading folds decorations beside words, too
   */
  constructor(
    raw: string,
    previous = 0,
    left = '',
    breaks: WrittenBreaks | undefined,
    from = 0,
    runs?: readonly ReadRun[],
    end = raw.length,
    folds = true,
  ) {
    this.#folds = folds
    this.end = this.#stop = end
    this.#raw = raw
    this.#last = previous
    this.#left = left
    this.#breaks = breaks
    this.#from = from
    this.#done = breaks === undefined ? from : 0
    this.#runs = runs
  }

  run(first: number): Normalised {
    this.advance(first, this.end)
    return this.result()
  }

  /** Reads from one position to another, and returns the position it reached. */
  advance(from: number, until: number): number {
    const raw = this.#raw
    const table = kindTable()
    const also = this.#breaks === undefined ? EQUALS : -1
    this.#stop = Math.min(until, this.end)
    let run = this.#runs?.[this.#nextRun]
    let i = from
    while (i < this.#stop) {
      if (run !== undefined && i >= run.start) {
        if (i === run.start && !this.#endsEscape(i))
          i = run.text === undefined ? run.end : this.#replace(i, run.end, run.text)
        run = this.#runs?.[++this.#nextRun]
        continue
      }
      const c = raw.charCodeAt(i)
      i = table[c] === PLAIN && c !== also ? i + 1 : this.#special(i, c, c === also ? ESCAPE : table[c]!)
    }
    if (i < this.end && this.#out !== '') this.#endPart()
    return i
  }

  /** A string of millions of pieces would be put together at its end, in one go. */
  #endPart(): void {
    this.#parts ??= []
    this.#parts.push(flat(this.#out, 0, this.#out.length))
    this.#partsLength += this.#out.length
    this.#out = ''
  }

  /** The result, after all text was read. */
  result(): Normalised {
    this.#out += this.#raw.slice(this.#done, this.end)
    const text = this.#parts === undefined ? this.#out : [...this.#parts, this.#out].join('')
    if (this.#clusters.count === 0) return { text }
    const map = new OffsetMap(this.#clusters)
    return this.#hidden === undefined ? { text, map } : { text, map, hidden: this.#hidden }
  }

  /** Handles the unit at `i` and returns where to continue. */
  #special(i: number, c: number, kind: number): number {
    switch (kind) {
      case STRIP:
        return this.#invisible(i)
      case FOLD:
        return this.#withMarks(i, i + 1, folds.get(c)!)
      case COMPAT:
        return this.#withMarks(i, i + 1, undefined)
      case DECORATION:
        return this.#decoration(i, i + 1)
      case MARK:
        return this.#mark(i)
      case LOOKALIKE: {
        const to = lookalike(this.#raw, i, c, this.#previous(i), this.#left)
        return to === undefined ? i + 1 : this.#withMarks(i, i + 1, to)
      }
      case DASHLIKE:
        return isDigit(this.#previous(i)) ? this.#replace(i, i + 1, '-') : i + 1
      case SCRIPT_MARK:
        return isStrayBehind(this.#previous(i)) ? this.#replace(i, i + 1, '') : i + 1
      case ESCAPE: {
        const found = this.#escapeAt(i, c)
        if (found === undefined) return i + 1
        if (found.parts === true) return this.#unseen(i, found.end, true)
        return this.#replace(i, found.end, isLoneMark(this.#previous(i), found.text) ? '' : found.text)
      }
      default: {
        if (isInvisiblePair(this.#raw, i)) return this.#invisible(i)
        if (isDecorationPair(this.#raw, i)) return this.#decoration(i, i + 2)
        const to = compatPair(this.#raw, i, this.#previous(i))
        if (to === '') return this.#replace(i, i + 2, '')
        return to === undefined ? i + 1 : this.#withMarks(i, i + 2, to)
      }
    }
  }

  /**
   * A sign such as `№` or `²` directly beside a word stays, so that it is a border in the first reading, and a letter or digit
   * only in the second. Between others of its kind, and alone, it is what it stands for.
   */
  #decoration(i: number, baseEnd: number): number {
    if (this.#keeps(this.#isBehindWord(i) || isBeforeWord(this.#raw, baseEnd))) return baseEnd
    const end = this.#withMarks(i, baseEnd, undefined)
    this.#isDecorated = true
    return end
  }

  #isBehindWord(i: number): boolean {
    if (!isWordUnit(this.#previous(i))) return false
    return i > this.#done || !(this.#isDecorated ?? endsInDecoration(this.#left))
  }

  /** @param isBeside whether the decoration stands beside a word */
  #keeps(isBeside: boolean): boolean {
    if (this.#breaks !== undefined) return isBeside
    this.folded ||= this.#folds
    return !this.#folds
  }

  #escapeAt(i: number, c: number): Escape | undefined {
    const breaks = this.#breaks
    if (breaks === undefined) return looseEscapeAt(this.#raw, i, c)
    const found = escapeAt(this.#raw, i, c)
    if (found !== undefined || c !== BACKSLASH) return found
    return breaks.at(this.#raw, i, this.#from, this.#previous(i), this.#left)
  }

  /** Whether the digits at `i` belong to a decoded `%` or `=`, as `2d` of `\\u{25}2d`: the next pass reads them. */
  #endsEscape(i: number): boolean {
    return this.#done === i && (this.#last === PERCENT || this.#last === EQUALS) && hexAt(this.#raw, i, 2) >= 0
  }

  /** The normalised unit left of source position `i`. */
  #previous(i: number): number {
    return i > this.#done ? this.#raw.charCodeAt(i - 1) : this.#last
  }

  #invisible(i: number): number {
    let end = invisibleEnd(this.#raw, i)
    const from = hiddenFrom(this.#raw, i, end, this.#left)
    if (from >= 0) {
      this.#hidden ??= []
      this.#hidden.push({ start: from, end })
    }
    const seen = end
    end = colourEnd(this.#raw, end)
    const behind = this.#unseen(i, end, end > seen || mayPart(this.#raw.slice(i, end)))
    if (end > seen || this.#breaks === undefined || !this.seams) return behind
    // Other sequences stay, because a value may begin in what looks like one, and end before the word behind them.
    const last = sequenceEnd(this.#raw, end) - 1
    return last < end ? behind : this.#replace(last, last + 1, `${this.#raw[last]}${SEAM}`)
  }

  /**
   * What shows nothing. Directly behind a word it is a border in the first reading, and nothing only in the second.
   *
   * @param parts whether it may part words
   */
  #unseen(i: number, end: number, parts: boolean): number {
    const isSeam = parts && this.seams && isWordUnit(this.#previous(i)) && this.#keeps(true)
    return this.#replace(i, end, isSeam ? SEAM : '')
  }

  #replace(start: number, end: number, text: string): number {
    if (end > this.end) {
      this.end = this.#stop = start
      return start
    }
    if (start > this.#done) {
      this.#out += this.#raw.slice(this.#done, start)
      this.#last = this.#raw.charCodeAt(start - 1)
      this.#isDecorated = false
    }
    const to = text === '' && endsInReference(this.#raw, this.#done, start) ? ';' : text
    const at = this.#partsLength + this.#out.length
    if (to !== '') {
      this.#out += to
      this.#last = to.charCodeAt(to.length - 1)
      this.#isDecorated = false
    }
    this.#done = end
    if (to.length !== 1 || end - start !== 1) {
      const from = this.#breaks === undefined ? this.#from : 0
      this.#clusters.add(at, to.length, start - from, end - from)
    }
    return end
  }

  /** A mark and the plain character before it form one cluster. */
  #mark(i: number): number {
    // A keycap after its selector, or an overlay whose base was released.
    const previous = this.#previous(i)
    if (i === this.#done && previous > 0 && previous < 0x80) return this.#replace(i, i + 1, '')
    // The rest of an overlong pile of marks whose base was released.
    if (i === 0 && endsInMarks(this.#left)) return this.#replace(0, marksEnd(this.#raw, 0), '')
    const start = i > this.#done ? baseBefore(this.#raw, i, this.#done) : i
    // With its marks, a decoration that stays would be folded.
    if (start < i && isDecorationAt(this.#raw, start)) return this.#replace(i, marksEnd(this.#raw, i), '')
    return this.#withMarks(start, i, undefined)
  }

  #withMarks(start: number, baseEnd: number, base: string | undefined): number {
    const raw = this.#raw
    const end = marksEnd(raw, baseEnd)
    if (end === baseEnd && base !== undefined) return this.#replace(start, end, base)
    const marks = raw.slice(baseEnd, Math.min(end, baseEnd + MAX_MARKS))
    return this.#replace(start, end, composed((base ?? raw.slice(start, baseEnd)) + marks))
  }
}
