/** What a scanner reads with, made once for each set of detectors. */
import { prebuilt } from 'governed-gateway/kit'
import { Automaton } from './automaton.ts'
import { OTHER_NUMBER } from './candidate.ts'
import type { Detector } from './detector.ts'
import { type KeywordTables, keywordTables } from './keyword-tables.ts'
import { Keywords } from './keywords.ts'
import { OTHER_NUMBER_WORDS } from './other-number.ts'
import { type Positions, positionsOf } from './positions.ts'

interface Compiled {
  readonly detectors: readonly Detector[]
  /** Of all patterns. */
  readonly full: Automaton
  /** Of the patterns that need no sign. */
  readonly unsigned: Automaton
  /** Of those that need no digit either. */
  readonly digitless: Automaton
  /** Of the patterns around an at sign, if there are any. */
  readonly aroundAt: Automaton | undefined
  readonly signs: readonly string[]
  readonly keywords: Keywords
  /** Detector of each rule. */
  readonly detectorOf: readonly Detector[]
}

/** Most recently compiled sets. Their learnt states survive a reload of the options. */
const compiled: Compiled[] = []
const KEPT = 4

/** The automata and tables of some detectors. */
export function compile(detectors: readonly Detector[]): Compiled {
  const known = compiled.find(
    (one) => one.detectors.length === detectors.length && detectors.every((d, i) => one.detectors[i] === d),
  )
  if (known !== undefined) return known
  const rules = rulesOf(detectors)
  const { positions, keywords } = scannerTables(detectors)
  const signs = [...new Set(detectors.flatMap((detector) => detector.signs ?? []))]
  const isUnsigned = (rule: number): boolean => rules[rule]!.signs === undefined
  const fresh = {
    detectors,
    full: new Automaton(positions, (rule) => rules[rule]!.aroundAt !== true),
    unsigned: new Automaton(positions, isUnsigned),
    digitless: new Automaton(
      positions,
      (rule) => isUnsigned(rule) && positions.digitless[rule] === 1 && (rules[rule]!.fewestDigits ?? 0) === 0,
    ),
    aroundAt: rules.some((rule) => rule.aroundAt)
      ? new Automaton(positions, (rule) => rules[rule]!.aroundAt === true)
      : undefined,
    signs,
    keywords: new Keywords(keywords),
    detectorOf: rules,
  }
  compiled.unshift(fresh)
  compiled.length = Math.min(compiled.length, KEPT)
  return fresh
}

/** The tables of the patterns and of the context words: plain data that depends on the detectors alone. */
export function scannerTables(detectors: readonly Detector[]): { positions: Positions; keywords: KeywordTables } {
  const patterns = detectors.flatMap((detector) => detector.patterns)
  const needDigit = rulesOf(detectors).map(({ fewestDigits = 0 }) => fewestDigits > 0)
  const context = { [OTHER_NUMBER]: OTHER_NUMBER_WORDS, ...contextWords(detectors) }
  return prebuilt('pii', [patterns, needDigit, context], () => ({
    positions: positionsOf(patterns, (rule) => needDigit[rule]!),
    keywords: keywordTables(context),
  }))
}

/** The detector of each pattern. */
const rulesOf = (detectors: readonly Detector[]): readonly Detector[] =>
  detectors.flatMap((detector) => detector.patterns.map(() => detector))

/** Context words by type, shared by its detectors unless one has a group of its own. */
function contextWords(detectors: readonly Detector[]): Record<string, readonly string[]> {
  const groups: Record<string, readonly string[]> = {}
  for (const detector of detectors) {
    const group = groupOf(detector)
    groups[group] = [...(groups[group] ?? []), ...(detector.context ?? []).flatMap(spellings)]
  }
  return groups
}

/** Texts are read in compatibility form, in which Thai vowels are two characters. */
const spellings = (phrase: string): readonly string[] => [...new Set([phrase, phrase.normalize('NFKC')])]

export const groupOf = ({ type, contextGroup }: Detector): string => contextGroup ?? type
