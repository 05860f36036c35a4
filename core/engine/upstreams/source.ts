import type { GatewayError } from '../contract/errors.ts'

/** What a provider sends, as it arrives. After `onEnd` or `onError` nothing follows. */
export interface Sink {
  /** The request is on its way over a connection. */
  onSent?(): void
  onHeaders(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  onData(chunk: Buffer): void
  onEnd(): void
  onError(failure: UpstreamFailure): void
}

/** The hand on the tap. */
export interface Source {
  pause(): void
  resume(): void
  /** Ends the exchange with the provider at once; the sink hears nothing more. */
  abort(): void
}

/** Why a provider gave no complete answer. */
export interface UpstreamFailure {
  readonly error: GatewayError
  /** Nothing was processed, or nothing was answered in time: another provider may be asked. */
  readonly fallback: boolean
  /** The request body was written, so the provider may have worked on it. */
  readonly sent: boolean
}

export interface UpstreamRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
