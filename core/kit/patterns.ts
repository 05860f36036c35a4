import { RE2JS } from 're2js'
import type { TextView } from '../engine/contract/plugin.ts'

/** One match of a pattern: a half-open span of the view's text. */
export interface PatternHit {
  readonly pattern: string
  readonly start: number
  readonly end: number
}

export interface PatternOptions {
  /**
   * Characters of a streamed reply that are kept back, 1 to 4096, default 64: what a match can be long and still be found
   * in a stream. The plugin's `maxBuffered` must not be smaller.
   */
  window?: number
}

/** Default length of the window, characters. */
export const PATTERN_WINDOW = 64

/**
 * Finds regular expressions of the RE2 syntax in linear time, whatever the text, also across the pieces of a stream.
 * A match that touches the end of what is there of a stream waits for more text: `foo` may still become `food`.
 *
 * @example
 * const ticket = new Patterns(['\\bTICKET-\\d{4,8}\\b'])
 * // in a plugin with lookbehind: 0
 * detect(view) {
 *   for (const { start, end } of ticket.find(view)) view.report({ type: 'ticket', start, end, action: 'redact' })
 * }
 */
export class Patterns {
  readonly #patterns: readonly { readonly source: string; readonly compiled: RE2JS }[]
  readonly #window: number

  constructor(patterns: readonly string[], { window = PATTERN_WINDOW }: PatternOptions = {}) {
    this.#patterns = patterns.map((source) => ({ source, compiled: RE2JS.compile(source) }))
    this.#window = window
  }

  /** The matches in a view; on a stream that goes on, also holds what may still become one. */
  find(view: Pick<TextView, 'text' | 'before' | 'final' | 'hold'>): PatternHit[] {
    const { text, before, final } = view
    const hits: PatternHit[] = []
    let held = text.length - this.#window
    // What has left already is context, so that \b and ^ see the same as in a whole text.
    const whole = before + text
    for (const { source, compiled } of this.#patterns) {
      const matcher = compiled.matcher(whole)
      while (matcher.find()) {
        const start = Math.max(0, matcher.start() - before.length)
        const end = matcher.end() - before.length
        if (end <= start) continue
        if (final || end < text.length || end - start > this.#window) hits.push({ pattern: source, start, end })
        else held = Math.min(held, start)
      }
    }
    if (!final && this.#patterns.length > 0) view.hold(Math.max(0, held))
    return hits
  }
}
