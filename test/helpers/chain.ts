/** The hash chain of the audit log, checked apart from `audit verify`. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../../core/engine/contract/store.ts'
import { verify } from '../../core/engine/util/canonical-json.ts'
import { GENESIS } from '../../core/services/store/ops.ts'

/** Asserts that records, oldest first, are one whole chain from its beginning. */
export function assertChained(records: readonly JsonObject[]): void {
  const head = { seq: 0, hash: GENESIS }
  assert.deepEqual(
    records.flatMap((record) => verify(record, head) ?? []),
    [],
  )
}
