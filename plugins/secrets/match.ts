/** Results of the matchers. */
/** How to recognise the rest of a long secret whose beginning matched. */
export type Rest =
  | { readonly kind: 'set'; readonly set: Uint8Array }
  /** Everything up to whitespace, a quote or an angle bracket. With `quote`: up to that quote or a line end. */
  | { readonly kind: 'value'; readonly quote: number }
  | { readonly kind: 'jwt' }
  /** `inToken`: the text ended inside a line of the key. */
  | { readonly kind: 'pem'; readonly inToken: boolean }

/** How the entries of a block are written. */
export interface Form {
  /** Sticky, from the first sign of a line; in JSON from the end of the last value. Group `name` is the entry's. */
  readonly entry: RegExp
  readonly lines: boolean
  /** Of values in base64. */
  readonly encoded: boolean
  /** Whether what is before says that this is a secret. Otherwise the value itself must. */
  readonly declared: boolean
  /** Signs that end a value without quotes. Default: none but blanks and quotes. */
  readonly signs?: string
  /** Default: `secret`. */
  readonly type?: string
  /** Characters from one entry to the next. */
  readonly reach?: number
}

export interface Block extends Form {
  /** Columns before the name of the block; its entries have more. */
  readonly indent: number
}

export interface Match {
  /** More entries of it may follow. */
  readonly block?: Block
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
