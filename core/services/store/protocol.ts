/**
 * Messages between a client and the owner of the embedded store. Frequent data travels as flat lists of texts and
 * numbers (see `wire.ts`): their structured clone costs half as much as JSON text, and that of objects costs more.
 */
import { isStoreError, type StoreErrorKind } from '../../engine/contract/store-errors.ts'
import { sentence } from '../../engine/util/sentence.ts'
import type { Notice, OpName } from './ops.ts'

/** One call: number, operation, arguments (see `wire.ts`), and the time if the client has its own clock (tests). */
export type Call = readonly [number: number, name: OpName, args: unknown, now?: number]

export type Reply =
  | readonly [number: number, ok: 1, result: unknown]
  | readonly [number: number, ok: 0, kind: StoreErrorKind, message: string]

/** A message of the owner. */
export type Replies = readonly [replies: readonly Reply[], notices: readonly Notice[]]

export function failure(number: number, error: unknown): Reply {
  if (isStoreError(error)) return [number, 0, error.kind, error.message]
  return [
    number,
    0,
    'unavailable',
    sentence(`The store failed: ${error instanceof Error ? error.message : String(error)}`),
  ]
}
