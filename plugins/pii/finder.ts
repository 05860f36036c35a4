import { isBuilding } from 'governed-gateway/kit'
import type { Kind } from './actions.ts'
import { AllowList } from './allow.ts'
import { DETECTORS } from './detectors/index.ts'
import type { Detector, Hit } from './engine/detector.ts'
import { Scanner, type ScanResult } from './engine/scanner.ts'
import { NAME_KINDS, personName } from './names/kinds.ts'
import { NAME_CONTEXT, NameFinder } from './names/name-finder.ts'
import { CustomPattern } from './patterns.ts'
import type { Options } from './schema.ts'
import { isFindable, wordDetectors } from './words.ts'

export interface Found {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly score: number
}

/** Finds what the options ask for: detectors, the operator's words and patterns, minus the allow list. */
export class Finder {
  readonly kinds: readonly Kind[]
  readonly #detectors: readonly Detector[]
  readonly #minScore: number
  #made: Scanner | undefined = undefined
  readonly #patterns: readonly CustomPattern[]
  readonly #allow: AllowList
  readonly #reach: number
  readonly #names: NameFinder | undefined
  /** Characters before a text that detectors read. */
  readonly context: number

  constructor(options: Options) {
    const words = options.words
      .map((list) => ({ ...list, words: list.words.filter(isFindable) }))
      .filter((list) => list.words.length > 0)
    const detectors: Detector[] = [...selected(options, DETECTORS), ...wordDetectors(words)]
    const names = selected(options, kindsOfNames(options.names))
    this.#patterns = [...options.patterns.map((pattern) => new CustomPattern(pattern)), ...otherWords(options.words)]
    this.#detectors = detectors
    this.#minScore = options.min_score
    this.#allow = new AllowList(options.allow)
    this.#reach = Math.max(0, ...this.#patterns.map((pattern) => pattern.maxLength))
    this.#names = names.length > 0 && options.names !== 'off' ? new NameFinder(options.names) : undefined
    this.context = this.#names === undefined ? CONTEXT_LENGTH : NAME_CONTEXT
    this.kinds = [...[...detectors, ...names].map(kindOf(options)), ...this.#patterns]
    // The package brings the tables of its own detectors; those of others take a second, in which no request waits yet.
    const isPrebuilt = words.length === 0 && detectors.length === DETECTORS.length && !isBuilding()
    if (!isPrebuilt) this.#made = this.#scanner
  }

  /** Made when first needed: a start does not wait for its tables. */
  get #scanner(): Scanner {
    this.#made ??= new Scanner(this.#detectors, this.#minScore)
    return this.#made
  }

  /** Makes the tables, which the first text needs. */
  prepare(): void {
    void this.#scanner
  }

  /**
   * Reports matches that begin at `from` or later.
   *
   * @param whole whether the text is complete, so that also what follows a name may show that it is private
   * @returns start of the text that a stream must hold
   */
  find(text: string, from: number, final: boolean, report: (found: Found) => void, whole = false): number {
    const scanned = this.#scanner.scan(text, from, final)
    const { hits, hold } =
      this.#names === undefined ? scanned : this.#withNames(this.#names, scanned, text, from, final, whole)
    // A regular expression does not say whether it can still match, so hold its longest match.
    const until = final || this.#reach === 0 ? hold : Math.max(from, Math.min(hold, text.length - this.#reach + 1))
    let kept = until
    for (let i = hits.length - 1; i >= 0; i--) {
      const hit = hits[i]!
      if (hit.end > kept) kept = Math.min(kept, hit.start)
    }
    kept = this.#findCustom(text, from, kept, report)
    for (const hit of hits) {
      if (hit.end <= kept && !this.#allow.has(hit, text))
        report({ type: hit.detector.type, start: hit.start, end: hit.end, score: hit.score })
    }
    return kept
  }

  #withNames(
    names: NameFinder,
    scanned: ScanResult,
    text: string,
    from: number,
    final: boolean,
    whole: boolean,
  ): ScanResult {
    const hits: Hit[] = []
    const hold = names.find(text, from, final, scanned.hits, whole, hits)
    if (hits.length === 0) return { hits: scanned.hits, hold: Math.min(scanned.hold, hold) }
    hits.push(...scanned.hits)
    return { hits: hits.sort((a, b) => a.start - b.start), hold: Math.min(scanned.hold, hold) }
  }

  #findCustom(text: string, from: number, kept: number, report: (found: Found) => void): number {
    if (this.#patterns.length === 0) return kept
    const found: Found[] = []
    for (const pattern of this.#patterns) pattern.find(text, from, (hit) => found.push({ ...hit, score: 1 }))
    let until = kept
    for (const hit of found.sort((a, b) => b.start - a.start)) if (hit.end > until) until = Math.min(until, hit.start)
    for (const hit of found) if (hit.end <= until) report(hit)
    return until
  }
}

/** Characters before the text that detectors read; fits the longest context word. */
const CONTEXT_LENGTH = 96

const kindsOfNames = (names: Options['names']): readonly Detector[] =>
  names === 'all' ? NAME_KINDS : names === 'personal' ? [personName] : []

function selected(options: Options, all: readonly Detector[]): Detector[] {
  const { locales } = options
  return all.filter((detector) => {
    if (options.types[detector.type]?.enabled === false) return false
    return detector.region === undefined || locales === undefined || locales.includes(detector.region)
  })
}

/** Words of scripts without spaces, which are searched as substrings. */
function otherWords(lists: Options['words']): CustomPattern[] {
  return lists.flatMap((list) =>
    list.words
      .filter((word) => !isFindable(word))
      .map(
        (word) =>
          new CustomPattern({
            type: list.type,
            level: list.level,
            ...(list.action === undefined ? {} : { action: list.action }),
            pattern: `(?i)${quote(word)}`,
            max_length: Math.min(128, word.length),
          }),
      ),
  )
}

const quote = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const kindOf =
  (options: Options) =>
  (detector: Detector): Kind => {
    const list = options.words.find((words) => words.type === detector.type)
    return {
      type: detector.type,
      level: detector.level,
      ...(detector.advisory === true ? { advisory: true as const } : {}),
      ...(list?.action === undefined ? {} : { action: list.action }),
    }
  }
