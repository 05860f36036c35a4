import type { Kind } from './actions.ts'
import { AllowList } from './allow.ts'
import { DETECTORS } from './detectors/index.ts'
import { personName } from './detectors/person-name.ts'
import type { Detector } from './engine/detector.ts'
import { Scanner } from './engine/scanner.ts'
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
  readonly #scanner: Scanner
  readonly #patterns: readonly CustomPattern[]
  readonly #allow: AllowList
  readonly #reach: number

  constructor(options: Options) {
    const words = options.words
      .map((list) => ({ ...list, words: list.words.filter(isFindable) }))
      .filter((list) => list.words.length > 0)
    const detectors: Detector[] = [...selected(options), ...wordDetectors(words)]
    this.#patterns = [...options.patterns.map((pattern) => new CustomPattern(pattern)), ...otherWords(options.words)]
    this.#scanner = new Scanner(detectors, options.min_score)
    this.#allow = new AllowList(options.allow)
    this.#reach = Math.max(0, ...this.#patterns.map((pattern) => pattern.maxLength))
    this.kinds = [...detectors.map(kindOf(options)), ...this.#patterns]
  }

  /**
   * Reports matches that begin at `from` or later.
   *
   * @returns start of the text that a stream must hold
   */
  find(text: string, from: number, final: boolean, report: (found: Found) => void): number {
    const { hits, hold } = this.#scanner.scan(text, from, final)
    // A regular expression does not say whether it can still match, so hold its longest match.
    const until = final || this.#reach === 0 ? hold : Math.max(from, Math.min(hold, text.length - this.#reach + 1))
    let kept = until
    for (const hit of hits) {
      if (hit.end > until) kept = Math.min(kept, hit.start)
    }
    kept = this.#findCustom(text, from, kept, report)
    for (const hit of hits) {
      if (hit.end <= kept && !this.#allow.has(hit, text))
        report({ type: hit.detector.type, start: hit.start, end: hit.end, score: hit.score })
    }
    return kept
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

function selected(options: Options): Detector[] {
  const { locales, names } = options
  const all = names === 'lexicon' ? [...DETECTORS, personName] : DETECTORS
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
