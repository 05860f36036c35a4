import { CLASS_OF, classAt, isLetter, isWord, JOINT, UPPER } from './characters.ts'
import { isIdentifier, isInHash } from './code.ts'
import type { Beside } from './features.ts'
import { Model, type Named, type Weights } from './model.ts'
import { ORDINARY } from './ordinary.ts'
import { LAST_WORDS } from './phrases.ts'
import { introductionOf } from './private.ts'
import { MAX_RUN, REACH, type Run, readLeft, readRight, readRun } from './runs.ts'
import { isCourtesy, isOffice, isTitle } from './titles.ts'

/** How far before a name others of the same list may begin, characters. */
export const LINK_REACH = 48
/** How far before the place where reading begins a run may begin that matters. */
const BACK = MAX_RUN + LINK_REACH + 16
/** What a result may depend on, left of the place where reading begins, characters. */
export const CONTEXT = BACK + REACH

/** A name in a text. */
export interface Name {
  readonly kind: Named['kind']
  readonly start: number
  readonly end: number
}

export class Tagger {
  readonly #model: Model

  constructor(weights: Weights) {
    this.#model = new Model(weights)
  }

  /**
   * Finds the names that begin at `from` or later, and some that begin before.
   *
   * @param wants which runs are judged; default all
   * @returns start of the text on whose continuation a result depends
   */
  find(
    text: string,
    from: number,
    final: boolean,
    caution: number,
    found: (name: Name) => void,
    wants: (run: Run) => boolean = () => true,
  ): number {
    const n = text.length
    let at = Math.max(0, from - BACK)
    while (at < n) {
      at = nextCapital(text, at)
      if (at === n) break
      if (!begins(text, at)) {
        at++
        continue
      }
      const run = readRun(text, at, final)
      if (run === undefined) return Math.max(from, at)
      if (run.end > from - LINK_REACH && !run.long && wants(run)) {
        if (!this.#judge(text, run, final, caution, found)) return Math.max(from, at)
      }
      at = Math.max(run.end, at + 1)
    }
    return n
  }

  /** False if the result depends on further text. */
  #judge(text: string, run: Run, final: boolean, caution: number, found: (name: Name) => void): boolean {
    const { words } = run
    if (!isJudged(text, run)) return true
    const right = readRight(text, run.end, final)
    if (right === undefined) return false
    const isHash = isInHash(text, run, final)
    if (isHash === undefined) return false
    if (isHash || isIdentifier(text, run)) return true
    const beside = { left: readLeft(text, run.start), right }
    let names = this.#model.names(text, run, beside, caution)
    if (!names.some(({ kind }) => kind === 'PER') && mayBeIntroduced(run, beside)) {
      const given = introductionOf(text, run.start, run.end) ?? 0
      if (given > 0) names = this.#model.names(text, run, beside, caution, given)
    }
    for (const { kind, from: first, to } of withCourtesy(run, names)) {
      const start = words[kind === 'PER' ? withTitles(run, first) : first]!.start
      const last = words[to - 1]!
      const end = last.dotted ? last.end + 1 : last.end
      found({ kind, start, end })
    }
    return true
  }
}

/** A quick look whether the words before may introduce a person. */
const mayBeIntroduced = ({ words }: Run, { left }: Beside): boolean =>
  words.length < 5 && (left[0] === '\n' || left[0] === ',' || /^[:="'>|]$/.test(left[0]) || LAST_WORDS.has(left[0]))

/** After "Mrs" stands a person, whatever the name looks like. */
function withCourtesy({ words }: Run, names: readonly Named[]): readonly Named[] {
  const at = words.findIndex(
    ({ lower }, i) => isCourtesy(lower) && i + 1 < words.length && !isTitle(words[i + 1]!.lower),
  )
  if (at < 0 || isOffice(words[at + 1]!.lower)) return names
  const known = names.find(({ from, to }) => from <= at + 1 && at + 1 < to)
  if (known?.kind === 'PER') return names
  const to = known?.to ?? Math.min(words.length, at + 3)
  return [
    ...names.filter((name) => name !== known && name.to <= at),
    { kind: 'PER', from: at + 1, to },
    ...names.filter((name) => name.from >= to),
  ]
}

/** Index of the first of the titles before a word, or of the word. */
function withTitles({ words }: Run, first: number): number {
  while (first > 0 && isTitle(words[first - 1]!.lower)) first--
  return first
}

/** The runs of a whole text that are judged. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = []
  for (let at = 0; at < text.length; ) {
    if (CLASS_OF[text.charCodeAt(at)] !== UPPER || !begins(text, at)) {
      at++
      continue
    }
    const run = readRun(text, at, true)!
    if (!run.long && isJudged(text, run)) runs.push(run)
    at = Math.max(run.end, at + 1)
  }
  return runs
}

/** The surroundings of a run in a whole text. */
export const besideOf = (text: string, run: Run): Beside => ({
  left: readLeft(text, run.start),
  right: readRight(text, run.end, true)!,
})

const isJudged = (text: string, run: Run): boolean =>
  !(run.words.length === 1 && ORDINARY.has(run.words[0]!.lower)) && !isCode(text, run)

/** Small letters are most of a text, so a regular expression leaps over them. */
const MAY_BE_CAPITAL = /[A-Z\u0080-\uffff]/g

/** Place of the next capital; the length of the text if there is none. */
function nextCapital(text: string, from: number): number {
  MAY_BE_CAPITAL.lastIndex = from
  while (MAY_BE_CAPITAL.test(text)) {
    const at = MAY_BE_CAPITAL.lastIndex - 1
    if (CLASS_OF[text.charCodeAt(at)] === UPPER) return at
  }
  return text.length
}

/** Whether a word begins with this capital: after an elision (`l'Oréal`) too. */
function begins(text: string, at: number): boolean {
  const before = classAt(text, at - 1)
  if (isWord(before)) return false
  if (before !== JOINT || !isLetter(classAt(text, at - 2))) return true
  return !isWord(classAt(text, at - 3)) || !isWord(classAt(text, at - 4))
}

const UNDERSCORE = 0x5f
const AT = 0x40
const DOLLAR = 0x24
const PAREN = 0x28
const DOT = 0x2e
const COLON = 0x3a

/** Whether signs join the run to an address, a path or a name in a program. */
function isCode(text: string, { start, end }: Run): boolean {
  const before = text.charCodeAt(start - 1)
  const after = text.charCodeAt(end)
  if (before === UNDERSCORE || before === AT || before === DOLLAR || after === UNDERSCORE || after === AT) return true
  if (after === PAREN && start > 0) return true
  if ((after === DOT || after === COLON) && isWord(classAt(text, end + 1)) && classAt(text, end + 1) !== UPPER)
    return true
  return (before === DOT || before === COLON) && isWord(classAt(text, start - 2))
}
