import { isBuilding } from 'governed-gateway/kit'
import type { Kind } from './actions.ts'
import { AllowList } from './allow.ts'
import { DETECTORS } from './detectors/index.ts'
import type { Columns } from './engine/columns.ts'
import type { Detector, Hit } from './engine/detector.ts'
import { Scanner } from './engine/scanner.ts'
import type { ScanResult } from './engine/settled.ts'
import type { Found } from './found.ts'
import { NAME_KINDS, personName } from './names/kinds.ts'
import { NAME_CONTEXT, NameFinder } from './names/name-finder.ts'
import { CustomPattern } from './patterns.ts'
import type { Options } from './schema.ts'
import { Words } from './words.ts'

/** Finds what the options ask for: detectors, the operator's words and patterns, minus the allow list. */
export class Finder {
  readonly kinds: readonly Kind[]
  readonly #detectors: readonly Detector[]
  readonly #minScore: number
  #made: Scanner | undefined = undefined
  readonly #patterns: readonly CustomPattern[]
  readonly #words: Words | undefined
  readonly #allow: AllowList
  readonly #reach: number
  readonly #names: NameFinder | undefined
  /** Characters before a text that detectors read. */
  readonly context: number

  constructor(options: Options) {
    const detectors = selected(options, DETECTORS)
    const names = selected(options, kindsOfNames(options.names))
    this.#patterns = options.patterns.map((pattern) => new CustomPattern(pattern))
    this.#words = options.words.length > 0 ? new Words(options.words) : undefined
    this.#detectors = detectors
    this.#minScore = options.min_score
    this.#allow = new AllowList(options.allow)
    this.#reach = Math.max(0, ...this.#patterns.map((pattern) => pattern.maxLength))
    this.#names = names.length > 0 && options.names !== 'off' ? new NameFinder(options.names) : undefined
    this.context = this.#names === undefined ? CONTEXT_LENGTH : NAME_CONTEXT
    this.kinds = [...[...detectors, ...names].map(kindOf), ...this.#patterns, ...(this.#words?.kinds ?? [])]
    // The package brings the tables of its own detectors; those of others take a second, in which no request waits yet.
    const isPrebuilt = detectors.length === DETECTORS.length && !isBuilding()
    if (!isPrebuilt) this.#made = this.#scanner
  }

  /** Made when first needed: a start does not wait for its tables. */
  get #scanner(): Scanner {
    this.#made ??= new Scanner(this.#detectors, this.#minScore)
    return this.#made
  }

  /** What will be known of the tables and lists in a text that begins at an absolute position. */
  columnsFrom(at: number): Columns {
    return this.#scanner.columnsFrom(at)
  }

  /** Makes the tables, which the first text needs. */
  prepare(): void {
    void this.#scanner
  }

  /**
   * Reports matches that begin at `from` or later.
   *
   * @param columns have read the text
   * @param whole whether the text is complete, so that also what follows a name may show that it is private
   * @returns start of the text that a stream must hold
   */
  find(
    text: string,
    from: number,
    final: boolean,
    report: (found: Found) => void,
    columns?: Columns,
    whole = false,
  ): number {
    const scanned = this.#scanner.scan(text, from, final, columns)
    const { hits, hold } =
      this.#names === undefined ? scanned : this.#withNames(this.#names, scanned, text, from, final, whole)
    const own: Found[] = []
    let kept = Math.min(hold, this.#findOwn(text, from, final, own))
    const all = own.length === 0 ? hits : [...hits, ...own].sort((a, b) => a.start - b.start)
    for (let i = all.length - 1; i >= 0; i--) {
      const { start, end } = all[i]!
      if (end > kept) kept = Math.min(kept, start)
    }
    for (const found of own) if (found.end <= kept && !this.#allow.has(found, text)) report(found)
    for (const { detector, start, end, score } of hits) {
      const found = { type: detector.type, start, end, score }
      if (end <= kept && !this.#allow.has(found, text)) report(found)
    }
    return kept
  }

  /**
   * What stands before the answer to a question, as if the answer had its name before it: `your PIN: ` of
   * `What is your PIN, please?`. '' if the question names no value.
   */
  nameIn(question: string): string {
    const asked = this.#scanner.askedIn(question)
    return asked === '' ? '' : `${asked}: `
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

  /** What the operator's words and patterns find; returns where the text starts that may still become one. */
  #findOwn(text: string, from: number, final: boolean, found: Found[]): number {
    const add = (hit: Omit<Found, 'score'>) => found.push({ ...hit, score: 1 })
    for (const pattern of this.#patterns) pattern.find(text, from, add)
    const held = this.#words?.find(text, from, final, add) ?? text.length
    // A regular expression does not say whether it can still match, so hold its longest match.
    return final || this.#reach === 0 ? held : Math.max(from, Math.min(held, text.length - this.#reach + 1))
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

const kindOf = ({ type, level, advisory }: Detector): Kind => ({ type, level, ...(advisory && { advisory }) })
