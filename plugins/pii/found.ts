/** A value in a text that the plugin read. */
export interface Found {
  readonly type: string
  readonly start: number
  readonly end: number
  /** From 0 to 1: how certain it is. */
  readonly score: number
}
