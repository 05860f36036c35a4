/**
 * Messages between a client and the owner of the embedded store: lists of texts and numbers wherever it matters (see
 * `wire.ts`), since structured clones of those cost half of what JSON text does, and of objects more than it.
 */
import { isStoreError, type StoreErrorKind } from '../../engine/contract/store-errors.ts'
import type { Notice, OpName } from './ops.ts'

/** One call: its number, operation and arguments (see `wire.ts`), and the time if the client brings its own clock (tests). */
export type Call = readonly [number: number, name: OpName, args: unknown, now?: number]

export type Reply =
  | readonly [number: number, ok: 1, result: unknown]
  | readonly [number: number, ok: 0, kind: StoreErrorKind, message: string]

/** What the owner sends. */
export type Replies = readonly [replies: readonly Reply[], notices: readonly Notice[]]

export function failure(number: number, error: unknown): Reply {
  if (isStoreError(error)) return [number, 0, error.kind, error.message]
  return [number, 0, 'unavailable', `The store failed: ${error instanceof Error ? error.message : String(error)}.`]
}
