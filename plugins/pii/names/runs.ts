import { CLASS_OF, classAt, isLetter, isWord, JOINT, NEWLINE, SPACE, UPPER } from './characters.ts'
import { set } from './titles.ts'

/** Longest run that is judged, characters: headings in capitals and code are longer. */
export const MAX_RUN = 80
/** Farthest word left of a run that is looked at, characters. */
export const REACH = 64

/** A word of a run, or beside it. */
export interface Word {
  readonly start: number
  readonly end: number
  /** In small letters. */
  readonly lower: string
  /** Whether a full stop belongs to it: an initial or an abbreviation. */
  readonly dotted: boolean
}

/** Capitalised words in a row, with the small words and signs that names have between them. */
export interface Run {
  readonly start: number
  readonly end: number
  readonly words: readonly Word[]
  /** Too long to judge. */
  readonly long: boolean
}

/** Small words between capitalised ones: `Ludwig van Beethoven`, `Bank of England`, `Johnson & Johnson`. */
const PARTICLES = set(`
  of de la del della delle dei degli di da dos das do du des d' l' von vom van der den dem ter ten te zu zum zur bin ibn bint
  al el ben y e the for and & und et le les los las upon on für pour para per und 's ’s`)
/** What a hyphen joins to a name that is no part of it. */
const COMPOUND =
  /^(?:based|born|style|like|led|owned|listed|area|era|wide|bound|backed|friendly|speaking|made|type|related|only|specific|free|ready|level|side|und|a|b)(?![\p{L}])/u
/** Words whose full stop does not end a sentence. */
const ABBREVIATIONS = set(`
  mr mrs ms mx dr prof rev fr st sr jr hon gen col lt sgt capt maj cmdr gov sen rep pres inc co corp ltd llc bros dept univ
  ing dipl hr sra srta mme mlle ste mt ft no vs u.s dott avv geb`)

/** End of the word at `at`; apostrophes and hyphens between letters belong to it, but not a possessive ending. */
function wordEnd(text: string, at: number): number {
  let end = at + 1
  const limit = Math.min(text.length, at + LONGEST_WORD)
  for (; end < limit; end++) {
    const kind = CLASS_OF[text.charCodeAt(end)]!
    if (isWord(kind)) continue
    if (kind !== JOINT || !isLetter(classAt(text, end + 1)) || !isLetter(classAt(text, end - 1))) break
    if (isPossessive(text, end)) break
    // "York-based" is two words, "Hye-jin" is one.
    if (isHyphen(text.charCodeAt(end)) && COMPOUND.test(text.slice(end + 1, end + 12))) break
  }
  return end
}

const isHyphen = (c: number): boolean => c === 0x2d || c === 0x2010 || c === 0x2011

/** `'s` at the end of a word. */
function isPossessive(text: string, at: number): boolean {
  return (text.charCodeAt(at + 1) | 32) === 0x73 && !isWord(classAt(text, at + 2)) && !isHyphen(text.charCodeAt(at))
}

/** Reads the run that begins with the capital at `start`; undefined if it may continue in text that has not arrived. */
export function readRun(text: string, start: number, final: boolean): Run | undefined {
  const words: Word[] = []
  let at = start
  let runEnd = start
  let kept = 0
  while (at >= 0) {
    const end = text.charCodeAt(at) === AMPERSAND ? at + 1 : wordEnd(text, at)
    if (end - at >= LONGEST_WORD) break
    if (end >= text.length - 1 && !final) return openRun(text, start, runEnd)
    const lower = text.slice(at, end).toLowerCase()
    const capital = CLASS_OF[text.charCodeAt(at)] === UPPER
    if (!capital && !PARTICLES.has(lower)) break
    const dotted = capital && text.charCodeAt(end) === DOT && (end - at === 1 || ABBREVIATIONS.has(lower))
    words.push({ start: at, end, lower, dotted })
    if (capital) {
      runEnd = dotted ? end + 1 : end
      kept = words.length
    } else if (words.length - kept > MAX_PARTICLES) break
    at = nextWord(text, dotted ? end + 1 : end, final)
    if (at === UNKNOWN) return openRun(text, start, runEnd)
  }
  return { start, end: runEnd, words: words.slice(0, kept), long: kept === 0 || runEnd - start > MAX_RUN }
}

/** A run that is already too long need not wait for its end. */
const openRun = (text: string, start: number, end: number): Run | undefined =>
  end - start > MAX_RUN ? { start, end: text.length, words: [], long: true } : undefined

/** Longer words are no names, characters. */
const LONGEST_WORD = 48
/** What of a word beside a run counts, characters. */
export const WORD_BESIDE = 24
/** Blanks before it. */
const MAX_BLANKS = 16
const AMPERSAND = 0x26
const DOT = 0x2e
const MAX_PARTICLES = 3
const UNKNOWN = -2
const NONE = -1

/** Start of the next word of the run after `end`. */
function nextWord(text: string, end: number, final: boolean): number {
  const n = text.length
  const last = final ? NONE : UNKNOWN
  const kind = classAt(text, end)
  if (kind === JOINT) {
    if (end + 3 >= n && !final) return UNKNOWN
    if (isPossessive(text, end)) return classAt(text, end + 2) === SPACE ? end : NONE
    return isHyphen(text.charCodeAt(end)) && classAt(text, end + 1) === UPPER ? end + 1 : NONE
  }
  if (kind === UPPER) return end
  let at = end
  while (at < n && at - end < 3 && CLASS_OF[text.charCodeAt(at)] === SPACE) at++
  if (at >= n) return last
  if (at === end) return NONE
  if (text.charCodeAt(at) === AMPERSAND) return at
  return isLetter(classAt(text, at)) ? at : NONE
}

/** The three words or signs before the run, at most `REACH` characters away. */
export function readLeft(text: string, start: number): [string, string, string] {
  const out: [string, string, string] = ['', '', '']
  const floor = Math.max(0, start - REACH)
  let at = start
  for (let i = 0; i < 3; i++) {
    while (at > floor && CLASS_OF[text.charCodeAt(at - 1)] === SPACE) at--
    if (at <= floor) break
    const kind = CLASS_OF[text.charCodeAt(at - 1)]!
    if (kind === NEWLINE) {
      while (
        at > floor &&
        (CLASS_OF[text.charCodeAt(at - 1)] === NEWLINE || CLASS_OF[text.charCodeAt(at - 1)] === SPACE)
      )
        at--
      out[i] = '\n'
      continue
    }
    if (!isWord(kind)) {
      out[i] = text[--at]!
      continue
    }
    const end = at
    while (at > floor && isPartOfWord(text, at - 1)) at--
    // The rest of a word that begins before the window would depend on where the window is.
    if (at === floor && floor > 0) break
    out[i] = text.slice(at, end).toLowerCase()
  }
  return out
}

const isPartOfWord = (text: string, at: number): boolean =>
  isWord(classAt(text, at)) ||
  (classAt(text, at) === JOINT && isLetter(classAt(text, at - 1)) && isLetter(classAt(text, at + 1)))

/** The sign and the word after the run; undefined if they have not arrived. */
export function readRight(text: string, end: number, final: boolean): [string, string] | undefined {
  const out: [string, string] = ['', '']
  const n = text.length
  let at = end
  for (let signs = 0; signs < 3; ) {
    while (at < n && at - end < MAX_BLANKS && CLASS_OF[text.charCodeAt(at)] === SPACE) at++
    if (at >= n) return final ? out : undefined
    const kind = CLASS_OF[text.charCodeAt(at)]!
    if (isWord(kind)) {
      let last = at
      while (last < n && last - at < WORD_BESIDE && isPartOfWord(text, last)) last++
      if (last >= n - 1 && !final) return undefined
      out[1] = text.slice(at, last).toLowerCase()
      if (out[0] === '') out[0] = out[1]
      return out
    }
    if (out[0] === '') out[0] = kind === NEWLINE ? '\n' : text[at]!
    if (kind === NEWLINE) {
      out[1] = '\n'
      return out
    }
    at++
    signs++
  }
  return out
}
