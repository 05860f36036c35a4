/** One published credential format, compiled by `pattern.ts`. */
export interface Kind {
  /** Finding type in snake_case, vendor first. */
  readonly type: string
  /**
   * A subset of regular expressions that matches in one pass without backtracking: literals (`\.` for a literal
   * dot), character classes, and `{n}`, `{n,m}` or `{n,}` after a class. The first literal is the anchor and
   * has at least three characters. `(` marks the start of the secret; text before it is context and stays
   * readable. `<` after a first class, as in `[0-9]{8,10}<:[\w-]{35}`: the rest is found first, then the class is read
   * backwards. A stream holds whatever fills such a class, so it must be one that few words fill.
   */
  readonly patterns: readonly string[]
  /** Also matches inside a word. */
  readonly inWord?: true
  /** Minimum Shannon entropy of the whole match, bits per character. Default 2.2, which filters only placeholders. */
  readonly entropy?: number
  /** The body has capitals and digits; a few keys have no digit. */
  readonly capitals?: true
  /** The body has capitals and small letters: a hash is none. */
  readonly bothCases?: true
  /** The body is random beyond doubt: no words, no hash. */
  readonly opaque?: true
  /** A body of 40 or 64 hexadecimal digits is a hash. */
  readonly noHash?: true
  /** The body has capitals and small letters, or its letters read like no words. */
  readonly unspoken?: true
}

export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
