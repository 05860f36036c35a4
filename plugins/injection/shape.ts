import type { Family } from './rules.ts'

/** Characters in which a form looks for what it wraps. */
export const WRAPPER = 4000

/** A form of sentences. */
export interface Shape {
  readonly id: string
  readonly family: Family
  readonly weight: number
  readonly pattern: RegExp
  /** Must match the 100 characters before or after the pattern. */
  readonly before?: RegExp
  readonly after?: RegExp
  /** Must match anywhere in the first {@link WRAPPER} characters: what the form wraps. */
  readonly also?: readonly RegExp[]
  /** The pattern is tried only in texts that have one of these, in any case. */
  readonly needs: readonly string[]
  /** And one of these. */
  readonly with?: readonly string[]
}
