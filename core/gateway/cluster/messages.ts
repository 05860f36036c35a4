/** Messages between primary and workers, except those of the store. They never leave the IPC channel. */
import cluster from 'node:cluster'
import type { KeyConfig } from '../../engine/config/types.ts'
import { type ErrorCode, GatewayError, isGatewayError } from '../../engine/contract/errors.ts'
import type { Json } from '../../engine/contract/plugin.ts'
import type { SharedPort } from '../../engine/http/listening.ts'

const TAG = 'governed-gateway.worker'

/** Marks a process as a worker of this package, not of another cluster. */
export const WORKER_VARIABLE = 'GOVERNED_GATEWAY_WORKER'
export const isWorkerProcess = (): boolean => cluster.isWorker && process.env[WORKER_VARIABLE] !== undefined

/** What a worker needs to start. Config and keys come from the primary, so that all workers agree. */
export interface StartOrder {
  readonly type: 'start'
  readonly number: number
  readonly restarts: number
  readonly instance: string
  /** Holder of the name in Redis: the same for this worker and its successors. */
  readonly holder: string
  /** Absolute path of the config file, and its validated text. */
  readonly file: string
  readonly text: string
  readonly keys: readonly KeyConfig[]
  readonly secret: Uint8Array
  /** The primary serves its store over this channel. */
  readonly sharedStore: boolean
  /** Last answers of this worker's predecessor, by plugin. */
  readonly inherited: Readonly<Record<string, Json>>
}

export type ToWorker =
  | StartOrder
  /** Answers `built`. */
  | ({ readonly type: 'listen' } & SharedPort)
  | { readonly type: 'prepare'; readonly change: number; readonly text: string }
  | { readonly type: 'commit' | 'discard'; readonly change: number }
  /** A rejected config: one worker records it for all. */
  | { readonly type: 'rejected'; readonly problems: number }
  | { readonly type: 'leave' }
  /** The log file. */
  | { readonly type: 'reopen' }
  | { readonly type: 'close' }
  | { readonly type: 'ping' }
  /** Another worker's plugin asks. */
  | { readonly type: 'asked'; readonly id: number; readonly plugin: string }
  | { readonly type: 'answers'; readonly id: number; readonly values: readonly Json[] }

export type FromWorker =
  | { readonly type: 'hello' }
  /** Everything but the port is there. */
  | { readonly type: 'built' }
  /** Answers `ping`. */
  | { readonly type: 'pong' }
  /** A plugin asks itself in the other workers; `own` is its own answer. */
  | { readonly type: 'ask'; readonly id: number; readonly plugin: string; readonly own?: Json }
  /** Answers `asked`. */
  | { readonly type: 'answer'; readonly id: number; readonly plugin: string; readonly value?: Json }
  | {
      readonly type: 'listening'
      readonly url: string
      readonly plugins: readonly string[]
      readonly notes: readonly string[]
    }
  | { readonly type: 'failed'; readonly failure: Failure }
  /** It was told to end, by the primary or by a SIGTERM of its own, and drains. */
  | { readonly type: 'ending' }
  /** Answers `prepare`. */
  | { readonly type: 'prepared'; readonly change: number; readonly problem?: string | undefined }

/** An error as sent to another process. */
export interface Failure {
  readonly message: string
  readonly code?: ErrorCode | undefined
  /** Code of the underlying system error, such as `EACCES`. */
  readonly system?: string | undefined
}

interface Sender {
  send?(message: unknown): unknown
  readonly connected?: boolean
}

interface Receiver {
  on(event: 'message', listener: (message: unknown) => void): unknown
}

export function send(channel: Sender, message: ToWorker | FromWorker): void {
  if (channel.connected !== false) channel.send?.({ [TAG]: message })
}

export function hear<M extends ToWorker | FromWorker>(channel: Receiver, listener: (message: M) => void): void {
  channel.on('message', (message) => {
    if (typeof message === 'object' && message !== null && Object.hasOwn(message, TAG)) {
      listener((message as Record<string, unknown>)[TAG] as M)
    }
  })
}

export function failureOf(error: unknown): Failure {
  const { message, cause } = error as Error
  const system = (cause as NodeJS.ErrnoException | undefined)?.code
  return { message, code: isGatewayError(error) ? error.code : undefined, system }
}

export function errorOf({ message, code, system }: Failure): Error {
  const cause = system === undefined ? undefined : Object.assign(new Error(system), { code: system })
  return code === undefined ? new Error(message) : new GatewayError(code, message, { cause })
}
