import type { Level } from 'governed-gateway'
import type { Candidate } from './candidate.ts'

/** One kind of personal data: its shape, and how to distinguish it from similar text. */
export interface Detector {
  /** Type of the findings, in snake_case; also the placeholder, as in `[EMAIL]`. */
  readonly type: string
  /** Name in the README's table. */
  readonly title: string
  readonly level: Level
  /** ISO 3166 country code; absent if the type is international. */
  readonly region?: string
  /** Check as shown in the README: a rule, a checksum, "in context". */
  readonly check: string
  /** Reported, but only rewritten if the operator's `types` names this type. */
  readonly advisory?: true
  /** Patterns, see pattern.ts. A match is one or more whole words or numbers. */
  readonly patterns: readonly string[]
  /** Also judges shorter matches if the longest is rejected: `+44 20 7946 0958 2024`. */
  readonly everyEnd?: true | 'in context'
  /** A value has at least so many digits: `judge` rejects others by that alone. */
  readonly fewestDigits?: number
  /** A match has one of these in it, in any case. Where none is near, no text is read for the patterns. */
  readonly signs?: readonly string[]
  /**
   * All matches have an at sign directly after a quoted name or a letter of a script without spaces. They begin with the
   * quotation or run of letters before it, as only the sign tells; see `quoted.ts` and `unspaced.ts`.
   */
  readonly aroundAt?: true
  /** Skips matches without a context word before them. This settles most numbers cheaply. */
  readonly onlyInContext?: true
  /** Words that support a weak match. Case and spacing do not matter. */
  readonly context?: readonly string[]
  /** A sentence may have the context word after the value: `46 454 286 is my SIN`. So have all types of one country. */
  readonly namedBehind?: true
  /** Keeps the context words apart from those of other detectors of the type. */
  readonly contextGroup?: string
  /** True if no value begins with this span, so that a stream need not wait. `judge` must reject the span, too. */
  refuses?(opening: Candidate): boolean
  /** Confidence from 0 (no match) over 0.5 (barely plausible) to 1 (certain). */
  judge(candidate: Candidate): number
}

export interface Hit {
  readonly detector: Detector
  readonly start: number
  readonly end: number
  readonly score: number
}
