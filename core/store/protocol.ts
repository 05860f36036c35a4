/**
 * Messages between a client and the owner of the embedded store, as JSON text: structured clones of many small objects
 * cost more, and text passes through a cluster's primary without being looked at.
 */
import { isStoreError, StoreError, type StoreErrorKind } from './errors.ts'
import type { Notice, OpName } from './ops.ts'

/** One call: its number, operation and arguments (see `wire.ts`), and the time if the client brings its own clock (tests). */
export type Call = readonly [number: number, name: OpName, args: unknown, now?: number]

export type Reply =
  | readonly [number: number, ok: 1, result: unknown]
  | readonly [number: number, ok: 0, kind: StoreErrorKind, message: string]

export interface Replies {
  readonly replies: readonly Reply[]
  readonly notices: readonly Notice[]
}

export const encodeCalls = (calls: readonly Call[]): string => JSON.stringify(calls)
export const decodeCalls = (text: string): readonly Call[] => JSON.parse(text) as Call[]
export const encodeReplies = (replies: readonly Reply[], notices: readonly Notice[]): string =>
  JSON.stringify({ replies, notices })
export const decodeReplies = (text: string): Replies => JSON.parse(text) as Replies

export function failure(number: number, error: unknown): Reply {
  if (isStoreError(error)) return [number, 0, error.kind, error.message]
  return [number, 0, 'unavailable', `The store failed: ${error instanceof Error ? error.message : String(error)}.`]
}

export const toError = (kind: StoreErrorKind, message: string): StoreError => new StoreError(kind, message)
