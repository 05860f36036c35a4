/** An error code that a plugin declares. Its rejections and verdicts may use it like those of the core. */
export interface ErrorSpec {
  /** HTTP status of the answer, 400 to 599. */
  status: number
  /** `error.type`. Default `invalid_request_error`, and `server_error` from 500 on. */
  type?: string
  /** Meaning and remedy for the client, in a sentence; shown in the docs. */
  remedy: string
  /** Whether an SDK should retry the same request. Default: for 408, 429 and from 500 on. */
  retryable?: boolean
  /** A refused attempt that operators should see: its `request.rejected` has severity `action`. */
  refusal?: boolean
  /** A limit was exhausted: exports report the exchange as rejected instead of blocked for its content. */
  limit?: boolean
}
