import type { GatewayError } from '../contract/errors.ts'

/** Receives a provider's reply as it arrives. Nothing follows `onEnd` or `onError`. */
export interface Sink {
  /** The request was assigned to a connection. */
  onSent?(): void
  onHeaders(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  onData(chunk: Buffer): void
  onEnd(): void
  onError(failure: UpstreamFailure): void
}

/** Controls the flow of a provider's reply. */
export interface Source {
  pause(): void
  resume(): void
  /** Ends the provider request at once; the sink gets no more calls. */
  abort(): void
}

/** Why a provider gave no complete answer. */
export interface UpstreamFailure {
  readonly error: GatewayError
  /** Nothing was processed or answered in time: another provider may be asked. */
  readonly fallback: boolean
  /** The request body was written, so the provider may have worked on it. */
  readonly sent: boolean
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
