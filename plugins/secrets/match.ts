/** Results of the matchers. */

/** How to recognise the rest of a long secret whose beginning matched. */
export type Rest =
  | { readonly kind: 'set'; readonly set: Uint8Array }
  /** Everything up to whitespace, a quote or an angle bracket. With `quote`: up to that quote or a line end. */
  | { readonly kind: 'value'; readonly quote: number }
  | { readonly kind: 'jwt' }
  /** `inToken`: the text ended inside a line of the key. */
  | { readonly kind: 'pem'; readonly inToken: boolean }

export interface Match {
  readonly type: string
  readonly start: number
  readonly end: number
  /** The text ended inside the secret. */
  readonly open: boolean
  readonly rest: Rest
}

/** The text ended too early to decide: hold it from `from`. */
export interface Undecided {
  readonly from: number
}

export type Answer = Match | Undecided | undefined

export const isMatch = (answer: Answer): answer is Match => answer !== undefined && 'end' in answer
