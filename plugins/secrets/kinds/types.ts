/** One published credential format. A table row, not code: `pattern.ts` compiles it. */
export interface Kind {
  /** Finding type, in snake_case: vendor first, then what it is. */
  readonly type: string
  /**
   * Regex-like, restricted to what can be matched in one pass without backtracking: literals (`\.` for a literal dot),
   * character classes and `{n}`, `{n,m}`, `{n,}` or `?` behind a class. The first literal is the anchor, at least three
   * characters. `(` marks where the secret begins when what stands left of it is only context and may stay readable.
   */
  readonly patterns: readonly string[]
  /** Also match in the middle of a word. */
  readonly inWord?: true
  /** Lowest Shannon entropy of the whole match, bits per character; default 2.2, which only filters placeholders. */
  readonly entropy?: number
  /** The body has capitals and digits, and now and then not one digit. */
  readonly capitals?: true
}
