import type { Level } from 'governed-gateway'
import type { Candidate } from './candidate.ts'

/** One kind of personal data: its shape, and how to tell it from look-alikes. */
export interface Detector {
  /** Type of the findings, in snake_case; also the placeholder, `[EMAIL]`. */
  readonly type: string
  /** For the table in the README. */
  readonly title: string
  readonly level: Level
  /** ISO 3166 country it belongs to; absent when it is the same everywhere. */
  readonly region?: string
  /** What the README says about the check: a rule, a checksum, "in context". */
  readonly check: string
  /** Reported, but never rewritten unless the operator says so for this very type. */
  readonly advisory?: true
  /** See pattern.ts. A match is a whole word or number, or several. */
  readonly patterns: readonly string[]
  /** Also judge shorter matches of a pattern when its longest one is refused: `+44 20 7946 0958 2024`. */
  readonly everyEnd?: true | 'in context'
  /** Not judged at all unless one of the context words stands before: most numbers are settled by that. */
  readonly onlyInContext?: true
  /** Words that make a weak value credible, in any case and spelling of spaces. */
  readonly context?: readonly string[]
  /**
   * True when no value begins with the span, whatever follows: a stream need not wait for more. What this refuses, `judge`
   * must refuse, too.
   */
  refuses?(opening: Candidate): boolean
  /** Confidence in the candidate: 0 none, 0.5 just credible, 1 beyond doubt. */
  judge(candidate: Candidate): number
}

/** A value that was found. */
export interface Hit {
  readonly detector: Detector
  readonly start: number
  readonly end: number
  readonly score: number
}
