import { RE2JS } from 're2js'
import type { TextView } from '../engine/contract/plugin.ts'
import { allSteps, type Steps } from '../engine/util/steps.ts'
import { PatternSearch } from './pattern-search.ts'

/** One match of a pattern: a half-open span of the view's text. */
export interface PatternHit {
  readonly pattern: string
  readonly start: number
  readonly end: number
}

export interface PatternOptions {
  /**
   * Longest match to find in a stream: characters that are held back, 1 to 4096, default 64. The plugin's `maxBuffered`
   * must not be smaller.
   */
  window?: number
}

const EXAMPLE = "write new Patterns(['\\\\bTICKET-\\\\d{4}\\\\b'])"

/** Default length of the window, characters. */
export const PATTERN_WINDOW = 64

/**
 * Finds RE2 regular expressions in linear time for any text, also across the chunks of a stream. A match at the end of
 * the available text waits for more: `foo` may still become `food`.
 *
 * @example
 * const ticket = new Patterns(['\\bTICKET-\\d{4,8}\\b'])
 * // in a plugin with lookbehind: 0
 * detect(view) {
 *   for (const { start, end } of ticket.find(view)) view.report({ type: 'ticket', start, end, action: 'redact' })
 * }
 */
export class Patterns {
  readonly #patterns: readonly { readonly source: string; readonly search: PatternSearch }[]
  readonly #window: number

  /** @throws a `TypeError` for what is no list of strings, and an error for a pattern that RE2 does not take */
  constructor(patterns: readonly string[], { window = PATTERN_WINDOW }: PatternOptions = {}) {
    if (!Array.isArray(patterns)) throw new TypeError(`Patterns: the patterns must be a list of strings; ${EXAMPLE}`)
    this.#patterns = patterns.map((source, i) => {
      if (typeof source === 'string') return { source, search: new PatternSearch(RE2JS.compile(source)) }
      throw new TypeError(`Patterns: patterns[${i}] must be a string in the syntax of RE2; ${EXAMPLE}`)
    })
    this.#window = window
  }

  /** The matches in a view; on an unfinished stream, also holds possible starts of a match. */
  find(view: Pick<TextView, 'text' | 'before' | 'final' | 'hold'>): PatternHit[] {
    return allSteps(this.findInSteps(view))
  }

  /** Like `find`, for a long text. */
  *findInSteps(view: Pick<TextView, 'text' | 'before' | 'final' | 'hold'>): Steps<PatternHit[]> {
    const { text, before, final } = view
    const hits: PatternHit[] = []
    let held = text.length - this.#window
    // Released text is context, so that \b and ^ behave as in the whole text.
    const whole = before + text
    for (const { source, search } of this.#patterns) {
      yield* search.matches(whole, (from, to) => {
        const start = Math.max(0, from - before.length)
        const end = to - before.length
        if (end <= start) return
        if (final || end < text.length || end - start > this.#window) hits.push({ pattern: source, start, end })
        else held = Math.min(held, start)
      })
    }
    if (!final && this.#patterns.length > 0) view.hold(Math.max(0, held))
    return hits
  }
}
