/**
 * The normalised view of a text: what detectors match on. Compatibility forms (full-width, mathematical letters) become
 * their plain characters, invisible characters go, every decimal digit, dash and look-alike becomes the ASCII one, and
 * the usual spellings of a character by its number (`%40`, `&#64;`, `\u0040`) become the character. Offsets map back to
 * whole source clusters, so that a rewrite never cuts an escape or a combining sequence in two.
 *
 * Texts in which nothing of this occurs, plain ASCII as well as ordinary accented or CJK text, are returned as they are.
 */
import {
  COMPAT,
  compatPair,
  DASHLIKE,
  ESCAPE,
  FOLD,
  finish,
  folds,
  invisibleEnd,
  isDigit,
  isInvisiblePair,
  kindTable,
  LOOKALIKE,
  MARK,
  PLAIN,
  STRIP,
  SURROGATE,
} from './char-kinds.ts'
import type { EncodedRun } from './encoded-runs.ts'
import { ESCAPE_LEADS, type Escape, escapeAt, escapeStart, openEscape } from './escapes.ts'
import { hiddenFrom } from './hidden.ts'
import { lookalike, openLookalikes } from './lookalikes.ts'
import { looseEscapeAt } from './loose-escapes.ts'
import { type Cluster, OffsetMap } from './offset-map.ts'
import { colourEnd } from './terminal.ts'
import { WrittenBreaks } from './written-breaks.ts'

export { OffsetMap } from './offset-map.ts'

export interface Normalised {
  readonly text: string
  /** Absent when every offset of `text` is also the offset in the source. */
  readonly map?: OffsetMap
  /** Stretches of the source that hide text from everybody but a model. */
  readonly hidden?: readonly Hidden[]
}

/** A stretch of raw text. */
export interface Hidden {
  readonly start: number
  readonly end: number
}

/** Marks after one base beyond this many are dropped: nobody writes them, and a cluster must stay short. */
const MAX_MARKS = 16
/** `openTail` looks at most this far back. */
const MAX_TAIL = 64

/** Anything but printable ASCII and white space. */
export const UNUSUAL = /[^\t-\r\x20-\x7e]/

/** Index of the first unit that needs work, or -1. Native searches only: half a nanosecond a character on ASCII text. */
function firstSpecial(raw: string, previous: number, left: string, breaks: WrittenBreaks, base: number): number {
  const wide = firstWide(raw, previous)
  let first = wide < 0 ? raw.length : wide
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

function firstWide(raw: string, previous: number): number {
  const from = raw.search(UNUSUAL)
  if (from < 0) return -1
  const n = raw.length
  const table = kindTable()
  for (let i = from; i < n; i++) {
    const c = raw.charCodeAt(i)
    const kind = table[c]!
    if (kind !== PLAIN && kind !== ESCAPE && needsWork(raw, i, c, kind, i > 0 ? raw.charCodeAt(i - 1) : previous))
      return i
  }
  return -1
}

function needsWork(raw: string, i: number, c: number, kind: number, previous: number): boolean {
  if (kind === LOOKALIKE) return lookalike(raw, i, c, previous) !== undefined
  if (kind === DASHLIKE) return isDigit(previous)
  if (kind === SURROGATE) return isInvisiblePair(raw, i) || compatPair(raw, i) !== undefined
  return true
}

/**
 * The text that detectors see, and the way back.
 *
 * @example
 * const { text, map } = normalise('mail jo%40example.org')
 * text // 'mail jo@example.org'
 * map?.toRaw(5, 19) // [5, 21]
 *
 * @param previous unit left of the text, normalised; some characters read differently behind another
 * @param left source text left of the text, at least its last 16 units
 * @param breaks what is known of the line breaks that are written out in the text so far, of `base` characters
 */
export function normalise(
  raw: string,
  previous = 0,
  left = '',
  breaks: WrittenBreaks = new WrittenBreaks(),
  base = 0,
): Normalised {
  const first = firstSpecial(raw, previous, left, breaks, base)
  return first < 0 ? { text: raw } : new Normaliser(raw, previous, left, breaks, base).run(first)
}

/**
 * As `normalise`, of `raw[from..end]` and with what is decoded in the second reading alone; see readings.ts. It is done
 * earlier where an escape would reach beyond the end.
 */
export function normaliseLoosely(
  raw: string,
  previous: number,
  runs: readonly EncodedRun[] | undefined,
  from: number,
  end: number,
): Normalised & { readonly done: number } {
  const normaliser = new Normaliser(raw, previous, '', undefined, from, runs, end)
  return { ...normaliser.run(from), done: normaliser.end }
}

const HYPHEN = 0x2d
const BACKSLASH = 0x5c
const EQUALS = 0x3d

/** Reads a text once. A long one is read in steps, with the same result: `advance` up to some position, again and again. */
export class Normaliser {
  readonly #raw: string
  readonly #left: string
  /** Undefined in the second reading. */
  readonly #breaks: WrittenBreaks | undefined
  /** In the second reading where the text begins, of which more was read before; else its position in the whole text. */
  readonly #from: number
  readonly #runs: readonly EncodedRun[] | undefined
  readonly #clusters: Cluster[] = []
  #hidden: Hidden[] | undefined = undefined
  /** Only written to, never read while it grows: each read of a text put together by `+=` would copy all of it. */
  #out = ''
  /** The last unit of `#out`, or what stood left of it. */
  #last: number
  /** Source up to here is in `#out`. */
  #done = 0
  /** What lies right of it is looked at, and not read. */
  end: number
  /** The end, or of the step that is made. */
  #stop: number
  #nextRun = 0

  /** @param breaks none in the second reading */
  constructor(
    raw: string,
    previous = 0,
    left = '',
    breaks: WrittenBreaks | undefined,
    from = 0,
    runs?: readonly EncodedRun[],
    end = raw.length,
  ) {
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

  /** Reads from one position to another, and returns the one that it came to. */
  advance(from: number, until: number): number {
    const raw = this.#raw
    const table = kindTable()
    const also = this.#breaks === undefined ? EQUALS : -1
    this.#stop = Math.min(until, this.end)
    let run = this.#runs?.[this.#nextRun]
    let i = from
    while (i < this.#stop) {
      if (run !== undefined && i >= run.start) {
        if (i === run.start) i = this.#replace(i, run.end, run.text)
        run = this.#runs?.[++this.#nextRun]
        continue
      }
      const c = raw.charCodeAt(i)
      i = table[c] === PLAIN && c !== also ? i + 1 : this.#special(i, c, c === also ? ESCAPE : table[c]!)
    }
    return i
  }

  /** When all was read. */
  result(): Normalised {
    this.#out += this.#raw.slice(this.#done, this.end)
    const text = this.#out
    if (this.#clusters.length === 0) return { text }
    const map = new OffsetMap(this.#clusters)
    return this.#hidden === undefined ? { text, map } : { text, map, hidden: this.#hidden }
  }

  /** Handles the unit at `i` and returns where to go on. */
  #special(i: number, c: number, kind: number): number {
    switch (kind) {
      case STRIP:
        return this.#invisible(i)
      case FOLD:
        return this.#withMarks(i, i + 1, folds.get(c)!)
      case COMPAT:
        return this.#withMarks(i, i + 1, undefined)
      case MARK:
        return this.#mark(i)
      case LOOKALIKE: {
        const to = lookalike(this.#raw, i, c, this.#previous(i))
        return to === undefined ? i + 1 : this.#withMarks(i, i + 1, to)
      }
      case DASHLIKE:
        return isDigit(this.#previous(i)) ? this.#replace(i, i + 1, '-') : i + 1
      case ESCAPE: {
        const found = this.#escapeAt(i, c)
        return found === undefined ? i + 1 : this.#replace(i, found.end, found.text)
      }
      default: {
        if (isInvisiblePair(this.#raw, i)) return this.#invisible(i)
        const to = compatPair(this.#raw, i)
        return to === undefined ? i + 1 : this.#withMarks(i, i + 2, to)
      }
    }
  }

  #escapeAt(i: number, c: number): Escape | undefined {
    const breaks = this.#breaks
    if (breaks === undefined) return looseEscapeAt(this.#raw, i, c)
    const found = escapeAt(this.#raw, i, c)
    if (found !== undefined || c !== BACKSLASH) return found
    return breaks.at(this.#raw, i, this.#from, this.#previous(i), this.#left)
  }

  /** The unit left of source position `i`, normalised. */
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
    end = colourEnd(this.#raw, end)
    return this.#replace(i, end, '')
  }

  #replace(start: number, end: number, to: string): number {
    if (end > this.end) {
      this.end = this.#stop = start
      return start
    }
    if (start > this.#done) {
      this.#out += this.#raw.slice(this.#done, start)
      this.#last = this.#raw.charCodeAt(start - 1)
    }
    const at = this.#out.length
    if (to !== '') {
      this.#out += to
      this.#last = to.charCodeAt(to.length - 1)
    }
    this.#done = end
    if (to.length !== 1 || end - start !== 1) {
      const from = this.#breaks === undefined ? this.#from : 0
      this.#clusters.push({ at, length: to.length, rawStart: start - from, rawEnd: end - from })
    }
    return end
  }

  /** A mark after a plain character: the two are one cluster. */
  #mark(i: number): number {
    // A keycap after its selector, or an overlay of a character that has left.
    const previous = this.#previous(i)
    if (i === this.#done && previous > 0 && previous < 0x80) return this.#replace(i, i + 1, '')
    // The rest of an overlong pile of marks, of which the base has left.
    if (i === 0 && endsInMarks(this.#left)) return this.#replace(0, marksEnd(this.#raw, 0), '')
    const start = i > this.#done ? baseBefore(this.#raw, i, this.#done) : i
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

/** What characters with marks came to, for those that texts are full of: the normalisation of the engine is slow. */
const COMPOSED = new Map<string, string>()
const MAX_COMPOSED = 1024
const LONGEST_COMPOSED = 4

function composed(source: string): string {
  const known = COMPOSED.get(source)
  if (known !== undefined) return known
  const whole = finish(source.normalize('NFKC'))
  const text = whole.charCodeAt(0) < 0x80 ? withoutMarks(whole) : whole
  if (source.length > LONGEST_COMPOSED) return text
  if (COMPOSED.size >= MAX_COMPOSED) COMPOSED.clear()
  COMPOSED.set(source, text)
  return text
}

function marksEnd(raw: string, from: number): number {
  const table = kindTable()
  let end = from
  while (end < raw.length && table[raw.charCodeAt(end)] === MARK) end++
  return end
}

/** Whether a text begins with a mark that belongs to the character in front of the text. */
export const startsWithMark = (raw: string): boolean => {
  const first = raw.charCodeAt(0)
  return first >= 0x80 && kindTable()[first] === MARK
}

function endsInMarks(left: string): boolean {
  const from = left.length - MAX_MARKS
  return from >= 0 && marksEnd(left, from) === left.length
}

/** Overlays on an ASCII character (strike-through, keycap) that did not compose into a letter are decoration. */
function withoutMarks(text: string): string {
  let out = ''
  const table = kindTable()
  for (let i = 0; i < text.length; i++) if (table[text.charCodeAt(i)] !== MARK) out += text[i]
  return out
}

export const isLowSurrogate = (c: number): boolean => c >= 0xdc00 && c <= 0xdfff

function baseBefore(raw: string, i: number, limit: number): number {
  const one = i - 1
  return one > limit && isLowSurrogate(raw.charCodeAt(one)) ? one - 1 : one
}

/**
 * Where the tail begins that may still read differently once more text follows: half a surrogate pair, a combining
 * sequence, invisible characters, an unfinished escape, a look-alike whose neighbour is missing. `raw.length` if none;
 * never further back than 64 units: of a longer pile of marks or invisible characters it is known what it is.
 *
 * @param previous unit left of the text, normalised
 */
export function openTail(raw: string, previous = 0): number {
  const n = raw.length
  if (n === 0) return 0
  const last = raw.charCodeAt(n - 1)
  if ((last >= 0x20 && last < 0x7f) || (last >= 9 && last <= 13)) {
    if (last !== HYPHEN || n === 1 || raw.charCodeAt(n - 2) < 0x80) return openEscape(raw)
  }
  const half = last >= 0xd800 && last < 0xdc00 ? n - 1 : n
  const pile = pileStart(raw, half)
  const open = openLookalikes(raw, half - pile > MAX_TAIL ? half : pile, previous)
  // What a line break that is written out is, the next character tells.
  return open === n ? n : openEscape(raw.slice(0, open))
}

/** Where the marks and invisible characters that end at `n` begin, with the base of the marks; a bit more than 64 units at most. */
function pileStart(raw: string, n: number): number {
  const table = kindTable()
  const limit = Math.max(0, n - MAX_TAIL - 2)
  let at = n
  while (at > limit) {
    const kind = table[raw.charCodeAt(at - 1)]
    if (kind === MARK || kind === STRIP) at--
    else if (at > 1 && isLowSurrogate(raw.charCodeAt(at - 1)) && isInvisiblePair(raw, at - 2)) at -= 2
    else break
  }
  if (at < n && at > limit && table[raw.charCodeAt(at)] === MARK) return escapeStart(raw, baseBefore(raw, at, limit))
  return at
}
