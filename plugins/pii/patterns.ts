import type { Action, Level } from 'governed-gateway'
import { RE2JS } from 're2js'
import { CONTEXT_BEFORE } from './engine/candidate.ts'
import { Keywords } from './engine/keywords.ts'
import { unitsOf } from './engine/units.ts'
import type { Options } from './schema.ts'

export interface CustomHit {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** One regular expression of the operator. RE2 runs in linear time for any expression and text. */
export class CustomPattern {
  readonly type: string
  readonly level: Level
  readonly action: Action | undefined
  readonly maxLength: number
  readonly #regex: RE2JS
  readonly #keywords: Keywords | undefined

  constructor(options: Options['patterns'][number]) {
    this.type = options.type
    this.level = options.level
    this.action = options.action
    this.maxLength = options.max_length
    this.#regex = RE2JS.compile(options.pattern)
    this.#keywords = options.context === undefined ? undefined : Keywords.of({ context: options.context })
  }

  /** Reports matches that begin at `from` or later and are at most `max_length` long. */
  find(text: string, from: number, report: (hit: CustomHit) => void): void {
    const matcher = this.#regex.matcher(text)
    for (let found = matcher.find(from); found; found = matcher.find()) {
      const start = matcher.start()
      const end = matcher.end()
      if (end > start && end - start <= this.maxLength && this.#hasContext(text, start))
        report({ type: this.type, start, end })
    }
  }

  #hasContext(text: string, start: number): boolean {
    if (this.#keywords === undefined) return true
    const reader = this.#keywords.reader()
    const from = Math.max(0, start - CONTEXT_BEFORE)
    // With one character on each side, which may continue a word.
    const base = Math.max(0, from - 1)
    reader.read(unitsOf(text.slice(base, start + 1)), from - base, start - base)
    return reader.end(0) >= 0
  }
}
