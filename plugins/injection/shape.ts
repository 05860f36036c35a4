import type { Family } from './rules.ts'

/** Characters in which a form looks for what it wraps. */
export const WRAPPER = 4000

/** What a text must have beside a form. */
export interface Condition {
  readonly pattern: RegExp
  /** A match contains one of these literals, in any case; a space stands for any blank, or for the beginning of the text. */
  readonly needs?: readonly string[]
}

/** A form of sentences. */
export interface Shape {
  readonly id: string
  readonly family: Family
  readonly weight: number
  readonly pattern: RegExp
  /** The pattern is sticky, and tried where a line begins like a task. */
  readonly lines?: true
  /** Must match the 100 characters before or after the pattern. */
  readonly before?: RegExp
  readonly after?: RegExp
  /** Characters before the pattern to look at, instead of 100; what follows closely has the same place. */
  readonly wide?: number
  /** Must match anywhere in the first {@link WRAPPER} characters: what the form wraps. */
  readonly also?: readonly Condition[]
  /** The pattern is tried only in texts that have one of these, as in {@link Condition.needs}. */
  readonly needs: readonly string[]
  /** And one of each of these groups. */
  readonly with?: readonly (readonly string[])[]
  /** Manuals of models show it, too: it counts in full only beside an order. */
  readonly names?: boolean
}
