import type { TextView } from '../engine/contract/plugin.ts'
import { KeywordAutomaton } from './keyword-automaton.ts'

/** One hit of a keyword: a half-open span of the view's text. */
export interface KeywordHit {
  readonly keyword: string
  readonly start: number
  readonly end: number
}

export interface KeywordOptions {
  /** Default false. */
  caseSensitive?: boolean
  /**
   * Whether hits must start and end at word borders; default true. Scripts without spaces have borders everywhere; `_` and
   * a letter of another script are borders, too.
   */
  wholeWords?: boolean
}

/**
 * Finds any number of literal keywords in one pass, also across the chunks of a stream. Holds exactly the end of the text
 * that may still become a keyword. A blank in a keyword fits up to 32 blanks, line breaks, hyphens, underscores and
 * marks of Markdown, comments and quoted mails: `*`, `` ` ``, `~`, `>`, `#`; behind a line break also `/`, `;`, `%` and `|`,
 * unless one of the keywords has them. Typographic and typewritten apostrophes and quotation marks are one.
 *
 * @example
 * const secretProjects = new Keywords(['Project Falcon', 'Blue Harvest'])
 * // in a plugin with lookbehind: 0
 * detect(view) {
 *   for (const { start, end } of secretProjects.find(view)) view.report({ type: 'project', start, end, action: 'redact' })
 * }
 */
export class Keywords {
  readonly #automaton: KeywordAutomaton
  /** Length of the longest text that is kept back in a stream, UTF-16 units. */
  readonly longest: number

  constructor(keywords: readonly string[], { caseSensitive = false, wholeWords = true }: KeywordOptions = {}) {
    const literals = keywords.map((text, owner) => ({ text, owner, wholeWords }))
    this.#automaton = new KeywordAutomaton(literals, caseSensitive)
    this.longest = this.#automaton.longest
  }

  /** The hits in a view; on an unfinished stream, also holds possible starts of a hit. */
  find(view: Pick<TextView, 'text' | 'before' | 'final' | 'hold'>): KeywordHit[] {
    const hits: KeywordHit[] = []
    const held = this.#automaton.find(view, ({ text }, start, end) => hits.push({ keyword: text, start, end }))
    if (!view.final) view.hold(held)
    return hits
  }
}
