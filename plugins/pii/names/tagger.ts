import { CLASS_OF, classAt, isLetter, isWord, JOINT, UPPER } from './characters.ts'
import type { Beside } from './features.ts'
import { Model, type Named, type Weights } from './model.ts'
import { MAX_RUN, REACH, type Run, readLeft, readRight, readRun } from './runs.ts'
import { isTitle } from './titles.ts'

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
  readonly score: number
}

/** Words that are capitalised for many reasons and seldom begin a name: alone they are not judged. */
const ORDINARY = new Set(
  `i a an the this that these those it he she we you they in on at of for from with by to as and but or so if when where what
  who why how there here not no yes is are was were do does did can could will would should may might must have has had my your
  his her its our their all some any many most one two first then now also just please thanks hello hi hey dear i'm i've i'll it's
  don't let let's after before because while although however since until der die das den dem ein eine und oder aber ich sie er es wir
  le la les un une et mais je il elle nous vous el los las un una y pero yo`.split(/\s+/),
)

export class Tagger {
  readonly #model: Model

  constructor(weights: Weights) {
    this.#model = new Model(weights)
  }

  /**
   * Finds the names that begin at `from` or later, and some that begin before.
   *
   * @returns start of the text on whose continuation a result depends
   */
  find(text: string, from: number, final: boolean, caution: number, found: (name: Name) => void): number {
    const n = text.length
    let at = Math.max(0, from - BACK)
    while (at < n) {
      if (CLASS_OF[text.charCodeAt(at)] !== UPPER || !begins(text, at)) {
        at++
        continue
      }
      const run = readRun(text, at, final)
      if (run === undefined) return Math.max(from, at)
      if (run.end > from - LINK_REACH && !run.long) {
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
    const beside = { left: readLeft(text, run.start), right }
    for (const { kind, from: first, to, score } of this.#model.names(text, run, beside, caution)) {
      const start = words[kind === 'PER' ? withTitles(run, first) : first]!.start
      const last = words[to - 1]!
      const end = last.dotted ? last.end + 1 : last.end
      found({ kind, start, end, score })
    }
    return true
  }
}

/** Index of the first of the titles in front of a word, or of the word. */
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
