/** What observers receive from the core: runs of taps, requests to providers, figures of other parts. */
import type { Awaitable, Json } from './basics.ts'

/** One finished run of a plugin's tap. Times are those of `performance.now()`, milliseconds. */
export interface TapRun {
  readonly plugin: string
  readonly hook: 'preRequest' | 'classify' | 'block' | 'onChunk' | 'postResponse'
  readonly startedAt: number
  readonly endedAt: number
  /** It threw, or took too long. */
  readonly failed: boolean
  /** How it ended the exchange, if it did. */
  readonly stop: 'verdict' | 'rejection' | 'answer' | undefined
  /** The most characters of a stream that the tap held when it ended. */
  readonly held: number
}

/** One request to a provider. Times are those of `performance.now()`, milliseconds. */
export interface UpstreamAttempt {
  readonly upstream: string
  /** `kind` of the upstream in the config. */
  readonly kind: string
  /** The model's name at this provider. A name that the client chose is shown as in events, without possible findings. */
  readonly model: string
  /** Host and port; undefined for a provider without a network. */
  readonly address: string | undefined
  /** 1 for the first provider asked. */
  readonly number: number
  readonly startedAt: number
  /** HTTP status, once known. */
  readonly status: number | undefined
  /** When the first bytes of the body arrived. */
  readonly firstByteAt: number | undefined
  /** Undefined while it runs. */
  readonly endedAt: number | undefined
  /** `error.code` of the failure, `aborted` if the gateway ended it, or the status of an error. */
  readonly error: string | undefined
}

/** A request of the API with a missing or invalid key. Its text and its key are never passed on. */
export interface UnauthorizedCall {
  /** Also the `x-request-id` header. */
  readonly requestId: string
  /** Method and path of the API, such as `POST /v1/chat/completions`. */
  readonly operation: string
  readonly status: number
  /** `error.code` of the answer. */
  readonly code: string
  /** The `traceparent` header; untrusted, the client may have written it. */
  readonly traceparent: string | undefined
  /** When it began, on the clock of `performance.now()`. */
  readonly startedAt: number
}

/** A figure that can be read at any time, such as the length of a queue. */
export interface FigureSpec {
  /** In snake_case with its unit; a counter ends in `_total`. */
  readonly name: string
  readonly help: string
  readonly kind: 'gauge' | 'counter'
  /**
   * How figures of several workers become one: `sum` (default), `min`, `max`, or `first` if all of them read the same
   * store.
   */
  readonly across?: 'sum' | 'min' | 'max' | 'first'
  /** Values by their labels. Label values are names of the config, never of clients. */
  read(): Awaitable<readonly Sample[]>
}

export interface Sample {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

export interface Figure extends Omit<FigureSpec, 'read'> {
  readonly samples: readonly Sample[]
}

/** The same plugin in the other workers of this gateway. */
export interface Peers {
  /** Registers the function whose result `ask` returns in the other workers. */
  answer(read: () => Awaitable<Json>): void
  /**
   * The answers of all other workers; for a worker that died, its last answer. A worker that does not answer within two
   * seconds counts as dead. Empty without other workers.
   */
  ask(): Promise<readonly Json[]>
  /** The last answer of this worker's dead predecessor, to continue its counts. */
  readonly inherited: Json | undefined
}
