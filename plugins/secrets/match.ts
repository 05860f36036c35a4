/** What every matcher of this plugin answers. */

/** How the rest of a long secret is recognised once its beginning was judged. */
export type Rest =
  | { readonly kind: 'set'; readonly set: Uint8Array }
  /** Everything up to whitespace, a quote or an angle bracket; `quote` narrows it to that quote or a line end. */
  | { readonly kind: 'value'; readonly quote: number }
  | { readonly kind: 'jwt' }
  /** `inToken`: the text ended within a line of the key. */
  | { readonly kind: 'pem'; readonly inToken: boolean }

export interface Match {
  readonly type: string
  readonly start: number
  readonly end: number
  /** The text ended before the secret did. */
  readonly open: boolean
  readonly rest: Rest
}

/** The text ended before a decision: keep everything from here. */
export interface Undecided {
  readonly from: number
}

export type Answer = Match | Undecided | undefined

export const isMatch = (answer: Answer): answer is Match => answer !== undefined && 'end' in answer
