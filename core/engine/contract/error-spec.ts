/** An error code that a plugin declares: its rejections and verdicts may name it, as they may name those of the core. */
export interface ErrorSpec {
  /** HTTP status of the answer, 400 to 599. */
  status: number
  /** `error.type`. Default `invalid_request_error`, and `server_error` from 500 on. */
  type?: string
  /** What it means and what the client can do about it, in a sentence; shown in the docs. */
  remedy: string
  /** Whether an SDK should try the same request again. Default: for 408, 429 and from 500 on. */
  retryable?: boolean
  /** A refused attempt that operators want to see: its `request.rejected` has severity `action`. */
  refusal?: boolean
  /** Something is used up: exports call the exchange rejected, and not blocked for what was said. */
  limit?: boolean
}
